import { exitCodes } from "../exit-codes.ts";
import type { Command } from "./command.ts";
import { kinds } from "../../core/model/kinds/index.ts";
import { bashScript } from "./completion/bash.ts";
import { fishScript } from "./completion/fish.ts";
import { wordsOf } from "./completion/words.ts";
import { zshScript } from "./completion/zsh.ts";

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** `infrasync completion`: prints a script that completes commands, arguments and flags in a shell. */
export const completion: Command<[shell: keyof typeof scripts], object> = {
  async run({ args: [shell], console, whole }) {
    const clonable = kinds.filter(({ clone }) => clone).map(({ slug }) => slug);
    console.data(scripts[shell](wordsOf(await whole(), { kind: clonable })).trimEnd());
    return exitCodes.done;
  },
};
