import { expect, test } from "vitest";
import * as bodies from "../bodies.ts";
import type { Resource } from "../../fixtures/client.ts";
import { startWorld } from "../start-world.ts";
import type { TestWorld } from "../start-world.ts";

test("the kinds of registries and Helm repositories are listed with the configuration that each needs", async () => {
  const { client } = await startWorld();
  expect(await client.list("/availableContainerRegistry")).toContainEqual({
    kind: "DOCKER_HUB",
    required_config: { username: { type: "string" }, password: { type: "string" } },
    is_mandatory: true,
  });
  expect(await client.list("/availableHelmRepository")).toContainEqual({
    kind: "HTTPS",
    required_config: {},
    is_mandatory: false,
  });
});

/** A container that refers to one of each sort. */
async function containerWithAll({ client, organizationPath, environmentId }: TestWorld) {
  const make = async (path: string, body: object) => client.post(`${organizationPath}/${path}`, body);
  const repository = { kind: "HTTPS", url: "https://charts.example.com", skip_tls_verification: false };
  const labels = [{ key: "k", value: "v", propagate_to_cloud_provider: false }];
  const made: Record<string, Resource> = {
    containerRegistry: await make("containerRegistry", { name: "r", kind: "GENERIC_CR", config: {} }),
    helmRepository: await make("helmRepository", { name: "h", ...repository, config: {} }),
    gitToken: await make("gitToken", { name: "g", type: "GITHUB", token: "secret" }),
    annotationsGroups: await make("annotationsGroups", { name: "a", annotations: [], scopes: [] }),
    labelsGroups: await make("labelsGroups", { name: "l", labels }),
  };
  const idOf = (path: string) => made[path]?.id ?? "";
  const references = {
    registryId: idOf("containerRegistry"),
    gitTokenId: idOf("gitToken"),
    helmRepositoryId: idOf("helmRepository"),
    annotationsGroupId: idOf("annotationsGroups"),
    labelsGroupId: idOf("labelsGroups"),
  };
  const path = `/environment/${environmentId}`;
  const services = [
    await client.post(`${path}/container`, bodies.container(references, "api")),
    await client.post(`${path}/application`, bodies.application(references, "web")),
    await client.post(`${path}/helm`, bodies.helmOfRepository(references, "cache")),
  ];
  return { made, services };
}

test("an entry that a service refers to cannot be deleted; the refusal names the service", async () => {
  const world = await startWorld();
  const { client, organizationPath } = world;
  const { made, services } = await containerWithAll(world);
  const users: Record<string, string> = {
    containerRegistry: "r is used by container api",
    helmRepository: "h is used by helm cache",
    gitToken: "g is used by application web",
    annotationsGroups: "a is used by container api, application web",
    labelsGroups: "l is used by container api, application web",
  };
  for (const [path, { id }] of Object.entries(made)) {
    const refusal = await client.fails("DELETE", `${organizationPath}/${path}/${id}`);
    expect(refusal.status).toBe(409);
    expect(refusal.message.startsWith(users[path] ?? "?"), refusal.message).toBe(true);
    expect(await client.get(`${organizationPath}/${path}/${id}`)).toMatchObject({ id });
  }
  for (const { id, service_type } of services)
    await client.delete(`/${String(service_type).toLowerCase()}/${id}`);
  for (const [path, { id }] of Object.entries(made)) {
    await client.delete(`${organizationPath}/${path}/${id}`);
    expect(await client.fails("GET", `${organizationPath}/${path}/${id}`)).toMatchObject({ status: 404 });
  }
});

test("a labels group that a cluster has cannot be deleted", async () => {
  const { client, organizationPath } = await startWorld();
  const { id } = await client.post(`${organizationPath}/labelsGroups`, { name: "costs", labels: [] });
  const cluster = { name: "rack", region: "eu-west-3", cloud_provider: "AWS", labels_groups: [{ id }] };
  const made = await client.post(`${organizationPath}/cluster`, cluster);
  expect(await client.fails("DELETE", `${organizationPath}/labelsGroups/${id}`)).toEqual({
    status: 409,
    message: "costs is used by cluster rack",
  });
  await client.delete(`${organizationPath}/cluster/${made.id}`);
  await client.delete(`${organizationPath}/labelsGroups/${id}`);
});

test("a registry keeps the configuration of workload identity federation", async () => {
  const { client, organizationPath } = await startWorld();
  const config = {
    gcp_credentials_type: "workload_identity_federation",
    project_id: "acme",
    token_lifetime_seconds: 3600,
  };
  const body = {
    name: "gar",
    kind: "GCP_ARTIFACT_REGISTRY",
    config: { ...config, json_credentials: "canary" },
  };
  const made = await client.post(`${organizationPath}/containerRegistry`, body);
  expect(made["config"]).toEqual(config);
});
