import { expect, onTestFinished, test } from "vitest";
import { createEmulator } from "../../emulator/index.ts";
import { routes } from "../../emulator/http/routes.ts";
import { Client } from "../fixtures/client.ts";
import { everyOperation } from "./every-operation.ts";
import { proxies } from "./proxy.ts";
import type { Report } from "./proxy.ts";

interface Journal {
  requests: { method: string; path: string; status: number }[];
}

/** The operations of the routes without a successful request. */
function untried({ requests }: Journal): string[] {
  const done = requests.filter(({ status }) => status < 300);
  return routes
    .filter(({ method, path }) => {
      // A literal part of another operation's path is not an id.
      const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]*[0-9][^/]*")}$`);
      return !done.some((request) => request.method === method && pattern.test(request.path));
    })
    .map(({ method, path }) => `${method} ${path}`);
}

async function runEverything(clientUrl: (url: string) => Promise<string>): Promise<Journal> {
  const emulator = await createEmulator({ rateLimit: 0, clock: "frozen" });
  onTestFinished(() => emulator.close());
  const control = new Client(emulator.url, "none");
  const client = new Client(await clientUrl(emulator.url), emulator.tokens.admin);
  const direct = new Client(emulator.url, emulator.tokens.admin);
  await everyOperation(client, direct, async () => {
    await control.post("/_emulator/clock", { advance_ms: 10_000 });
  });
  return control.get<Journal>("/_emulator/requests");
}

test("every operation of the emulator succeeds", async () => {
  expect(untried(await runEverything(async (url) => url))).toEqual([]);
});

if (proxies.length === 0) {
  console.log(
    "conformance: without ../shared there is no interface description to hold the emulator against",
  );
}

test.for(proxies)("all requests and responses match the API description", async (startProxy) => {
  let report: (() => Promise<Report>) | undefined;
  const journal = await runEverything(async (url) => {
    const proxy = await startProxy(url);
    onTestFinished(proxy.stop);
    ({ report } = proxy);
    return proxy.url;
  });
  const found = await report?.();
  expect(found?.violations).toEqual([]);
  expect(found?.uncovered).toEqual([]);
  expect(found?.checked).toBe(journal.requests.length - 1); // one request is sent without the checker
});
