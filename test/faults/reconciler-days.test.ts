import { expect, test } from "vitest";
import { seed, tries } from "../fixtures/random-cases.ts";
import { noDays, runDay } from "./reconciler-days.ts";

test("after simulated hours of pushes, drift and faults all is synced, nothing is lost, and the shares are kept", async () => {
  const figures = noDays();
  const days = tries(1);
  for (let day = 0; day < days; day += 1) await runDay(seed + day, figures, 6);
  console.log("simulated days:", figures);
  expect(figures.days).toBe(days);
  expect(figures.faults + figures.failed).toBeGreaterThan(2);
});
