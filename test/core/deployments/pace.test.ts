import { expect, test } from "vitest";
import { pauseBefore } from "../../../core/deployments/index.ts";

const now = Date.parse("2026-01-01T00:00:00Z");
const budget = (remaining: number, seconds: number) => ({
  remaining,
  resetAt: new Date(now + seconds * 1000),
});

test.for([
  ["the first look comes soon", 0, 1, {}, 2_000],
  ["later looks come further apart", 4, 1, {}, 7_683],
  ["never further than a minute", 40, 1, {}, 60_000],
  ["a full quota changes nothing", 0, 1, budget(1000, 3600), 2_000],
  ["nor does one that is reset at once", 0, 1, budget(4, 1), 2_000],
  [
    "the remaining quota is spread over the time until the reset: 10 reads of 40 requests",
    0,
    1,
    budget(40, 3600),
    360_000,
  ],
  ["and shared between those that are followed at the same time", 0, 5, budget(40, 3600), 1_800_000],
  ["one look is always left", 0, 1, budget(0, 600), 600_000],
] as const)("%s", ([, refreshes, together, left, pause]) => {
  expect(
    Math.round(pauseBefore(refreshes, together, { remaining: undefined, resetAt: undefined, ...left }, now)),
  ).toBe(pause);
});
