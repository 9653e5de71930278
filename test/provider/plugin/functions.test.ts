import { expect, test } from "vitest";
import type { Fields } from "../../../core/values/json.ts";
import { kindOf, kinds } from "../../../core/model/kinds/index.ts";
import { consents, documents, everything } from "./every-kind.ts";
import { start } from "./start.ts";

/** What of the schema of a package this looks at. */
interface Spec {
  properties?: Record<string, { items?: { $ref?: string } }>;
  required?: string[];
  outputs?: Spec;
}

test("functions read resources by id and by path, entries of the organization, and the quota", async () => {
  const { server, plugin } = await start({ emulator: { behaviour: { rate_limit: 1000 } } });
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

test("a function for each kind lists its resources with one request, and each element is as the schema says", async () => {
  const { server, plugin } = await start();
  await server.reconcile(documents, consents);
  const { functions, types } = (await plugin.schema()) as Record<"functions" | "types", Record<string, Spec>>;
  const listing = Object.entries(functions ?? {}).flatMap(([token, { outputs }]) => {
    const [member = ""] = Object.keys(outputs?.properties ?? {});
    const element = outputs?.properties?.[member]?.items?.$ref?.replace("#/types/", "") ?? "";
    return element.includes(":Listed") ? [{ name: token.split(":").at(-1) ?? "", member, element }] : [];
  });
  expect(listing.length).toBe(kinds.length - 1);
  for (const { name, member, element } of listing) {
    const kind = element.split(":Listed")[1] ?? "";
    const [, path = ""] = everything.find(([each]) => each === kind) ?? [];
    const { parentMember } = kindOf(kind);
    const parent = path.split("/").slice(0, -1).join("/");
    const { [member]: found } = await plugin.invoke(name, parentMember ? { [parentMember]: parent } : {});
    expect(found, name).toContainEqual(expect.objectContaining({ name: path.split("/").at(-1) }));
    const { properties = {}, required = [] } = types?.[element] ?? {};
    for (const each of found as Fields[]) {
      expect(Object.keys(properties), name).toEqual(expect.arrayContaining(Object.keys(each)));
      expect(Object.keys(each), name).toEqual(expect.arrayContaining(required));
    }
  }
  const staging = await server.idOf("shop/staging");
  await server.forgetRequests();
  await plugin.invoke("getJobs", { environment: staging });
  await plugin.invoke("getContainers", { environment: staging });
  expect((await server.seen()).length).toBeLessThanOrEqual(1);
  expect(await plugin.invoke("getOrganization", {})).toMatchObject({
    id: server.organization.id,
    name: "acme",
    description: "makes everything",
  });
  await expect(plugin.invoke("getJobs", { environment: "shop/stagng" })).rejects.toThrow(
    "there are: staging",
  );
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
    "infrasync has no function getJbo; did you mean getJob?",
  );
});

test("a function reads the status of a cluster", async () => {
  const { plugin } = await start();
  expect(await plugin.invoke("getClusterStatus", { cluster: "EU-west" })).toMatchObject({
    cluster: "eu-west",
    clusterId: expect.any(String),
    status: "DEPLOYED",
  });
  await expect(plugin.invoke("getClusterStatus", { cluster: "eu-wets" })).rejects.toThrow(
    'there is no cluster "eu-wets"; did you mean eu-west?',
  );
});

test("the kubeconfig of a cluster comes as a secret", async () => {
  const { plugin } = await start();
  const found = await plugin.invoke("getKubeconfig", { cluster: "eu-west" });
  expect(found["kubeconfig"]).toEqual({
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    value: expect.stringContaining("current-context"),
  });
  await expect(plugin.invoke("getKubeconfig", { cluster: "rome" })).rejects.toThrow(
    'there is no cluster "rome"',
  );
});

test("mistakes in the arguments of a function are failures of these arguments, all at once, without a request", async () => {
  const { plugin } = await start();
  await expect(plugin.invoke("getCluster", { nmae: "eu-west", name: null })).rejects.toThrow(
    "nmae: getCluster has no argument nmae; did you mean name?",
  );
  await expect(plugin.invoke("getCluster", { nmae: "eu-west" })).rejects.not.toThrow("needs");
  await expect(plugin.invoke("getCluster", { cluster: 7 })).rejects.toThrow(
    "name: getCluster needs name: Name or id of the cluster.\ncluster: getCluster has no argument cluster; it has: name",
  );
  await expect(plugin.invoke("getJob", { id: 7 })).rejects.toThrow("id: id must be a text, not a number");
});
