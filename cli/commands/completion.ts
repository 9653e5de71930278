import type { Command } from "commander";
import { kinds } from "../../core/kinds/index.ts";
import { bashScript } from "../completion/bash.ts";
import { fishScript } from "../completion/fish.ts";
import { wordsOf } from "../completion/words.ts";
import { zshScript } from "../completion/zsh.ts";
import type { Console } from "../console.ts";
import { exitCodes } from "../exit-codes.ts";

/** The shells that there is a completion script for. */
const scripts: Record<string, typeof bashScript> = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** `infrasync completion`: a script that completes command lines. */
export function completion(shell: string, program: Command, console: Console): number {
  const script = scripts[shell];
  if (!script) throw new TypeError(`no completion for ${shell}`);
  console.data(script(wordsOf(program, { kind: kinds.map(({ slug }) => slug) })).trimEnd());
  return exitCodes.done;
}
