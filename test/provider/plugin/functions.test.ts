import { expect, test } from "vitest";
import { start } from "./start.ts";

test("functions read resources by id and by path, entries of the organization, and the quota", async () => {
  const { server, plugin } = await start({ emulator: { rateLimit: 1000 } });
  await server.reconcile([
    { kind: "Project", name: "shop", description: "the shop" },
    { kind: "Environment", project: "shop", name: "staging", cluster: "eu-west", variables: { A: "1" } },
  ]);
  const project = await plugin.invoke("getProject", { id: "shop" });
  expect(project).toMatchObject({ id: await server.idOf("shop"), description: "the shop" });
  expect(Object.keys(project).filter((name) => name.startsWith("__"))).toEqual([]);
  const staging = await plugin.invoke("getEnvironment", { id: "shop/staging" });
  expect(staging).toMatchObject({ cluster: { name: "eu-west" }, variables: { A: { value: "1" } } });
  expect(await plugin.invoke("getEnvironment", { id: String(staging["id"]) })).toEqual(staging);
  expect(await plugin.invoke("getCluster", { name: "EU-west" })).toEqual(staging["cluster"]);
  expect(await plugin.invoke("getRegistry", { name: "docker-hub" })).toMatchObject({ name: "docker-hub" });
  expect(await plugin.invoke("getRequestBudget", {})).toMatchObject({
    limit: 1000,
    remaining: expect.any(Number),
    resetAt: expect.stringMatching(/Z$/),
  });
});

test("a function that finds nothing says what there is", async () => {
  const { plugin } = await start();
  await expect(plugin.invoke("getCluster", { name: "eu-wets" })).rejects.toThrow(
    'there is no cluster "eu-wets"; did you mean eu-west? the organization has: ',
  );
  await expect(plugin.invoke("getJob", { id: "8a5d8b0e-5c2f-4e7a-9f37-2f0d5f1f0c55" })).rejects.toThrow(
    "there is no Job with the id 8a5d8b0e",
  );
  await expect(plugin.invoke("getJbo", {})).rejects.toThrow(
    "infrasync has no function infrasync:index:getJbo",
  );
});
