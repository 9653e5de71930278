import { expect, test } from "vitest";
import { isSoak } from "../fixtures/fault-kinds.ts";
import { seed, tries } from "../fixtures/random-cases.ts";
import { grid } from "./kill-scenario.ts";
import { boundariesOf, runBoundaries, runKills } from "./kills.ts";

test("after random kills of real processes, with or without faults, the next run reaches the wanted state", async () => {
  const count = tries(1);
  const figures = await runKills({ count, seed: seed + 5 });
  console.log("schedules of kills:", figures);
  expect(figures.schedules).toBe(count);
  expect(figures.kills).toBeGreaterThan(0);
});

test("after kill -9 at a boundary of a request of an apply with 20 resources and two clones, the next run reaches the wanted state", async () => {
  const boundaries = await boundariesOf(grid);
  // One at the start, and one at the end.
  const some = boundaries.filter((_, index) => isSoak || index % 116 === 6);
  const figures = await runBoundaries(grid, some);
  console.log(`kills at ${some.length} of ${boundaries.length} boundaries:`, figures);
  expect(figures.schedules).toBe(some.length);
  expect(figures.kills).toBe(some.length);
});
