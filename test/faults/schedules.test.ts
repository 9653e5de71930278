import { expect, test } from "vitest";
import { seed, tries } from "../fixtures/random-cases.ts";
import { schedules, schedulesWithParts } from "./random-schedules.ts";
import { runSchedules } from "./schedules.ts";

test.each([
  { name: "schedules", drawn: schedules, count: tries(3), acts: true },
  { name: "parts", drawn: schedulesWithParts, count: tries(1), acts: false },
])(
  "seeded schedules of faults end in the same state as without faults ($name)",
  async ({ name, drawn, count, acts }) => {
    // A seed without answers that take longer than a client waits.
    const figures = await runSchedules({ count, seed: seed + 203 }, drawn);
    console.log(`${name}:`, figures);
    expect(figures.schedules).toBe(count);
    expect(figures.faults).toBeGreaterThan(count);
    // Of few schedules with parts, none has an act of a person; of many, some have.
    if (acts) expect(figures.operations).toBeGreaterThan(0);
  },
);
