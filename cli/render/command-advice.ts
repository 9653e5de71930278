import type { CommandLineFlag } from "../terminal/typed-command.ts";
import { shellLine } from "./consent-flags.ts";

/** A sentence, and below it the commands that it is about, each on a line of its own: so it can be copied. */
export function advised(sentence: string, ...commands: readonly (readonly string[])[]): string {
  return [sentence, ...commands.map((words) => `  ${shellLine(["infrasync", ...words])}`)].join("\n");
}

export function wordsOfFlags(flags: readonly CommandLineFlag[] = []): string[] {
  return flags.flatMap(({ name, value }) =>
    value === true ? [name] : [value].flat().flatMap((one) => [name, String(one)]),
  );
}
