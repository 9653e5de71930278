import { expect, test } from "vitest";
import { runEverything, untried } from "./run-everything.ts";

test("every operation of the emulator succeeds", async () => {
  const { journal } = await runEverything(async (url) => url);
  expect(untried(journal)).toEqual([]);
});
