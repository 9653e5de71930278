import { expect, test } from "vitest";
import { startWorld, unknownId } from "../start-world.ts";
import type { TestWorld } from "../start-world.ts";

function rule({ emulator }: TestWorld, name: string, rest: object = {}): object {
  return {
    name,
    mode: "DEVELOPMENT",
    cluster_id: emulator.clusters[0]?.id,
    auto_stop: true,
    timezone: "Europe/Paris",
    start_time: "1970-01-01T07:00:00Z",
    stop_time: "1970-01-01T20:00:00Z",
    weekdays: ["MONDAY"],
    wildcard: "",
    ...rest,
  };
}

test("rules are listed in their order, which one request sets", async () => {
  const world = await startWorld();
  const { client, projectId } = world;
  const path = `/project/${projectId}/deploymentRule`;
  const ids: string[] = [];
  for (const name of ["a", "b", "c"]) ids.push((await client.post(path, rule(world, name))).id);
  const names = async () =>
    (await client.list(path)).map(({ name, priority_index }) => `${String(priority_index)} ${String(name)}`);
  expect(await names()).toEqual(["0 a", "1 b", "2 c"]);
  const order = { project_deployment_rule_ids_in_order: ids.toReversed() };
  expect((await client.call("PUT", `${path}/order`, order)).status).toBe(200);
  expect(await names()).toEqual(["0 c", "1 b", "2 a"]);
  await client.delete(`${path}/${ids[1]}`);
  expect(await names()).toEqual(["0 c", "1 a"]);
  for (const wrong of [[ids[0]], [ids[0], ids[0]], [ids[0], unknownId], [...ids]]) {
    const body = { project_deployment_rule_ids_in_order: wrong };
    expect(await client.fails("PUT", `${path}/order`, body)).toMatchObject({
      status: 400,
      message: "project_deployment_rule_ids_in_order: must name each of the 2 rules of the project once",
    });
  }
});

test.for([
  [{ cluster_id: unknownId }, "cluster_id: "],
  [{ timezone: "Mars/Olympus" }, "timezone must match format"],
  [{ weekdays: ["FUNDAY"] }, "weekdays[0] must be one of "],
  [{ start_time: "8 o'clock" }, "start_time must match format"],
] as const)("a rule with %j gets 400", async ([wrong, message]) => {
  const world = await startWorld();
  const path = `/project/${world.projectId}/deploymentRule`;
  const refusal = await world.client.fails("POST", path, rule(world, "a", wrong));
  expect(refusal).toMatchObject({ status: 400, message: expect.stringContaining(message) as string });
});

test("a new environment gets the hours of the first rule that matches its name, mode and cluster", async () => {
  const world = await startWorld();
  const { client, emulator, projectId } = world;
  const path = `/project/${projectId}/deploymentRule`;
  const rules = [
    { wildcard: "PR-*", timezone: "Europe/Paris" },
    { wildcard: "*", mode: "STAGING", timezone: "Asia/Tokyo" },
    { wildcard: "*-a*z", timezone: "America/Lima" },
    { wildcard: "ab*ba", timezone: "Asia/Dubai" },
    { wildcard: "", cluster_id: emulator.clusters[1]?.id, timezone: "Africa/Cairo" },
  ];
  for (const [index, rest] of rules.entries()) await client.post(path, rule(world, `r${index}`, rest));
  const zoneOf = async (name: string, rest: object = {}) => {
    const made = await client.post(`/project/${projectId}/environment`, { name, ...rest });
    const { auto_stop, timezone } = await client.get(`/environment/${made.id}/deploymentRule`);
    return auto_stop ? timezone : undefined;
  };
  expect(await zoneOf("pr-12")).toBe("Europe/Paris");
  expect(await zoneOf("pr-13", { mode: "STAGING" })).toBe("Asia/Tokyo");
  expect(await zoneOf("x-abcz")).toBe("America/Lima");
  expect(await zoneOf("x-az")).toBe("America/Lima");
  expect(await zoneOf("x-abc")).toBeUndefined();
  expect(await zoneOf("az")).toBeUndefined();
  expect(await zoneOf("abba")).toBe("Asia/Dubai");
  expect(await zoneOf("aba")).toBeUndefined();
  expect(await zoneOf("any", { cluster: emulator.clusters[1]?.id })).toBe("Africa/Cairo");
});

test("a clone that asks for the deployment rule gets its mode, its cluster and its hours", async () => {
  const world = await startWorld();
  const { client, emulator, projectId, environmentId } = world;
  const [, second] = emulator.clusters;
  const rest = { wildcard: "pr-*", mode: "PREVIEW", cluster_id: second?.id };
  await client.post(`/project/${projectId}/deploymentRule`, rule(world, "previews", rest));
  const clone = async (name: string, apply_deployment_rule: boolean) =>
    client.post(`/environment/${environmentId}/clone`, { name, apply_deployment_rule });
  const applied = await clone("pr-1", true);
  expect(applied).toMatchObject({ mode: "PREVIEW", cluster_id: second?.id });
  expect(await client.get(`/environment/${applied.id}/deploymentRule`)).toMatchObject({ auto_stop: true });
  expect(await clone("pr-2", false)).toMatchObject({ mode: "DEVELOPMENT" });
  expect(await clone("other", true)).toMatchObject({ mode: "DEVELOPMENT" });
});
