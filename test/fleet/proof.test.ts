import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { connect, renameFiles, SourceFiles } from "../../reconciler/database/index.ts";
import { useFixture } from "../cli/fixture.ts";
import { job } from "../fixtures/manifests.ts";
import { useFleet } from "./fleet.ts";
import { PgBouncer } from "./pgbouncer.ts";
import { aDatabase, aWorker } from "./worker.ts";
import { statusOf } from "./workers.ts";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";

const fixture = useFixture({ clock: "real", behaviour: { rate_limit: 0 } });
const fleet = useFleet(fixture);
const wait = { timeout: 60_000, interval: 200 };

const refusal = (work: () => Promise<unknown>) =>
  work().then(
    () => "",
    (error: unknown) => String(error),
  );

test.each([
  ["transaction", ""],
  ["transaction", "server_round_robin = 1"],
  ["transaction", "default_pool_size = 1"],
  ["statement", ""],
] as const)(
  "behind PgBouncer in %s mode (%s), no worker starts, and nothing is written",
  async (mode, more) => {
    await fleet.migrate();
    fleet.state(["one"]);
    await using pooler = await PgBouncer.start(fleet.postgres, mode, more);
    const started = [1, 2].map(() => refusal(() => fleet.start({ INFRASYNC_DATABASE: pooler.url })));
    for (const ended of await Promise.all(started))
      expect(ended).toContain("this is a pooler in transaction mode");
    expect(fleet.api.writes).toEqual([]);
  },
);

test("behind PgBouncer in session mode, two workers share the sources, and one of them applies a commit", async () => {
  await fleet.migrate();
  const names = ["one", "two", "three", "four"];
  const repositories = fleet.state(names);
  await using pooler = await PgBouncer.start(fleet.postgres, "session");
  const env = { INFRASYNC_DATABASE: pooler.url };
  const workers = [await fleet.start(env), await fleet.start(env)];
  const states = async () =>
    Promise.all(workers.map(async (worker) => (await statusOf(worker)).sources.map(({ state }) => state)));
  await expect.poll(states, wait).toEqual(workers.map(() => names.map(() => "synced")));
  await expect
    .poll(async () => new Set(await Promise.all(names.map((name) => fleet.ownerOf(name)))).size, wait)
    .toBe(2);
  for (const [name, repository] of repositories)
    repository.push({ "infra/b.yaml": job("b", "", `${name}/staging`) });
  const jobs = () => fleet.api.writes.filter(({ line }) => line.endsWith("/job")).length;
  await expect.poll(jobs, wait).toBe(names.length);
  await expect.poll(states, wait).toEqual(workers.map(() => names.map(() => "synced")));
  expect(jobs()).toBe(names.length);
});

test.each([
  ["its locks", "select pg_advisory_unlock_all()"],
  ["its token, as another session has none", "select set_config('infrasync.session', '', false)"],
  ["what it listens to", "unlisten infrasync_test"],
  ["everything, as a pooler resets a session", "discard all"],
])(
  "a worker whose connection has lost %s gives up all sources before its next write",
  async (_what, loss) => {
    const worker = await aWorker(await aDatabase(), { channels: ["infrasync_test"] });
    const [one, two] = [await worker.take("one"), await worker.take("two")];
    await one.ensure();
    await one.nextBeat();
    await worker.leases.join(loss, []);
    // What was proved a moment ago holds for a second.
    await expect.poll(() => refusal(() => one.ensure()), wait).not.toBe("");
    expect([one.lost.aborted, two.lost.aborted]).toEqual([true, true]);
    await expect.poll(() => worker.reported.at(-1), wait).toBe("back");
    expect(worker.reported[0]).toMatch(/no longer|pooler/);
  },
);

test("each worker that takes a source raises its epoch, and the database refuses what an earlier one still writes", async () => {
  const postgres = await aDatabase();
  const one = await aWorker(postgres);
  const first = await one.take("team");
  await first.release();
  const other = await aWorker(postgres);
  const lease = await other.take("team");
  expect(lease.epoch).toBe(first.epoch + 1);
  // The lock is believed to be there, and another one has taken the source.
  await postgres.query("update infrasync.lease set epoch = epoch + 1");
  const folder = temporaryFolder("files");
  writeFileSync(join(folder, "state.json"), "{}");
  const write = () => new SourceFiles(lease, "team", folder).save();
  expect(await refusal(write)).toContain("another worker may work on team now");
  expect(lease.lost.aborted).toBe(true);
  expect(await postgres.query("select 1 from infrasync.source_file")).toEqual([]);
});

test("the memory of a source that has another name is moved only when no worker stores more under the old one", async () => {
  const postgres = await aDatabase();
  const [holder, other] = [await aWorker(postgres), await aWorker(postgres)];
  const lease = await holder.take("old");
  await postgres.query(
    "insert into infrasync.source_file (source, name, content) values ('old', 'state.json', '{}')",
  );
  const names = () => postgres.query("select source from infrasync.source_file");
  const move = () => refusal(() => renameFiles(other.leases, "old", "new"));
  expect(await move()).toContain("a worker still works on old");
  expect(await names()).toEqual([{ source: "old" }]);
  await lease.release();
  expect(await move()).toBe("");
  expect(await names()).toEqual([{ source: "new" }]);
});

test("the connection of another program is not ended, although it has the process number that a dead worker had", async () => {
  const postgres = await aDatabase();
  const bystander = await connect(postgres.url);
  onTestFinished(() => bystander.end());
  const { rows } = await bystander.query<{ pid: number }>("select pg_backend_pid() as pid");
  await postgres.query(
    "insert into infrasync.worker values (gen_random_uuid(), 'gone', 1, '1', $1, now() - interval '1 hour', now() - interval '1 hour')",
    [rows[0]?.pid],
  );
  const worker = await aWorker(postgres);
  await (await worker.take("one")).ensure();
  const known = () => postgres.query("select 1 from infrasync.worker where host = 'gone'");
  await expect.poll(known, wait).toEqual([]);
  expect((await bystander.query("select 1 as it")).rows).toEqual([{ it: 1 }]);
});

test("of two primaries, the old one loses its worker before the next write, and the new one has a writer only after that", async () => {
  const old = await aDatabase();
  const one = await aWorker(old);
  const lease = await one.take("team");
  const copy = await old.copy();
  onTestFinished(() => copy[Symbol.asyncDispose]());
  await lease.ensure();
  await copy.query("select pg_promote()");
  one.wire.lead(copy.port);
  let lastWrite = 0;
  const writing = (async () => {
    for (;;) {
      if ((await refusal(() => lease.ensure())) !== "") return;
      lastWrite = Date.now();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  const other = await aWorker(copy);
  const next = await other.take("team");
  const firstWrite = Date.now();
  await writing;
  expect(lease.lost.aborted).toBe(true);
  expect(lastWrite).toBeLessThan(firstWrite);
  expect(next.epoch).toBe(lease.epoch + 1);
  expect(one.reported).toContainEqual(
    expect.stringMatching(/leads to (another server|a server of timeline)/),
  );
  // The old primary is never believed again.
  one.wire.lead(old.port);
  one.wire.restore();
  await expect
    .poll(() => one.reported.at(-1), wait)
    .toContain("older primary: it has timeline 1, and this worker has seen timeline 2");
});
