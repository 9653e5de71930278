import { expect, test } from "vitest";
import { startWorld, unknownId } from "../start-world.ts";
import type { TestWorld } from "../start-world.ts";

async function newDatabase({ client, environmentId }: TestWorld, name = "orders", version = "16") {
  const body = { name, type: "POSTGRESQL", version, mode: "CONTAINER" };
  const { id } = await client.post(`/environment/${environmentId}/database`, body);
  return `/database/${id}`;
}

test("a backup is queued, then made, then ready", async () => {
  const world = await startWorld({ behaviour: { deploy_delay_ms: 2000 } });
  const { client, advance } = world;
  const path = `${await newDatabase(world)}/backup`;
  const made = await client.post(path, { name: "before", message: "the move" });
  expect(made).toMatchObject({ name: "before", message: "the move", status: { state: "QUEUED" } });
  const state = async () => {
    const { results } = await client.get<{ results: { status: { state: string } }[] }>(path);
    return results[0]?.status.state;
  };
  await advance(1000);
  expect(await state()).toBe("EXECUTING");
  await advance(1000);
  expect(await state()).toBe("READY");
});

test("backups of one database have different names, and are found and deleted with it only", async () => {
  const world = await startWorld();
  const { client } = world;
  const [orders, users] = [await newDatabase(world), await newDatabase(world, "users")];
  const backup = { name: "before", message: "" };
  const { id } = await client.post(`${orders}/backup`, backup);
  expect((await client.fails("POST", `${orders}/backup`, { ...backup, name: "BEFORE" })).status).toBe(409);
  await client.post(`${users}/backup`, backup);
  expect((await client.fails("DELETE", `${users}/backup/${id}`)).status).toBe(404);
  await client.delete(`${orders}/backup/${id}`);
  expect(await client.list(`${orders}/backup`)).toEqual([]);
  expect(await client.list(`${users}/backup`)).toHaveLength(1);
  await client.delete(users);
  expect((await client.fails("GET", `${users}/backup`)).status).toBe(404);
});

test("backups come in pages of twenty that start after one", async () => {
  const world = await startWorld();
  const { client } = world;
  const path = `${await newDatabase(world)}/backup`;
  const ids: string[] = [];
  for (let number = 1; number <= 22; number += 1)
    ids.push((await client.post(path, { name: `b${number}`, message: "" })).id);
  const page = async (query: string) => (await client.list(path + query)).map(({ id }) => id);
  expect(await client.get(path)).toMatchObject({ page: 1, page_size: 20 });
  expect(await page("")).toEqual(ids.slice(0, 20));
  expect(await page(`?startId=${ids[19]}`)).toEqual(ids.slice(20));
  expect((await client.fails("GET", `${path}?startId=${unknownId}`)).message).toContain("startId: ");
});

test("the versions that a database can have include its present one", async () => {
  const world = await startWorld();
  const { client } = world;
  const names = async (path: string) => (await client.list(`${path}/version`)).map(({ name }) => name);
  expect(await names(await newDatabase(world))).toEqual(["13", "14", "15", "16", "17"]);
  expect(await names(await newDatabase(world, "old", "9.6"))).toEqual(["13", "14", "15", "16", "17", "9.6"]);
});
