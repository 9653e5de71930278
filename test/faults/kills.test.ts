import { expect, test } from "vitest";
import { grid } from "./kill-scenario.ts";
import { boundariesOf, runBoundaries, runKills } from "./kills.ts";

// More of them: npm run soak. One again: npm run soak -- --only kills --seed SEED --path PATH
test("after random kills of real processes, with or without faults, the next run reaches the wanted state", async () => {
  const figures = await runKills({ count: 1, seed: 6 });
  console.log("schedules of kills:", figures);
  expect(figures.schedules).toBe(1);
  expect(figures.kills).toBeGreaterThan(0);
});

test("after kill -9 at a boundary of a request of an apply with 20 resources and two clones, the next run reaches the wanted state", async () => {
  const boundaries = await boundariesOf(grid);
  // One at the start, and one at the end. All of them: npm run soak.
  const some = boundaries.filter((_, index) => index % 116 === 6);
  const figures = await runBoundaries(grid, some);
  console.log(`kills at ${some.length} of ${boundaries.length} boundaries:`, figures);
  expect(figures.schedules).toBe(some.length);
  expect(figures.kills).toBe(some.length);
});
