import { expect, test } from "vitest";
import { Client } from "../../fixtures/client.ts";
import { startWorld } from "../start-world.ts";
import type { TestWorld } from "../start-world.ts";

interface Event {
  id: string;
  event_type: string;
  target_type: string;
  target_id: string;
  target_name: string;
  [member: string]: unknown;
}

interface Page {
  events: Event[];
  links: { next?: string; previous?: string };
}

async function page({ client, organizationPath }: TestWorld, query = ""): Promise<Page> {
  return client.get<Page>(`${organizationPath}/events${query}`);
}

/** The events since the start of the test. */
async function summary(world: TestWorld, query = ""): Promise<string[]> {
  const { events } = await page(world, `?pageSize=100&${query}`);
  return events
    .filter(({ triggered_by: by }) => by !== "emulator")
    .map(({ event_type, target_type, target_name, sub_target_type: part }) =>
      [event_type, target_type, part, target_name].filter(Boolean).join(" "),
    );
}

test("every change is an event, newest first", async () => {
  const world = await startWorld();
  const { client, job, environmentId, projectId, advance } = world;
  const { id } = await client.post(`/environment/${environmentId}/job`, job("a"));
  await client.put(`/job/${id}`, job("b"));
  await client.post("/variable", {
    key: "K",
    value: "1",
    is_secret: false,
    variable_scope: "JOB",
    variable_parent_id: id,
  });
  await client.post(`/job/${id}/deploy`);
  await advance(10_000);
  await client.post(`/job/${id}/clone`, { name: "c", environment_id: environmentId });
  await client.delete(`/job/${id}`);
  expect(await summary(world)).toEqual([
    "DELETE JOB b",
    "CLONE JOB c",
    "DEPLOYED ENVIRONMENT staging",
    "DEPLOYED JOB b",
    "DEPLOY_QUEUED ENVIRONMENT staging",
    "DEPLOY_QUEUED JOB b",
    "CREATE JOB VARIABLE b",
    "UPDATE JOB b",
    "CREATE JOB a",
    "CREATE ENVIRONMENT staging",
    "CREATE PROJECT shop",
  ]);
  const { events } = await page(world, `?targetId=${id}&eventType=UPDATE`);
  expect(events).toMatchObject([
    {
      target_id: id,
      project_id: projectId,
      project_name: "shop",
      environment_id: environmentId,
      environment_name: "staging",
      triggered_by: "admin",
      origin: "API",
    },
  ]);
});

test("filters limit the events", async () => {
  const world = await startWorld();
  const { client, job, environmentId, advance } = world;
  const { id } = await client.post(`/environment/${environmentId}/job`, job("a"));
  await advance(60_000);
  const since = Date.now() + 30_000;
  await client.put(`/job/${id}`, job("a"));
  expect(await summary(world, `fromTimestamp=${new Date(since).toISOString()}`)).toEqual(["UPDATE JOB a"]);
  expect(await summary(world, `fromTimestamp=${Math.round(since / 1000)}`)).toEqual(["UPDATE JOB a"]);
  expect(await summary(world, `toTimestamp=${since}&targetType=JOB`)).toEqual(["CREATE JOB a"]);
  expect(await summary(world, `serviceEnvironmentId=${environmentId}&eventType=UPDATE`)).toEqual([
    "UPDATE JOB a",
  ]);
  expect(await summary(world, "triggeredBy=nobody")).toEqual([]);
  expect(await summary(world, "origin=CLI")).toEqual([]);
  expect((await client.fails("GET", `${world.organizationPath}/events?fromTimestamp=soon`)).status).toBe(400);
});

test("page tokens move forwards and backwards, also when new events arrive", async () => {
  const world = await startWorld();
  const { client, job, environmentId } = world;
  for (const name of ["a", "b", "c", "d", "e"])
    await client.post(`/environment/${environmentId}/job`, job(name));
  const names = ({ events }: Page) => events.map(({ target_name }) => target_name);
  const follow = async (link = "") => (await client.get<Page>(link.slice(client.url.length))) satisfies Page;
  const first = await page(world, "?pageSize=2&targetType=JOB");
  expect(names(first)).toEqual(["e", "d"]);
  expect(first.links).not.toHaveProperty("previous");
  await client.post(`/environment/${environmentId}/job`, job("f"));
  const second = await follow(first.links.next);
  expect(names(second)).toEqual(["c", "b"]);
  const third = await follow(second.links.next);
  expect(names(third)).toEqual(["a"]);
  expect(third.links).not.toHaveProperty("next");
  expect(names(await follow(third.links.previous))).toEqual(["c", "b"]);
  const path = `${world.organizationPath}/events?continueToken=x`;
  expect((await client.fails("GET", path)).status).toBe(400);
});

test("an event of a delayed operation has the actor who requested it and the time when it was due", async () => {
  const world = await startWorld({ behaviour: { delete_delay_ms: 1000 } });
  const { client, environmentId, advance } = world;
  await client.delete(`/environment/${environmentId}`);
  await new Client(world.emulator.url, world.emulator.tokens.read).list("/organization");
  await advance(60_000);
  const { events } = await page(world, "?targetType=ENVIRONMENT");
  const [gone, queued] = events;
  expect(gone).toMatchObject({ event_type: "DELETE", triggered_by: "admin" });
  expect(queued).toMatchObject({ event_type: "DELETE_QUEUED", triggered_by: "admin" });
  const time = (event: Event | undefined) => Date.parse(String(event?.["timestamp"]));
  expect(time(gone) - time(queued)).toBe(1000);
});

test("a page has 10 events by default, and event times have unique nanoseconds", async () => {
  const world = await startWorld();
  const { client, job, environmentId } = world;
  for (let index = 0; index < 12; index += 1)
    await client.post(`/environment/${environmentId}/job`, job(`job-${index}`));
  const first = await page(world);
  expect(first.events).toHaveLength(10);
  const times = first.events.map(({ timestamp }) => String(timestamp));
  expect(times[0]).toMatch(/^[\d-]{10}T[\d:]{8}\.\d{9}Z$/);
  expect(new Set(times).size).toBe(10);
  expect(times.toSorted().toReversed()).toEqual(times);
  expect(decodeURIComponent(String(first.links.next))).toContain(`continueToken=${times.at(-1)}`);
});

test("a fault hides, delays or swaps events", async () => {
  const world = await startWorld();
  const { client, control, job, environmentId } = world;
  const names = async () =>
    (await page(world, "?targetType=JOB")).events.map(({ target_name }) => target_name);
  const fault = (desired: object) => control.post("/_emulator/faults", [{ ...desired, times: 1 }]);
  const make = (name: string) => client.post(`/environment/${environmentId}/job`, job(name));
  await make("a");
  await fault({ method: "POST", events: "missing" });
  await make("b");
  await make("c");
  await make("d");
  expect(await names()).toEqual(["d", "c", "a"]);
  await fault({ path: "/organization/*/events", events: "late" });
  expect(await names()).toEqual(["c", "a"]);
  expect(await names()).toEqual(["d", "c", "a"]);
  await fault({ path: "/organization/*/events", events: "reordered" });
  expect(await names()).toEqual(["c", "d", "a"]);
  await fault({ path: "/organization/*/events", events: "single" });
  expect(await names()).toEqual(["d"]);
  await fault({ path: "/organization/*/events", events: "equal" });
  for (const { timestamp } of (await page(world)).events) expect(timestamp).toMatch(/^[\d-]{10}T[\d:]{8}Z$/);
});
