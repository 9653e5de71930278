import type { Mistake } from "../../source/mistake.ts";

export const durationPattern = "^(?!0+\\D)[0-9]{1,7} ?(?:s|m|min|h|d|w)$";

/** The grammar of durations in documents, settings and flags. */
export const durationAdvice = "write a whole number and a unit (s, m, h, d or w), such as 90s, 12h or 3d";

const units: Record<string, number> = {
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Milliseconds of `90s`, `5 min` or `3d`; undefined for any other text. */
export function durationOf(text: string): number | undefined {
  const [, amount, unit = ""] = /^(\d{1,7}) ?([a-z]+)$/.exec(text) ?? [];
  const milliseconds = Object.hasOwn(units, unit) ? units[unit] : undefined;
  return milliseconds === undefined ? undefined : Number(amount) * milliseconds;
}

/** The mistake of a text that is not a duration above zero. */
export function durationMistake(text: string): Mistake | undefined {
  return durationOf(text) ? undefined : { message: "is not a duration", advice: durationAdvice };
}
