import { expect, test } from "vitest";
import { type Clock, createClient, NotFoundError, systemClock } from "../../core/api/index.ts";
import type { Fields } from "../../core/values/json.ts";
import { DatabasePace } from "../../adapters/database/index.ts";
import { StoredReads } from "../../reconciler/database/index.ts";
import { useFixture } from "../cli/fixture.ts";
import { job } from "../fixtures/manifests.ts";
import { useFleet } from "./fleet.ts";
import { statusOf } from "./workers.ts";

const fixture = useFixture({ clock: "real", behaviour: { rate_limit: 0 } });
const fleet = useFleet(fixture);
const wait = { timeout: 60_000, interval: 100 };
const second = 1000;

/** What a worker shares with others, whose clock may be wrong. */
function worker(ahead = 0, key = "one token and organization") {
  const clock: Clock = {
    now: () => systemClock.now() + ahead,
    random: systemClock.random,
    sleep: systemClock.sleep,
  };
  const leases = {
    query: <Row extends object>(text: string, values: readonly unknown[] = []) =>
      fleet.postgres.query<Row>(text, [...values]),
    pace: new DatabasePace(),
  };
  const reads = new StoredReads(leases, clock, key);
  /** An answer that is at most so old; or reads. */
  const find = (request: string, age: number) => reads.find(request, clock.now() - age);
  return {
    reads,
    find,
    keep: (request: string, answer: unknown) => reads.keep(request, clock.now(), answer),
  };
}

const services = "all of /organization/an-id/services {}";
const aService = { id: "1", name: "a", environment_id: "2" };
const rows = () => fleet.postgres.query<Fields>("select * from infrasync.shared_read");

test("one worker reads, the others wait for its answer, however their clocks go; an older one is not used", async () => {
  await fleet.migrate();
  const [one, other] = [worker(), worker(3600 * second)];
  expect(await one.find(services, second)).toBeUndefined();
  let isOver = false;
  const waiting = other.find(services, second).finally(() => (isOver = true));
  await systemClock.sleep(second / 2);
  expect(isOver).toBe(false);
  one.keep(services, [aService]);
  expect(await waiting).toEqual({ answer: [aService] });
  expect(await other.find(services, 60 * second)).toEqual({ answer: [aService] });
  // What was read before this moment is too old, and what was read with another token is of no use.
  expect(await other.find(services, 0)).toBeUndefined();
  expect(await worker(0, "another token").find(services, 60 * second)).toBeUndefined();
});

test("a worker that reads no more holds the others up for seconds only, and its late answer is not taken for a new one", async () => {
  await fleet.migrate();
  const [one, other, third] = [worker(), worker(), worker()];
  expect(await one.find(services, second)).toBeUndefined();
  one.reads.giveUp(services);
  await expect.poll(rows).toEqual([]);
  expect(await one.find(services, second)).toBeUndefined();
  const started = performance.now();
  expect(await other.find(services, second)).toBeUndefined();
  expect(performance.now() - started).toBeGreaterThan(2 * second);
  expect(performance.now() - started).toBeLessThan(10 * second);
  one.keep(services, []);
  other.keep(services, [aService]);
  expect(await third.find(services, 4 * second)).toEqual({ answer: [aService] });
});

test("an answer to a request that was sent before the database noted the time is not kept", async () => {
  await fleet.migrate();
  const one = worker();
  const sent = systemClock.now() - 1;
  expect(await one.find(services, second)).toBeUndefined();
  one.reads.keep(services, sent, []);
  expect(await rows()).toMatchObject([{ answer: null, begun_at: null }]);
});

test("no value of a variable and no credential comes into the database, and old rows are removed", async () => {
  await fleet.migrate();
  const one = worker();
  for (const request of [
    "/environment/an-id/services {}",
    'all of /variable {"parent_id":"an-id","scope":"JOB"}',
    "all of /organization/an-id/containerRegistry {}",
    "/organization/an-id/services/more {}",
  ]) {
    expect(await one.find(request, second)).toBeUndefined();
    one.keep(request, { value: "s3cret" });
  }
  expect(await rows()).toEqual([]);
  const secret = { change: "s3cret", original_change: "s3cret", values: ["s3cret"] };
  // An answer of another form is not stored.
  const other = "all of /organization/another-id/project {}";
  expect(await one.find(other, second)).toBeUndefined();
  one.keep(other, [{ id: "1", name: { value: "s3cret" } }]);
  const answers: Record<string, unknown> = {
    '/organization/an-id/events {"pageSize":100}': {
      events: [{ id: "1", ...secret }],
      links: { next: "?a", secret },
    },
    "all of /organization/an-id/project {}": [{ id: "1", description: "shop", ...secret }],
    "all of /organization/an-id/environments {}": [{ id: "1", project: { id: "2", secret } }],
    [services]: [{ ...aService, ...secret, name: "a" }],
  };
  for (const [request, answer] of Object.entries(answers)) {
    expect(await one.find(request, second)).toBeUndefined();
    one.keep(request, answer);
  }
  await expect.poll(async () => (await rows()).filter(({ answer }) => answer !== null).length).toBe(4);
  expect(JSON.stringify(await rows())).not.toContain("s3cret");
  const taken = async (request: string) => (await one.find(request, 60 * second))?.answer;
  expect(await Promise.all(Object.keys(answers).map(taken))).toEqual([
    { events: [{ id: "1" }], links: { next: "?a" } },
    [{ id: "1", description: "shop" }],
    [{ id: "1", project: { id: "2" } }],
    [aService],
  ]);
  await fleet.postgres.query("update infrasync.shared_read set begun_at = begun_at - interval '2 hours'");
  expect(await one.find(services, second)).toBeUndefined();
  one.keep(services, []);
  await expect
    .poll(async () => (await rows()).map(({ path }) => path))
    .toEqual(["/organization/an-id/services"]);
});

test("a client reads for itself while the database is away, and lets the others read where it gets no answer", async () => {
  await fleet.migrate();
  const { url: baseUrl, tokens } = fixture.emulator;
  const { reads } = worker();
  const client = createClient({ baseUrl, token: tokens.admin, onQuota: "fail" }).sharing({
    reads,
    since: systemClock.now(),
  });
  const path = "/organization/00000000-0000-4000-8000-000000000000/services";
  await expect(client.get(path)).rejects.toThrow(NotFoundError);
  await expect.poll(rows).toEqual([]);
  await fleet.postgres.kill();
  await expect(client.get(path)).rejects.toThrow(NotFoundError);
});

test("two workers read the events as often as one, a commit makes its own requests only, and a change manually is found", async () => {
  await fleet.migrate();
  const names = ["one", "two", "three", "four"];
  const repositories = fleet.state(names, { more: () => "policy: { on_drift: report }\n" });
  const first = await fleet.start();
  const synced = names.map(() => "synced");
  const states = async () =>
    (await statusOf(first)).sources
      .toSorted((one, another) => names.indexOf(one.name) - names.indexOf(another.name))
      .map(({ state }) => state);
  await expect.poll(states, wait).toEqual(synced);
  const lists = ["events", "project", "environments", "services"];
  const intervals = 5;
  /** The requests for what is shared in five intervals. */
  const read = async () => {
    await fixture.takeRequests();
    await systemClock.sleep(intervals * second);
    const all = await fixture.takeRequests();
    return lists.map((list) => all.filter((line) => line === `GET /organization/{id}/${list}`).length);
  };
  const alone = await read();
  await fleet.start();
  await expect.poll(async () => new Set(await Promise.all(names.map(fleet.ownerOf))).size, wait).toBe(2);
  await expect.poll(states, wait).toEqual(synced);
  // As many as in one process, but where the window cuts an interval.
  const few = (counts: readonly number[], more: number) =>
    expect(
      // On a busy machine, one process may read the events less often than once in an interval.
      counts.map((count, index) => count <= Math.max(alone[index] ?? 0, index === 0 ? intervals : 0) + more),
    ).toEqual(lists.map(() => true));
  const both = await read();
  few(both, 2);
  expect(both[0]).toBeGreaterThanOrEqual(intervals - 2);
  repositories.get("one")?.push({ "infra/b.yaml": job("b", "cpu: 500", "one/staging") });
  few(await read(), 4);
  const id = String((await found("/organization"))[0]?.["id"]);
  const made = async () => (await found(`/organization/${id}/services`)).find(({ name }) => name === "b");
  await expect.poll(made, wait).toBeDefined();
  await expect.poll(states, wait).toEqual(synced);
  const path = `/job/${String((await made())?.["id"])}`;
  await fixture.request("PUT", path, { ...(await fixture.request("GET", path)), cpu: 900 });
  await expect.poll(states, wait).toEqual(synced.with(names.indexOf("one"), "drift"));
}, 180_000);

async function found(path: string): Promise<Fields[]> {
  return (await fixture.request("GET", path))["results"] as Fields[];
}
