import { expect, onTestFinished, test, vi } from "vitest";
import {
  connect,
  databaseDeleters,
  databaseSources,
  DatabaseError,
  type Leases,
} from "../../reconciler/database/index.ts";
import { Deleters } from "../../reconciler/sources/index.ts";
import { FollowedSources } from "../../cli/service/fleet/followed-sources.ts";
import { placeOf, type Source } from "../../reconciler/sources/index.ts";
import { aDatabase, aWorker } from "./worker.ts";

test("queries at the same time are sent one after the other, because the database client deprecates concurrent ones", async () => {
  // Node gives such a warning once in a process, so this is the first test of the file.
  const { take } = await aWorker(await aDatabase());
  const all = await Promise.all(["one", "two", "three"].map((name) => take(name)));
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  await Promise.all(all.map((lease) => lease.release()));
  expect(warnings).toEqual([]);
});

test("of queries that go along with a heartbeat, one that is refused fails alone, and values are quoted", async () => {
  const { leases, take } = await aWorker(await aDatabase());
  const lease = await take("team");
  await lease.nextBeat();
  const answers = await Promise.allSettled([
    lease.join("select $1::text as it, $2::integer as number", [String.raw`it's \ $1 "x"`, 3]),
    lease.join("select 1 / 0", []),
    lease.join("select $1::jsonb ->> 'k' as it", [JSON.stringify({ k: "a'b\\c\n$2" })]),
  ]);
  expect(answers).toEqual([
    { status: "fulfilled", value: [{ it: String.raw`it's \ $1 "x"`, number: 3 }] },
    { status: "rejected", reason: expect.objectContaining({ message: "division by zero" }) },
    { status: "fulfilled", value: [{ it: "a'b\\c\n$2" }] },
  ]);
  expect(leases.has("team")).toBe(true);
});

test("a query whose answer is late fails alone: the worker keeps its sources, and may write meanwhile", async () => {
  const { leases, take, reported } = await aWorker(await aDatabase());
  const lease = await take("team");
  const late = leases.query("select pg_sleep(11)").catch(String);
  for (let beats = 0; beats < 3; beats += 1) {
    await lease.nextBeat();
    await lease.ensure();
  }
  expect(await late).toContain("the database is too slow: it has not answered within");
  await lease.ensure();
  expect([leases.has("team"), reported]).toEqual([true, []]);
});

test("a worker whose database becomes slow keeps its source, and no other takes it meanwhile", async () => {
  const postgres = await aDatabase();
  const one = await aWorker(postgres);
  const lease = await one.take();
  for (one.wire.delay = 0; one.wire.delay < 1000; one.wire.delay += 100) await lease.nextBeat();
  const other = await aWorker(postgres);
  const isTaken = vi.fn<() => void>();
  void other.take().then(isTaken, () => undefined);
  for (let beats = 0; beats < 4; beats += 1) await lease.nextBeat();
  await lease.ensure();
  // Longer than the limit of a fast database.
  expect(one.leases.pace.answerTime).toBeGreaterThan(1000);
  expect([isTaken.mock.calls, lease.lost.aborted, one.reported]).toEqual([[], false, []]);
});

test("a worker starts with few messages, and the others know from the first one that its database is slow", async () => {
  const postgres = await aDatabase();
  const { wire } = await aWorker(postgres, { channels: ["one", "two", "three"], delay: 300 });
  expect(wire.messages).toBeLessThan(12);
  const [row] = await postgres.query<{ slowness: number }>("select slowness from infrasync.worker");
  expect(row?.slowness).toBeGreaterThan(2);
});

test("a worker takes some of many free sources at a time, so that others which start with it get theirs before they are opened", async () => {
  const { leases, take } = await aWorker(await aDatabase());
  const names = Array.from({ length: 25 }, (_each, index) => `team-${index}`);
  const all = names.map((name) => take(name));
  await Promise.race(all);
  expect(names.filter((name) => leases.has(name)).length).toBeLessThanOrEqual(10);
  await Promise.all(all);
});

test("a worker that nobody tells that its lock is gone finds out before its next write", async () => {
  const postgres = await aDatabase();
  const one = await aWorker(postgres);
  const lease = await one.take();
  await lease.ensure();

  one.wire.silence();
  await postgres.query("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'");
  const refusal = () =>
    lease.ensure().then(
      () => undefined,
      (error: unknown) => error,
    );
  await expect.poll(refusal, { timeout: 60_000 }).toBeInstanceOf(DatabaseError);
  // Its own heartbeats have not failed yet: the question before a write is the first to know.
  expect(lease.lost.aborted).toBe(false);

  const other = await aWorker(postgres);
  await (await other.take()).ensure();
  expect(await refusal()).toBeInstanceOf(DatabaseError);
});

test("a worker that has lost a source and is connected again writes nothing of it", async () => {
  const postgres = await aDatabase();
  const one = await aWorker(postgres);
  const lease = await one.take();
  await lease.query("select 1");
  await postgres.query("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'");
  await expect.poll(() => lease.lost.aborted, { timeout: 60_000 }).toBe(true);
  await expect.poll(() => one.leases.query("select 1").catch(() => []), { timeout: 60_000 }).toHaveLength(1);
  await expect(lease.query("select 1")).rejects.toThrow("another worker may work on team now");
});

test("a worker that waits for sources of others asks for all of them with one query", async () => {
  const postgres = await aDatabase();
  const names = [...Array(40).keys()].map((index) => `team-${index}`);
  const hasOf = ({ leases }: { leases: Leases }) => names.filter((name) => leases.has(name)).length;
  /** Whether each has about its share, and no source is without a worker. */
  const isAll = (counts: number[]) =>
    counts.reduce((sum, each) => sum + each) === names.length &&
    counts.every((count) => count > names.length / counts.length - 4);
  const start = async () => {
    const worker = await aWorker(postgres);
    const want = async (name: string): Promise<void> => {
      const lease = await worker.take(name);
      lease.lost.addEventListener("abort", () => void lease.release().then(() => again(name)));
    };
    // At its end, a worker wants nothing any more.
    const again = (name: string) => want(name).catch(() => undefined);
    for (const name of names) void again(name);
    return worker;
  };
  const others = [await start(), await start()];
  await expect.poll(() => others.map(hasOf), { timeout: 60_000 }).toSatisfy(isAll);
  // The others keep one more than their share each, so this one goes on waiting.
  const third = await start();
  await expect.poll(() => [...others, third].map(hasOf), { timeout: 60_000 }).toSatisfy(isAll);
  expect(hasOf(third)).toBeLessThan(13);
  const query = vi.spyOn(third.leases, "query");
  for (let beats = 0; beats < 4; beats += 1) await third.leases.nextBeat();
  expect(query.mock.calls.length).toBeLessThan(7);
});

test("any worker knows which source has deleted something: the memories of all sources stand in the database", async () => {
  const postgres = await aDatabase();
  const { leases } = await aWorker(postgres);
  const keep = (source: string, name: string, content: string) =>
    leases.query("insert into infrasync.source_file (source, name, content) values ($1, $2, $3)", [
      source,
      name,
      content,
    ]);
  const state = (...deletions: object[]) => JSON.stringify({ version: 1, deletions });
  const own = { tree: "a".repeat(40), at: 1, isDone: true };
  await keep("web", "state.json", state({ ...own, id: "one", title: "job:shop/staging/one" }));
  // It has only seen this one in the events.
  await keep("api", "state.json", state({ id: "one", at: 1, title: "job one", isDone: true }));
  await keep("api", "previews.yaml", "no: [json");
  await keep("new", "state.json", "{}");
  const deleters = new Deleters(databaseDeleters(leases));
  expect(await deleters.others("api", ["one", "two"])).toEqual(new Map([["one", "web"]]));
  // What a source has deleted itself is its own, also where it has lost its memory.
  expect(await deleters.others("web", ["one", "two"])).toEqual(new Map());
});

test("any worker knows the places of sources, and which have ended with what they have left live", async () => {
  const postgres = await aDatabase();
  const workers = await Promise.all([aWorker(postgres), aWorker(postgres)]);
  const [one, two] = workers.map(
    ({ leases }, each) => new FollowedSources(`/nowhere/${each}`, databaseSources(leases)),
  ) as [FollowedSources, FollowedSources];
  const sources = ["web", "api"].map((name): Source => ({
    file: "a.yaml",
    name,
    repository: `https://example.com/${name}`,
  }));
  const places = Object.fromEntries(sources.map((source) => [source.name, placeOf(source)]));
  await one.open();
  await one.follow(sources, places, [], 1000);
  const inventory = { "id-a": { address: "job:shop/staging/a" } };
  await workers[0]?.leases.query(
    "insert into infrasync.source_file (source, name, content) values ('web', 'state.json', $1)",
    [JSON.stringify({ version: 1, inventory })],
  );
  await two.open();
  expect(two.places).toEqual(places);
  await two.follow(sources.slice(1), places, [], 2000);
  await one.open();
  expect(one.stopped).toEqual([
    { name: "web", repository: "https://example.com/web", at: 2000, left: ["job:shop/staging/a"] },
  ]);
  // What people have asked one source for is known to the others, wherever they run.
  const state = JSON.stringify({ version: 1, inventory });
  expect(await one.beside("api")).toEqual([{ name: "web", place: "the database", state }]);
  expect(await one.beside("web")).toEqual([]);
  expect(await one.acknowledge("web")).toBe(true);
  expect(await two.acknowledge("web")).toBe(false);
  expect(two.stopped).toEqual([]);
});

test("a heartbeat that is answered late costs no source: the worker says that the database is too slow, and goes on", async () => {
  const worker = await aWorker(await aDatabase());
  const [one, two] = [await worker.take("one"), await worker.take("two")];
  worker.wire.delay = 2700;
  await expect.poll(() => worker.reported, { timeout: 60_000 }).toHaveLength(1);
  worker.wire.delay = 0;
  await expect.poll(() => worker.reported, { timeout: 60_000 }).toHaveLength(2);
  expect(worker.reported).toEqual(["the database is too slow: it has not answered within 5.0 s", "back"]);
  expect([one.lost.aborted, two.lost.aborted]).toEqual([false, false]);
  await Promise.all([one.ensure(), two.ensure()]);
});

test("a source whose lock was taken by a query that was answered late has one lock, which goes when the source is given back", async () => {
  const postgres = await aDatabase();
  const blocker = await connect(postgres.url);
  onTestFinished(() => blocker.end());
  // Whoever takes the source has to wait for the end of this transaction, and a heartbeat has not.
  await blocker.query(
    "begin; insert into infrasync.lease (source, epoch, worker, timeline) values ('team', 1, gen_random_uuid(), 1)",
  );
  const one = await aWorker(postgres);
  const taken = one.take();
  await expect.poll(() => one.reported, { timeout: 60_000 }).toHaveLength(1);
  expect(one.reported[0]).toContain("too slow");
  await blocker.query("rollback");
  const lease = await taken;
  await lease.ensure();
  await lease.release();
  const other = await aWorker(postgres);
  await (await other.take()).ensure();
});
