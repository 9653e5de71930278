import { expect, test } from "vitest";
import { schedules, schedulesWithParts } from "./random-schedules.ts";
import { runSchedules } from "./schedules.ts";

// More of them: npm run soak. One again: npm run soak -- --only schedules --seed SEED --path PATH
test.each([
  { name: "schedules", drawn: schedules, count: 3, acts: true },
  { name: "parts", drawn: schedulesWithParts, count: 1, acts: false },
])(
  "seeded schedules of faults end in the same state as without faults ($name)",
  async ({ name, drawn, count, acts }) => {
    // A seed without answers that take longer than a client waits.
    const figures = await runSchedules({ count, seed: 202 }, undefined, drawn);
    console.log(`${name}:`, figures);
    expect(figures.schedules).toBe(count);
    expect(figures.faults).toBeGreaterThan(count);
    expect(figures.deeds > 0).toBe(acts);
  },
);
