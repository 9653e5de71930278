import type { CommandLineFlag } from "../terminal/typed-command.ts";
import { shellLine } from "./consent-flags.ts";
import { fitted } from "./width.ts";
import type { Console } from "../terminal/console.ts";

/** A sentence, and below it the commands that it is about, each on a line of its own: so it can be copied. */
export function advised(sentence: string, ...commands: readonly (readonly string[])[]): string {
  return [sentence, ...commands.map((words) => `  ${shellLine(["infrasync", ...words])}`)].join("\n");
}

export function wordsOfFlags(flags: readonly CommandLineFlag[] = []): string[] {
  return flags.flatMap(({ name, value }) =>
    value === true ? [name] : [value].flat().flatMap((one) => [name, String(one)]),
  );
}

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
