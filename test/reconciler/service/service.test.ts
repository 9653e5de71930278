import { expect, test } from "vitest";
import { createClient } from "../../../core/api/index.ts";
import { QuotaError } from "../../../core/index.ts";
import { refusal } from "../../../core/problems/problem.ts";
import { withAdvice } from "../../../cli/render/remedies.ts";
import type { CycleResult } from "../../../reconciler/journal/index.ts";
import { GitError } from "../../../adapters/git/index.ts";
import { serve, waitFor } from "../../../reconciler/service/service.ts";
import { json, serveReplies } from "../../fixtures/http-server.ts";
import { TestClock } from "../fixture.ts";
import { Journal } from "../../../reconciler/journal/index.ts";
import type { Change } from "../../../reconciler/decide/index.ts";
import { endWith, environmentState } from "../show/page-fixture.ts";

const synced: CycleResult = { ...endWith(environmentState("a/b", "synced")), commit: "c1" };

/** Runs a service whose cycles end as given; it is stopped after the last one. `times`: when they begin, in seconds. */
async function served(
  ends: readonly (CycleResult | Error | ((clock: TestClock) => Error | Promise<CycleResult>))[],
  hasNews: (cycles: number) => boolean = () => false,
  more: Partial<Parameters<typeof serve>[0]> = {},
) {
  const clock = new TestClock();
  const stop = new AbortController();
  const started = clock.now();
  const times: number[] = [];
  const lines: { level: string; message: string; [field: string]: unknown }[] = [];
  const at = (level: string) => (fields: Record<string, unknown>, message: string) =>
    void lines.push({ level, message, ...fields });
  const log = { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
  let cycles = 0;
  await serve({
    reconciler: {
      async hasNews() {
        await Promise.resolve();
        return hasNews(times.length);
      },
      async cycle() {
        times.push((clock.now() - started) / 1000);
        const end = ends[cycles];
        cycles += 1;
        if (cycles === ends.length) stop.abort("SIGTERM");
        await Promise.resolve();
        const ended = typeof end === "function" ? await end(clock) : end;
        if (ended === undefined || ended instanceof Error) throw ended ?? new Error("no more cycles");
        return ended;
      },
    },
    interval: 60_000,
    log,
    clock,
    signal: stop.signal,
    describe: withAdvice,
    journal: new Journal({ clock, log, describe: withAdvice }),
    ...more,
  });
  return { lines, times };
}

test("unchanged states are logged at debug, and changes at info", async () => {
  const changes: Change[] = [{ action: "update", cause: "drift", address: "job:a/b/c", fields: ["cpu"] }];
  const drift = { ...endWith(environmentState("a/b", "drift", { changes })), commit: "c1" };
  const { lines, times } = await served([synced, { ...synced, spent: 9 }, drift, drift, synced]);
  expect(lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
    "info a/b is synced",
    "debug all environments are compared with c1",
    "info the commit is applied in 1 environment",
    "debug the commit is applied in 1 environment",
    "info a/b has drift (was synced): job:a/b/c",
    "debug the commit is applied in 1 environment",
    "debug the commit is applied in 1 environment",
    "info a/b is synced (was drift)",
    "debug the commit is applied in 1 environment",
    "info stopped",
  ]);
  expect(lines[3]).toMatchObject({ commit: "c1", requests: 9 });
  expect(times).toEqual([0, 60, 120, 180, 240]);
});

test("the log says once why live resources are read less often than each interval", async () => {
  const { lines } = await served([synced, synced, synced], () => false, {
    rateBudget: { reasonForInterval: "every 56 s" },
  });
  expect(lines.filter(({ message }) => message === "every 56 s")).toHaveLength(1);
});

test("an unreadable repository causes one warning, and one message when it can be read again", async () => {
  const gone = new GitError("unreachable", "the repository cannot be read", "check the network");
  const away: CycleResult = { ...synced, repositoryFailure: gone };
  const { lines } = await served([synced, away, away, synced]);
  const about = lines.filter(({ message }) => message.startsWith("the repository"));
  expect(about.map(({ level, message }) => `${level} ${message}`)).toEqual([
    "info the repository could not be read; trying again: the repository cannot be read; check the network",
    "info the repository can be read again",
  ]);
});

test("a read of the repository that the end of the service interrupts is not reported as a failure", async () => {
  const stop = new AbortController();
  const clock = new TestClock();
  const more = { signal: stop.signal, clock, rateBudget: { nextLiveRead: clock.now() + 3_600_000 } };
  const interrupt = () => {
    stop.abort("SIGINT");
    throw new GitError("interrupted", "interrupted", "run again to continue");
  };
  const { lines } = await served([synced, synced], interrupt, more);
  expect(lines.map(({ message }) => message).filter((message) => message.includes("repository"))).toEqual([]);
  expect(lines.at(-1)).toMatchObject({ message: "stopped", signal: "SIGINT" });
});

test("no error ends the service: it tries again within two minutes, and says why", async () => {
  const gone = new GitError("unreachable", "the repository cannot be read", "check the network");
  const { lines, times } = await served([gone, gone, new Error("surprise"), synced, synced]);
  expect(times).toEqual([0, 120, 240, 360, 420]);
  expect(lines[0]).toMatchObject({
    level: "error",
    message: "one cycle has failed, and all states stay: the repository cannot be read; check the network",
    code: "repository",
    reason: "the repository cannot be read; check the network",
  });
  expect(lines.map(({ message }) => message)).toContain("a/b is synced");
});

test("a file that could not be read is read again soon, however long the interval is", async () => {
  const unread = refusal("unreadable", "state.json cannot be read");
  const interval = 3_600_000;
  const { times } = await served([unread, unread, unread, synced], () => false, { interval });
  expect(times).toEqual([0, 60, 180, 300]);
});

test("the log shows an error of the system without its stack", async () => {
  const full = Object.assign(new Error("ENOSPC: no space left on device, write 'state.json'"), {
    code: "ENOSPC",
    syscall: "write",
  });
  const { lines } = await served([full, synced]);
  expect(lines[0]).toMatchObject({ code: "failed", reason: full.message });
});

test("a service whose token has no quota left waits for its reset", async () => {
  const { times } = await served([
    (clock) =>
      new QuotaError("used up", {
        method: "GET",
        path: "/organization",
        resetAt: new Date(clock.now() + 3_000_000),
      }),
    synced,
  ]);
  expect(times).toEqual([0, 3000]);
});

test("a service goes on by itself after 429 that name no time, and says why it has waited", async () => {
  // The server answers that 980 of 1000 requests are left until the end of the hour.
  const limited = json(
    429,
    {},
    {
      "x-ratelimit-limit": "1000",
      "x-ratelimit-remaining": "980",
      "x-ratelimit-reset": String(Math.floor(Date.now() / 1000) + 3000),
    },
  );
  const { url, received } = await serveReplies(...Array.from({ length: 7 }, () => limited), json(200, {}));
  let client: ReturnType<typeof createClient> | undefined;
  const cycle = async (clock: TestClock): Promise<CycleResult> => {
    client ??= createClient({ baseUrl: url, token: "t", onQuota: "fail", quotaPatience: 30_000 }, clock);
    await client.get("/organization");
    return synced;
  };
  const { lines, times } = await served([cycle, cycle, cycle, cycle]);
  expect(received).toHaveLength(9);
  expect(times.map(Math.floor)).toEqual([0, 150, 270, 330]);
  expect(lines.filter(({ level }) => level === "error")).toMatchObject([
    { code: "rate_limited", reason: expect.stringContaining("(429, for ") as string },
    { code: "rate_limited" },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/used up|until \d/);
});

test("a new commit does not wait behind the next try of what has failed", async () => {
  const surprise = new Error("surprise");
  const { times } = await served([surprise, surprise, surprise, synced], (cycles) => cycles === 3);
  expect(times).toEqual([0, 120, 240, 300]);
});

test.each([
  [60_000, 0, 0, 60_000],
  [60_000, 1, 0, 120_000],
  [60_000, 3, 0, 480_000],
  [60_000, 4, 0, 900_000],
  [60_000, 1000, 0, 900_000],
  [3_600_000, 5, 0, 3_600_000],
  [60_000, 1, -5, 120_000],
  [60_000, 1, 500_000, 500_000],
])(
  "an interval of %i ms and %i failures, %i ms before the reset: waits %i ms",
  (interval, failures, reset, wait) => {
    expect(waitFor(interval, failures, 900_000, reset)).toBe(wait);
  },
);
