import { advised, wordsOfFlags } from "./command-advice.ts";
import { fitted } from "./width.ts";
import type { Console } from "../terminal/console.ts";

/** Notes a sentence, and below it commands that can be copied. */
export function advise(
  console: Console,
  sentence: string,
  ...commands: readonly (readonly string[])[]
): void {
  console.note(fitted(advised(sentence, ...commands), console.noteWidth));
}

/** The flags of the run that lead to the same server, for a command that follows it. */
export function connectionFlags({ typed }: Console): string[] {
  return wordsOfFlags(typed?.flags.filter(({ group }) => group === "Connection:"));
}
