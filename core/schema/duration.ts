import type { Mistake } from "../source/mistake.ts";

/** A whole number above zero and its unit: minutes, hours, days or weeks. */
export const durationPattern = "^[1-9][0-9]{0,4}[mhdw]$";

const units: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Milliseconds of a duration such as `3d`; undefined for a text that is none. */
export function durationOf(text: string): number | undefined {
  if (!new RegExp(durationPattern).test(text)) return undefined;
  return Number(text.slice(0, -1)) * (units[text.slice(-1)] ?? 0);
}

/** The mistake of a text that is no duration. */
export function durationMistake(text: string): Mistake | undefined {
  return durationOf(text) === undefined
    ? {
        message: "is not a duration",
        advice: "write a whole number and a unit: 90m, 12h, 3d or 2w",
      }
    : undefined;
}
