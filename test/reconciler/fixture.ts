import { onTestFinished } from "vitest";
import { type Client, createClient } from "../../core/index.ts";
import { type Bench, openBench } from "./bench.ts";

export { type Bench, TestClock } from "./bench.ts";

/** A bench whose server has a quota, and the clock of the test, which `pass` moves on. */
export async function startTimedBench(rateLimit: number): Promise<{
  bench: Bench;
  /** The client that looks. */
  checking: Client;
  pass(milliseconds: number): Promise<void>;
}> {
  const bench = await startBench(
    {},
    "admin",
    {},
    { clock: "frozen", behaviour: { rate_limit: rateLimit } },
    undefined,
    { clients: () => Promise.resolve({ checking }) },
  );
  const { url: baseUrl, tokens } = bench.server.emulator;
  const checking = createClient({ baseUrl, token: tokens.write, onQuota: "fail" }, bench.clock);
  return {
    bench,
    checking,
    async pass(milliseconds) {
      bench.clock.advance(milliseconds);
      await bench.server.api("POST", "/_emulator/clock", { advance_ms: milliseconds });
    },
  };
}

/** Starts a server and makes a repository; both end with the test. */
export async function startBench(...settings: Parameters<typeof openBench>): Promise<Bench> {
  const bench = await openBench(...settings);
  onTestFinished(() => bench[Symbol.asyncDispose]());
  return bench;
}
