import { expect, onTestFinished, test } from "vitest";
import { runEverything } from "../emulator/run-everything.ts";
import { type Report, startProxy } from "./proxy.ts";

test("all requests and responses of the emulator match the API description", async () => {
  let report: (() => Promise<Report>) | undefined;
  const { journal, unchecked, further } = await runEverything(async (url) => {
    const proxy = await startProxy(url);
    onTestFinished(proxy.stop);
    ({ report } = proxy);
    return proxy.url;
  });
  const found = await report?.();
  expect(found?.violations).toEqual([]);
  expect(found?.uncovered).toEqual([]);
  expect(found?.checked).toBe(journal.requests.length - unchecked - further);
  expect(unchecked).toBe(4);
});
