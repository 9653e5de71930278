import { expect, test } from "vitest";
import { nextChange } from "../../../emulator/rules/schedule.ts";
import { startWorld } from "../start-world.ts";
import type { TestWorld } from "../start-world.ts";

const anHour = 3600_000;
const aDay = 24 * anHour;
const everyDay = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"];

/** Moves the clock to a time of day in UTC, at least a second later. */
async function moveTo({ control, advance }: TestWorld, hour: number): Promise<void> {
  const { now } = await control.get<{ now: string }>("/_emulator/clock");
  const time = Date.parse(now);
  const target = Math.floor(time / aDay) * aDay + hour * anHour;
  await advance(target > time ? target - time : target + aDay - time);
}

/** An environment with a deployed job whose rule runs it from 08:00 to 18:00, UTC. */
async function withRule(world: TestWorld, rest: object = {}) {
  const { client, job, environmentId, advance } = world;
  const { id } = await client.post(`/environment/${environmentId}/job`, job("a"));
  await moveTo(world, 6);
  await client.post(`/environment/${environmentId}/deploy`);
  await advance(10_000);
  const path = `/environment/${environmentId}/deploymentRule`;
  const { id: ruleId } = await client.get(path);
  const hours = { start_time: "1970-01-01T08:00:00Z", stop_time: "1970-01-01T18:00:00Z" };
  const set = async (changes: object) =>
    client.put(`${path}/${ruleId}`, {
      auto_stop: true,
      timezone: "UTC",
      weekdays: everyDay,
      ...hours,
      ...changes,
    });
  await set(rest);
  const state = async () => (await client.get(`/job/${id}/status`))["state"];
  return { jobId: id, state, set };
}

test("a rule stops an environment in the evening and deploys it in the morning", async () => {
  const world = await startWorld();
  const { state } = await withRule(world);
  await moveTo(world, 17);
  expect(await state()).toBe("DEPLOYED");
  await moveTo(world, 18);
  expect(await state()).toBe("STOP_QUEUED");
  await moveTo(world, 19);
  expect(await state()).toBe("STOPPED");
  await moveTo(world, 7);
  expect(await state()).toBe("STOPPED");
  await moveTo(world, 9);
  expect(await state()).toBe("DEPLOYED");
  const history = await world.client.list(`/environment/${world.environmentId}/deploymentHistoryV2`);
  expect(
    history.map(({ auditing_data, trigger_action }) => [
      trigger_action,
      (auditing_data as { triggered_by: string }).triggered_by,
    ]),
  ).toEqual([
    ["DEPLOY", "deployment rule"],
    ["STOP", "deployment rule"],
    ["DEPLOY", "admin"],
  ]);
});

test("a rule leaves alone what was never deployed", async () => {
  const world = await startWorld();
  const { client, environmentId, job, advance } = world;
  const { state } = await withRule(world);
  const { id } = await client.post(`/environment/${environmentId}/job`, job("new"));
  await moveTo(world, 19);
  expect(await state()).toBe("STOPPED");
  await advance(2 * aDay);
  expect(await client.get(`/job/${id}/status`)).toMatchObject({ state: "READY" });
});

test("a rule that is switched off, or has no weekday, stops nothing", async () => {
  const world = await startWorld();
  const { state, set } = await withRule(world);
  await moveTo(world, 12);
  await set({ auto_stop: false });
  await moveTo(world, 19);
  expect(await state()).toBe("DEPLOYED");
  await set({ weekdays: [] });
  await moveTo(world, 18);
  expect(await state()).toBe("DEPLOYED");
});

test("a rule waits while another operation uses the environment", async () => {
  const world = await startWorld({ behaviour: { deploy_delay_ms: 3 * anHour } });
  const { client, environmentId, advance } = world;
  const { state, jobId } = await withRule(world);
  await moveTo(world, 17);
  await client.post(`/job/${jobId}/redeploy`);
  await moveTo(world, 19);
  expect(await state()).toBe("DEPLOYING");
  await advance(2 * anHour);
  expect(await state()).toBe("STOPPING");
  expect((await client.get(`/environment/${environmentId}/status`))["last_deployment_state"]).toBe(
    "STOPPING",
  );
});

test("a jump of centuries is quick, and the rule holds after it", async () => {
  const world = await startWorld();
  const { client, environmentId } = world;
  const { state } = await withRule(world);
  await world.advance(500 * 365 * aDay);
  await moveTo(world, 20);
  expect(await state()).toBe("STOPPED");
  await moveTo(world, 10);
  expect(await state()).toBe("DEPLOYED");
  expect(
    (await client.list(`/environment/${environmentId}/deploymentHistoryV2?pageSize=100`)).length,
  ).toBeLessThan(25);
});

test.for([
  // A Sunday; Paris is one hour ahead of UTC in winter and two in summer.
  ["2026-01-04T12:00:00Z", "2026-01-05T07:00:00.000Z start"],
  ["2026-01-05T12:00:00Z", "2026-01-05T17:30:00.000Z stop"],
  ["2026-07-05T12:00:00Z", "2026-07-06T06:00:00.000Z start"],
  ["2026-07-06T06:00:00Z", "2026-07-06T16:30:00.000Z stop"],
  ["2026-07-10T18:00:00Z", "2026-07-13T06:00:00.000Z start"],
] as const)("after %s the next change is at %s", ([after, expected]) => {
  const hours = {
    timezone: "Europe/Paris",
    start_time: "1970-01-01T08:00:00Z",
    stop_time: "1970-01-01T18:30:00Z",
    weekdays: ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY"] as const,
  };
  const change = nextChange({ ...hours, weekdays: [...hours.weekdays] }, Date.parse(after));
  expect(`${new Date(change?.at ?? 0).toISOString()} ${change?.action}`).toBe(expected);
});
