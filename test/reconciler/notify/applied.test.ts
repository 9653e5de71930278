import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "../../../core/api/index.ts";
import { withAdvice } from "../../../cli/render/remedies.ts";
import { Journal } from "../../../reconciler/journal/index.ts";
import { Notifier } from "../../../reconciler/notify/index.ts";
import type { ReconcilerSettings } from "../../../reconciler/service/cycle.ts";
import { fastClock } from "../../fixtures/fast-clock.ts";
import { job, shop } from "../../fixtures/manifests.ts";
import { type Bench, startBench } from "../fixture.ts";

const pruning = shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }");

interface AppliedEntry {
  type: string;
  at: string;
  commit: string;
  environment: string;
  changes: object[];
}

/** A process with a data folder: a reconciler, and a notifier whose receiver is away. */
function startProcess(bench: Bench, data: string, own: Partial<ReconcilerSettings> = {}) {
  const file = join(bench.repository.folder, data, "notified.json");
  const log = { debug() {}, info() {}, error() {}, warn() {} };
  const folder = join(bench.repository.folder, data);
  const journal = new Journal({ folder, clock: systemClock, log, describe: withAdvice });
  const notifier = new Notifier({
    clock: systemClock,
    journal,
    source: { repository: "https://git.example.com/acme/infra.git", branch: "main", path: "infra" },
    routes: [{ name: "first", format: "json", destination: () => Promise.resolve(undefined) }],
    file,
    log,
  });
  const opened = journal.open().then(() => notifier.open());
  const begins: NonNullable<ReconcilerSettings["watch"]> = {
    async applying(plan, of) {
      await opened;
      await journal.begins(plan, of);
    },
  };
  const start = (watch = begins) => bench.restart(data, "infra", { ...own, watch });
  let reconciler = start();
  return {
    over: () => reconciler.over(),
    /** One cycle to its end. Gives the commits that were told as applied so far, with the changes of each environment. */
    async cycle() {
      await opened;
      await journal.ended(await reconciler.cycle());
      const { waiting = [] } = JSON.parse(await readFile(file, "utf8")) as {
        waiting?: { message: string }[];
      };
      await notifier.close(0);
      const news = waiting.flatMap(
        ({ message }) => (JSON.parse(message) as { events: AppliedEntry[] }).events,
      );
      const byCommit = Map.groupBy(
        news.filter(({ type }) => type === "applied"),
        ({ commit, at }) => `${at} ${commit}`,
      );
      return [...byCommit.values()].map((its) => [
        its[0]?.commit,
        Object.fromEntries(its.map(({ environment, changes }) => [environment, changes.length])),
      ]);
    },
    /** Begins to write, and is killed when the cycle has written what it could. Gives the data folder as it was left. */
    async killed() {
      const left = `${data} after a kill`;
      reconciler = start({
        async applying(plan, of) {
          await begins.applying(plan, of);
          await cp(join(bench.repository.folder, data), join(bench.repository.folder, left), {
            recursive: true,
          });
        },
      });
      await reconciler.cycle();
      await notifier.close(0);
      return left;
    },
  };
}

const killed = (bench: Bench, data = "data") => startProcess(bench, data).killed();

test("what was written before a kill is told by the next process, once", async () => {
  const bench = await startBench();
  const commit = bench.repository.push({ "infra/shop.yaml": shop, "infra/a.yaml": job("a") });
  const left = await killed(bench);
  const reported = [[commit, { shop: 1, "shop/staging": 2 }]];
  expect(await startProcess(bench, left).cycle()).toEqual(reported);
  expect(await startProcess(bench, left).cycle()).toEqual(reported);
});

test("after a kill, a job that is live as its document declares is applied but for its deployment: another change is drift", async () => {
  const bench = await startBench({ deploy: true });
  const { repository, server } = bench;
  repository.push({ "infra/shop.yaml": shop + job("a", "memory: 512") + job("b") });
  const refused = { method: "POST", path: "/environment/*/service/deploy", status: 403, times: 2 };
  await server.api("POST", "/_emulator/faults", [refused]);
  const left = await killed(bench);
  const next = startProcess(bench, left);
  await next.cycle();
  await server.reconcile(shop + job("a", "memory: 640") + job("b"));
  repository.push({ "infra/shop.yaml": shop + job("a", "memory: 512") + job("b", "cpu: 750") });
  await next.cycle();
  const live = await server.everything();
  expect(live.get("shop/staging/JOB a")).toMatchObject({ memory: 640 });
  expect(live.get("shop/staging/JOB b")).toMatchObject({ cpu: 750 });
});

test("of a commit that was written in part before a kill, each change is told once: what was written, and then the rest", async () => {
  const bench = await startBench();
  const { repository, server } = bench;
  repository.push({ "infra/shop.yaml": shop });
  await bench.cycle();
  const first = repository.push({ "infra/a.yaml": job("a"), "infra/b.yaml": job("b") });
  await server.api("POST", "/_emulator/faults", [
    { method: "POST", path: "/environment/*/job", status: 400, after: 1, times: 1 },
  ]);
  const left = await killed(bench);
  expect(await startProcess(bench, left).cycle()).toEqual([[first, { "shop/staging": 2 }]]);

  // The next commit comes while no process runs: each commit is told with its own changes.
  const second = repository.push({ "infra/c.yaml": job("c") });
  const again = await killed(bench, left);
  const third = repository.push({ "infra/d.yaml": job("d") });
  expect((await startProcess(bench, again).cycle()).slice(1)).toEqual([
    [second, { "shop/staging": 1 }],
    [third, { "shop/staging": 1 }],
  ]);
});

test("what was not written before a kill, and what the next commit does not want, is not told", async () => {
  const bench = await startBench({ prune: true });
  const { repository, server } = bench;
  repository.push({
    "infra/shop.yaml": pruning,
    "infra/a.yaml": job("a", "cpu: 250"),
    "infra/b.yaml": job("b"),
  });
  await bench.cycle();
  repository.push({ "infra/a.yaml": job("a", "cpu: 500"), "infra/b.yaml": undefined });
  await server.api("POST", "/_emulator/faults", [
    { method: "PUT", path: "/job/*", status: 400, times: 1 },
    { method: "DELETE", path: "/job/*", status: 400, times: 1 },
  ]);
  const left = await killed(bench);
  repository.push({ "infra/a.yaml": job("a", "cpu: 250"), "infra/b.yaml": job("b") });
  expect(await startProcess(bench, left).cycle()).toEqual([]);
});

test("a deletion before a kill is told, and one that was not made is told when it is", async () => {
  const bench = await startBench({ prune: true });
  const { repository, server } = bench;
  repository.push({ "infra/shop.yaml": pruning, "infra/a.yaml": job("a"), "infra/b.yaml": job("b") });
  await bench.cycle();
  const commit = repository.push({ "infra/a.yaml": undefined, "infra/b.yaml": undefined });
  await server.api("POST", "/_emulator/faults", [
    { method: "DELETE", path: "/job/*", status: 400, after: 1, times: 2 },
  ]);
  const left = await killed(bench);
  expect(await startProcess(bench, left).cycle()).toEqual([[commit, { "shop/staging": 1 }]]);
  expect(await startProcess(bench, left).cycle()).toEqual([
    [commit, { "shop/staging": 1 }],
    [commit, { "shop/staging": 1 }],
  ]);
});

test("drift that was set back before a kill is told by the next process", async () => {
  const bench = await startBench({}, "admin", { onDrift: "apply" });
  const { repository, server } = bench;
  repository.push({ "infra/shop.yaml": shop, "infra/a.yaml": job("a", "cpu: 250") });
  await bench.cycle();
  await server.reconcile(shop + job("a", "cpu: 500"));
  const left = await killed(bench);
  await startProcess(bench, left).cycle();
  const reported = await readFile(join(repository.folder, left, "notified.json"), "utf8");
  const changes = [{ action: "update", address: "job:shop/staging/a" }];
  expect(reported).toContain(JSON.stringify(JSON.stringify({ changes })).slice(3, -3));
});

test("what the server finishes after the end of a cycle is told by a later one", async () => {
  const bench = await startBench({}, "admin", {}, { behaviour: { clone_delay_ms: 3_600_000 } });
  const { repository, server } = bench;
  const own = {
    clock: fastClock(),
    longestWait: 1_000,
    run: { limits: { clone: 1e9, deletion: 1e9, busy: 1e9 } },
  };
  const service = startProcess(bench, "data", own);
  const first = repository.push({ "infra/shop.yaml": shop, "infra/a.yaml": job("a") });
  const before = [[first, { shop: 1, "shop/staging": 2 }]];
  expect(await service.cycle()).toEqual(before);
  const copy = "kind: Environment\nproject: shop\nname: copy\nmode: PREVIEW\nclone: { from: shop/staging }\n";
  const second = repository.push({ "infra/copy.yaml": copy });
  expect(await service.cycle()).toEqual(before);
  expect(await service.cycle()).toEqual(before);
  await server.api("POST", "/_emulator/clock", { advance_ms: 3_600_000 });
  await service.over();
  expect(await service.cycle()).toEqual([...before, [second, { "shop/copy": 1 }]]);
});
