import { expect, test } from "vitest";
import { durationMistake, durationOf, durationPattern } from "../../../../core/model/schema/duration.ts";

const hour = 3_600_000;

test.each([
  ["90s", hour / 40],
  ["5m", hour / 12],
  ["5 min", hour / 12],
  ["1h", hour],
  ["3d", 72 * hour],
  ["2 w", 336 * hour],
  ["0s", 0],
  ["3x", undefined],
  ["1.5h", undefined],
  ["-1d", undefined],
  ["12345678s", undefined],
  ["3 toString", undefined],
  ["", undefined],
])(
  "the duration %j has %j milliseconds, and an editor accepts it in a document if it is above zero",
  (text, expected) => {
    expect(durationOf(text)).toBe(expected);
    expect(new RegExp(durationPattern, "u").test(text)).toBe(Boolean(expected));
    expect(durationMistake(text) === undefined).toBe(Boolean(expected));
  },
);
