import { expect, test } from "vitest";
import { systemClock } from "../../../core/api/index.ts";

test("a sleep that is longer than the longest timer of Node does not end at once", async () => {
  const started = Date.now();
  await systemClock.sleep(2 ** 31, AbortSignal.timeout(50));
  expect(Date.now() - started).toBeGreaterThan(40);
});
