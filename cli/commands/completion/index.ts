import type { Command } from "commander";
import { kinds } from "../../../core/kinds/index.ts";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { wordsOf } from "./words.ts";
import { zshScript } from "./zsh.ts";

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** A script that completes the commands, arguments and flags of the program in a shell. */
export function completionScript(shell: keyof typeof scripts, program: Command): string {
  return scripts[shell](
    wordsOf(program, { kind: kinds.filter(({ clone }) => clone).map(({ slug }) => slug) }),
  );
}
