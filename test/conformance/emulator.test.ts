import { expect, onTestFinished, test } from "vitest";
import { startProxy } from "./proxy.ts";
import { runEverything } from "../emulator/run-everything.ts";

test("all requests and responses of the emulator match the shapes of the API", async () => {
  let proxy: Awaited<ReturnType<typeof startProxy>> | undefined;
  const { journal, further } = await runEverything(async (url) => {
    proxy = await startProxy(url);
    onTestFinished(proxy.stop);
    return proxy.url;
  });
  expect(proxy?.findings).toEqual({
    checked: journal.requests.length - further,
    uncovered: [],
    violations: [],
  });
});
