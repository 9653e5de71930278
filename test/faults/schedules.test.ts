import { expect, test } from "vitest";
import { runSchedules } from "./schedules.ts";

// More of them: npm run soak. One again: npm run soak -- --only schedules --seed SEED --path PATH
test("seeded schedules of faults end in the same state as without faults", async () => {
  const figures = await runSchedules({ count: 20, seed: 6 });
  console.log("schedules of faults:", figures);
  expect(figures.schedules).toBe(20);
  expect(figures.faults).toBeGreaterThan(50);
}, 300_000);
