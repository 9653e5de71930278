import type { GivenFlag } from "../flags.ts";
import type { NextCommands } from "../render/awaiting.ts";

/** Flags of one run only, which the next command does not repeat. */
const onlyOnce = new Set(["--expect"]);

/** The words of the commands that can follow an apply: the same one again, and the flags that lead to the same server. */
export function nextCommands(sources: readonly string[], given: readonly GivenFlag[]): NextCommands {
  const wordsIn = (isWanted: (flag: GivenFlag) => boolean) => given.filter(isWanted).flatMap(wordsOf);
  return {
    again: ["apply", ...sources, ...wordsIn(({ name, group }) => group !== "Output:" && !onlyOnce.has(name))],
    connection: wordsIn(({ group }) => group === "Connection:"),
  };
}

function wordsOf({ name, value }: GivenFlag): string[] {
  return value === true ? [name] : [value].flat().flatMap((one) => [name, String(one)]);
}
