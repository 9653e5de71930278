import { expect, test } from "vitest";
import { path, type SharedReads } from "../../../core/api/index.ts";
import { createClient } from "../../../core/index.ts";
import { RateBudget, SharedRefreshes, TokenUsers } from "../../../reconciler/watch/index.ts";
import { waitFor } from "../../../reconciler/service/service.ts";
import { job, shop } from "../../fixtures/manifests.ts";
import { startBench, startTimedBench, type TestClock } from "../fixture.ts";
import { inWords } from "../cycle-words.ts";

const minute = 60_000;
const hour = 60 * minute;

/** A project with an environment, and jobs in it. */
const documents = (team: number, cpu: number) =>
  `kind: Project\nname: team-${team}\n---\nkind: Environment\nproject: team-${team}\nname: live\nmode: STAGING\n` +
  ["a", "b", "c"].map((name) => job(name, `cpu: ${cpu}`, `team-${team}/live`)).join("");

/** Processes whose sources have the same token and organization: each knows what the others have read, and what they have spent. */
function processesWith(clock: TestClock, count: number) {
  const answers = new Map<string, { started: number; answer: unknown }>();
  const reads: SharedReads = {
    async find(request, since) {
      const known = answers.get(request);
      return known && known.started >= since ? known : undefined;
    },
    keep: (request, started, answer) => void answers.set(request, { started, answer }),
    giveUp: () => undefined,
  };
  const processes = Array.from({ length: count }, () => ({
    tokenUsers: new TokenUsers(clock),
    refreshes: new SharedRefreshes(clock, count > 1 ? reads : undefined),
  }));
  for (const own of processes)
    own.tokenUsers.elsewhere = (purpose) =>
      processes
        .filter((each) => each !== own)
        .flatMap(({ tokenUsers }) => [...tokenUsers[purpose].windows].map(({ spent }) => spent));
  return processes;
}

/** New sources of one token and organization, which look when a service would. @param processes how many share the sources */
async function startSources(count: number, rateLimit: number, processes = 1) {
  const bench = await startBench(
    {},
    "admin",
    { onDrift: "apply" },
    { clock: "frozen", behaviour: { rate_limit: rateLimit } },
  );
  const { server, repository, clock } = bench;
  const advance = async (milliseconds: number) => {
    clock.advance(milliseconds);
    await server.api("POST", "/_emulator/clock", { advance_ms: milliseconds });
  };
  // Looks begin with intervals of the clock, so the test begins with an hour.
  await advance(hour - (clock.now() % hour));
  const shared = processesWith(clock, processes);
  const { url: baseUrl, tokens } = server.emulator;
  const commit = (team: number, cpu: number) =>
    void repository.push({ [`team-${team}/all.yaml`]: documents(team, cpu) });
  const sources = Array.from({ length: count }, (_, team) => {
    commit(team, 500);
    const { tokenUsers, refreshes } = shared[team % processes] ?? expect.fail("no process");
    const client = createClient(
      { baseUrl, token: tokens.admin, onQuota: "fail", beforeWrite: async () => refreshes.wrote() },
      clock,
    );
    const rateBudget = new RateBudget({ clock, interval: minute, tokenUsers });
    const reconciler = bench.restart(`data-${team}`, `team-${team}`, {
      clients: () => Promise.resolve({ checking: client, refreshes }),
      rateBudget,
    });
    return { reconciler, rateBudget, next: 0, failures: 0, state: "", looked: clock.now() };
  });
  /** A minute passes. @returns milliseconds since the oldest look that has not failed */
  const pass = async () => {
    await advance(minute);
    for (const source of sources) {
      if (clock.now() < source.next) continue;
      source.state = await source.reconciler.cycle().then(
        (cycle) => inWords(cycle).type,
        () => "failed",
      );
      const isFailed = source.state === "failed";
      source.failures = isFailed ? source.failures + 1 : 0;
      if (!isFailed) source.looked = clock.now();
      const rested = clock.now() + waitFor(minute, source.failures, 2 * minute);
      source.next = Math.max(rested, source.rateBudget.nextLiveRead);
    }
    return clock.now() - Math.min(...sources.map(({ looked }) => looked));
  };
  /** Minutes pass until all sources are in step. @returns how many; Infinity when they are not within three windows */
  const minutesUntilInStep = async () => {
    for (const source of sources) source.state = "";
    for (let passed = 0; passed < 3 * 60; passed += 1) {
      await pass();
      if (sources.every(({ state }) => state === "synced")) return passed;
    }
    return Infinity;
  };
  return { server, commit, pass, minutesUntilInStep };
}

test.each([
  [4, 140],
  [6, 200],
  [8, 240],
])(
  "%i new sources of a token of %i requests are synced within three windows, and so are their next commits",
  async (count, rateLimit) => {
    const { commit, minutesUntilInStep } = await startSources(count, rateLimit);
    expect(await minutesUntilInStep()).toBeLessThan(Infinity);
    for (let team = 0; team < count; team += 1) commit(team, 700);
    expect(await minutesUntilInStep()).toBeLessThan(Infinity);
  },
);

test.each([1, 3])(
  "each of six sources in %i processes is looked at every few minutes of a quiet hour, within the share",
  async (processes) => {
    const { server, pass, minutesUntilInStep } = await startSources(6, 300, processes);
    await minutesUntilInStep();
    await server.forgetRequests();
    let oldest = 0;
    for (let passed = 0; passed < 120; passed += 1) oldest = Math.max(oldest, await pass());
    expect(oldest / minute).toBeLessThanOrEqual(10);
    expect((await server.seen()).length).toBeLessThanOrEqual(3 * 60);
  },
);

test("a source whose shares are spent before it has read anything says so, with a prune too, and its cycle does not fail", async () => {
  const bench = await startBench(
    { prune: true },
    "admin",
    {},
    { clock: "frozen", behaviour: { rate_limit: 140 } },
  );
  const { server, repository, clock } = bench;
  repository.push({
    "infra/all.yaml": documents(1, 500).replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }"),
  });
  const client = createClient(
    { baseUrl: server.emulator.url, token: server.emulator.tokens.admin, onQuota: "fail" },
    clock,
  );
  await client.list(path`/organization`);
  const rateBudget = new RateBudget({ clock, interval: minute });
  rateBudget.pay(1000, client.budget);
  rateBudget.applied(1000, client.budget);
  const reconciler = bench.restart("data", "infra", {
    clients: () => Promise.resolve({ checking: client }),
    rateBudget,
  });
  const { type, environments = [] } = inWords(await reconciler.cycle());
  expect(type).toBe("partly");
  expect(environments.map(({ state }) => state)).toEqual(["unread", "unread"]);
});

test.each([
  { rateLimit: 60, count: 3, isNew: false },
  { rateLimit: 100, count: 15, isNew: false },
  // An event of the organization, just before the first look, puts everything in doubt.
  { rateLimit: 100, count: 8, isNew: true },
])(
  "of $rateLimit requests, the share for applying pays for the reads of a commit of one field: all is synced 20 s later",
  async ({ rateLimit, count, isNew }) => {
    const { bench, pass } = await startTimedBench(rateLimit);
    const commit = (cpu: number) =>
      bench.repository.push({
        "infra/shop.yaml": shop,
        "infra/jobs.yaml": Array.from({ length: count }, (_, index) =>
          job(`j${index}`, `cpu: ${index === 0 ? cpu : 500}\nvariables: { A: one }`),
        ).join(""),
      });
    const seen: string[] = [];
    const refresh = async (seconds: number) => {
      await pass(seconds * 1000);
      const { end } = await bench.cycle();
      seen.push([end.type, ...(end.environments ?? []).map(({ state }) => state)].join(" "));
    };
    commit(500);
    await refresh(isNew ? 0 : 60);
    const synced = "synced synced synced";
    while (seen.at(-1) !== synced && seen.length < 10) await refresh(600);
    const started = seen.length;
    for (const cpu of [600, 700, 800]) {
      commit(cpu);
      await refresh(20);
      await refresh(20);
    }
    expect(seen.slice(started)).toEqual(
      Array.from({ length: 3 }, () => ["applied synced synced", synced]).flat(),
    );
    const { checking, applying } = bench.rateBudget.view() ?? expect.fail("no quota");
    expect(checking.spent + applying.spent).toBeLessThanOrEqual(0.8 * rateLimit);
  },
);
