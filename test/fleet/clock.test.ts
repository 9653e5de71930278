import { expect, test, vi } from "vitest";
import { systemClock } from "../../core/api/index.ts";
import { SourceHealthExchange, StoredReads } from "../../reconciler/database/index.ts";
import { aDatabase, aWorker } from "./worker.ts";

// The clock of a database was two hours ahead, and is set back: what was written before is of a time to come.
const later = "now() + interval '2 hours'";

test("a worker that hangs while the clock of the database is set back is ended as soon as another one that hangs", async () => {
  const postgres = await aDatabase();
  const [one, other] = [await aWorker(postgres), await aWorker(postgres)];
  await one.take();
  one.wire.silence();
  await postgres.query(`update infrasync.worker set seen_at = ${later} where id = $1`, [one.leases.id]);
  const isTaken = vi.fn<() => void>();
  void other.take().then(isTaken, () => undefined);
  await expect.poll(() => isTaken.mock.calls.length, { timeout: 60_000 }).toBe(1);
});

test("a source whose worker is gone does not seem to run because the clock of the database was set back", async () => {
  const postgres = await aDatabase();
  const [one, other] = [await aWorker(postgres), await aWorker(postgres)];
  const [its, others] = [new SourceHealthExchange(one.leases), new SourceHealthExchange(other.leases)];
  await its.exchange(() => [{ source: "team", state: "synced", view: {} }]);
  await others.exchange(() => []);
  expect(others.known).toMatchObject([{ source: "team" }]);
  expect(others.known[0]?.age).toBeLessThan(60_000);
  await postgres.query(`update infrasync.source_status set seen_at = ${later}`);
  await others.exchange(() => []);
  expect(others.known[0]?.age).toBeLessThan(60_000);
  one.wire.silence();
  await postgres.query("delete from infrasync.worker where id = $1", [one.leases.id]);
  await others.exchange(() => []);
  expect(others.known[0]?.age).toBeGreaterThan(60_000);
});

test("an answer that was read before the clock of the database was set back is not believed to be new", async () => {
  const postgres = await aDatabase();
  const { leases } = await aWorker(postgres);
  const reads = new StoredReads(leases, systemClock, "a token");
  const request = "all of /organization/an-id/services {}";
  const find = () => reads.find(request, systemClock.now() - 60_000);
  expect(await find()).toBeUndefined();
  reads.keep(request, systemClock.now(), [{ id: "1", name: "a" }]);
  await expect.poll(find).toEqual({ answer: [{ id: "1", name: "a" }] });
  await postgres.query(`update infrasync.shared_read set begun_at = ${later}`);
  expect(await find()).toBeUndefined();
  // Another worker has begun to read, before the clock was set back as well.
  await postgres.query(`update infrasync.shared_read set begun_at = null, reading_at = ${later}`);
  const started = performance.now();
  expect(await find()).toBeUndefined();
  expect(performance.now() - started).toBeLessThan(4000);
});
