import { expect, test } from "vitest";
import { noDays, runDay } from "./reconciler-days.ts";

// More of them, of 24 hours each: npm run soak -- --only days. One again: npm run soak -- --only days --days 1 --seed SEED
test("after simulated hours of pushes, drift and faults all is in step, nothing is lost, and the shares are kept", async () => {
  const figures = noDays();
  await runDay(1, figures, 6);
  console.log("simulated days:", figures);
  expect(figures.days).toBe(1);
  expect(figures.faults + figures.failed).toBeGreaterThan(2);
});
