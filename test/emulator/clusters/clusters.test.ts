import { expect, test } from "vitest";
import { Client } from "../../fixtures/client.ts";
import type { Resource } from "../../fixtures/client.ts";
import { startWorld, unknownId } from "../start-world.ts";
import type { TestWorld } from "../start-world.ts";

const minimal = { name: "rack", region: "eu-west-3", cloud_provider: "AWS" };

async function newCluster({ client, organizationPath }: TestWorld, rest: object = {}) {
  const made = await client.post(`${organizationPath}/cluster`, { ...minimal, ...rest });
  return { id: made.id, path: `${organizationPath}/cluster/${made.id}` };
}

test("a new cluster is not deployed; the clusters of a seed are", async () => {
  const world = await startWorld();
  const { client, organizationPath } = world;
  const { id, path } = await newCluster(world);
  expect(await client.get(`${path}/status`)).toEqual({
    cluster_id: id,
    status: "READY",
    is_deployed: false,
    next_k8s_available_version: null,
    last_execution_id: null,
    cluster_lock: null,
    last_deployment_date: null,
    reason: "UNSPECIFIED",
  });
  const states = (await client.list(`${organizationPath}/cluster`)).map(
    ({ name, status, deployment_status }) => `${String(name)} ${String(status)} ${String(deployment_status)}`,
  );
  expect(states).toEqual([
    "eu-west DEPLOYED UP_TO_DATE",
    "us-east DEPLOYED UP_TO_DATE",
    "rack READY NEVER_DEPLOYED",
  ]);
});

test("the clusters of a seed have credentials of their provider: their own, those of the seed, or an example", async () => {
  const seed = {
    credentials: [{ provider: "gcp", name: "google", gcp_credentials: "example" }],
    clusters: [
      { name: "a", region: "eu-west-3", cloud_provider: "AWS" },
      { name: "b", region: "europe-west9", cloud_provider: "GCP" },
      {
        name: "c",
        region: "europe-west9",
        cloud_provider: "GCP",
        cloud_provider_credentials: { credentials: { id: "google" } },
      },
      { name: "d", region: "fr-par", cloud_provider: "SCW" },
    ],
  };
  for (const [given, names] of [
    [{}, ["example-aws", "example-aws"]],
    [seed, ["example-aws", "google", "google", "example-scw"]],
  ] as const) {
    const { client, organizationPath } = await startWorld({ seed: given });
    const listed = await client.list(`${organizationPath}/credentials`);
    const known = listed.map(({ credential }) => (credential as Resource).id);
    const clusters = await client.list(`${organizationPath}/cluster`);
    expect(clusters.map(({ description }) => description)).toEqual(names.map(() => ""));
    const infos = await Promise.all(
      clusters.map(({ id }) => client.get(`${organizationPath}/cluster/${id}/cloudProviderInfo`)),
    );
    const found = infos.map(({ credentials }) => credentials as Resource);
    expect(found.map(({ name }) => name)).toEqual(names);
    expect(known).toEqual(expect.arrayContaining(found.map(({ id }) => id)));
  }
});

test("a deployment and a stop of a cluster pass through their states by the clock", async () => {
  const world = await startWorld({ behaviour: { deploy_delay_ms: 2000 } });
  const { client, advance } = world;
  const { path } = await newCluster(world);
  const state = async () => (await client.get(`${path}/status`))["status"];
  const isReady = async () => (await client.get(`${path}/isReady`))["is_ready"];
  expect((await client.call("POST", `${path}/deploy`)).body).toMatchObject({ status: "DEPLOYMENT_QUEUED" });
  for (const [method, busy] of [
    ["POST", `${path}/deploy`],
    ["POST", `${path}/stop`],
    ["DELETE", path],
  ] as const) {
    const { status, message } = await client.fails(method, busy);
    expect([status, message]).toEqual([409, expect.stringContaining("another operation is in progress")]);
  }
  await advance(1000);
  expect([await state(), await isReady()]).toEqual(["DEPLOYING", false]);
  await advance(1000);
  expect([await state(), await isReady()]).toEqual(["DEPLOYED", true]);
  expect((await client.call("POST", `${path}/stop`)).body).toMatchObject({ status: "STOP_QUEUED" });
  await advance(1000);
  expect(await state()).toBe("STOPPING");
  await advance(1000);
  expect([await state(), await isReady()]).toEqual(["STOPPED", false]);
  expect(await client.fails("POST", `${path}/stop`)).toEqual({
    status: 409,
    message: "the cluster rack is not deployed",
  });
});

test("a dry run changes nothing, and a fault makes a deployment fail", async () => {
  const world = await startWorld();
  const { client, control, advance } = world;
  const { path } = await newCluster(world);
  expect(await client.post(`${path}/deploy?dry_run=true`)).toMatchObject({ status: "DRY_RUN" });
  expect(await client.get(`${path}/status`)).toMatchObject({ status: "READY" });
  await control.post("/_emulator/faults", [{ path: "/**/deploy", fail_deployment: true }]);
  await client.post(`${path}/deploy`);
  await advance(10_000);
  expect(await client.get(`${path}/status`)).toMatchObject({
    status: "DEPLOYMENT_ERROR",
    is_deployed: false,
  });
});

test("a change of a deployed cluster makes it out of date until its next deployment", async () => {
  const world = await startWorld({ behaviour: { deploy_delay_ms: 0 } });
  const { client, organizationPath } = world;
  const { id, path } = await newCluster(world);
  const status = async () =>
    (await client.list(`${organizationPath}/cluster`)).find((cluster) => cluster.id === id)?.[
      "deployment_status"
    ];
  const changes: [string, object][] = [
    [path, { ...minimal, max_running_nodes: 5 }],
    [`${path}/advancedSettings`, { "loki.log_retention_in_week": 4 }],
    [`${path}/routingTable`, { routes: [] }],
    [`/cluster/${id}/dnsProvider`, { dns_provider: { provider: "QOVERY", domain: "a.example" } }],
  ];
  for (const [changed, body] of changes) {
    await client.post(`${path}/deploy`);
    expect(await status()).toBe("UP_TO_DATE");
    await client.put(changed, body);
    expect(await status(), changed).toBe("OUT_OF_DATE");
  }
});

test("provider, region and kind of a cluster cannot be changed; a PUT resets what it leaves out", async () => {
  const world = await startWorld();
  const { client } = world;
  const { path } = await newCluster(world, { max_running_nodes: 9, production: true });
  for (const change of [{ region: "eu-west-1" }, { cloud_provider: "GCP" }, { kubernetes: "SELF_MANAGED" }]) {
    const { status, message } = await client.fails("PUT", path, { ...minimal, ...change });
    expect([status, message]).toEqual([400, expect.stringContaining("cannot be changed after the creation")]);
  }
  const edited = await client.put(path, { ...minimal, name: "Rack" });
  expect(edited).toMatchObject({ name: "Rack", max_running_nodes: 10 });
  expect(edited).not.toHaveProperty("production");
});

test("a PUT without credentials keeps them; those of another provider get 400", async () => {
  const world = await startWorld();
  const { client, organizationPath } = world;
  const key = { type: "AWS_STATIC", name: "aws", access_key_id: "A", secret_access_key: "s" };
  const aws = await client.post(`${organizationPath}/aws/credentials`, key);
  const cellar = await client.post(`${organizationPath}/onPremise/credentials`, { name: "cellar" });
  const { path } = await newCluster(world, { cloud_provider_credentials: { credentials: { id: aws.id } } });
  await client.put(path, { ...minimal, disk_size: 80 });
  expect(await client.get(`${path}/cloudProviderInfo`)).toEqual({
    cloud_provider: "AWS",
    credentials: { id: aws.id, name: "aws" },
    region: "eu-west-3",
  });
  expect(await client.fails("POST", `${path}/cloudProviderInfo`, { credentials: { id: cellar.id } })).toEqual(
    { status: 400, message: "credentials.id: cellar are credentials of ON_PREMISE, not of AWS" },
  );
});

test("a cluster that holds environments is not deleted", async () => {
  const world = await startWorld({ behaviour: { delete_delay_ms: 1000 } });
  const { client, projectId, advance, organizationPath } = world;
  const { id, path } = await newCluster(world);
  const environment = await client.post(`/project/${projectId}/environment`, { name: "e", cluster: id });
  expect((await client.fails("DELETE", `${path}?deleteMode=ALL`)).message).toContain(
    "deleteMode: must be one of ",
  );
  expect(await client.fails("DELETE", path)).toEqual({
    status: 409,
    message: "rack is used by environment e",
  });
  await client.delete(`/environment/${environment.id}`);
  await advance(1000);
  await client.delete(path);
  expect(await client.get(`${path}/status`)).toMatchObject({ status: "DELETE_QUEUED" });
  expect((await client.fails("PUT", path, minimal)).status).toBe(409);
  await client.delete(path);
  await advance(500);
  expect(await client.get(`${path}/status`)).toMatchObject({ status: "DELETING" });
  await advance(500);
  expect((await client.fails("GET", `${path}/status`)).status).toBe(404);
  const { events } = await client.get<{ events: Resource[] }>(
    `${organizationPath}/events?targetType=CLUSTER`,
  );
  expect(events.map(({ event_type }) => event_type).slice(0, 3)).toEqual([
    "DELETE",
    "DELETE_QUEUED",
    "CREATE",
  ]);
});

test("a locked cluster is not deployed, stopped or deleted, until its lock is removed or its days are over", async () => {
  const world = await startWorld({ behaviour: { deploy_delay_ms: 0 } });
  const { client, advance } = world;
  const { id, path } = await newCluster(world);
  const lock = `/cluster/${id}/lock`;
  const made = await client.post(lock, { reason: "an audit" });
  expect(made).toMatchObject({ cluster_id: id, reason: "an audit", owner_name: "admin" });
  expect((await client.get(`${path}/status`))["cluster_lock"]).toEqual(made);
  const refused = { status: 409, message: "the cluster rack is locked by admin: an audit" };
  expect(await client.fails("POST", `${path}/deploy`)).toEqual(refused);
  expect(await client.fails("POST", `${path}/stop`)).toEqual(refused);
  expect(await client.fails("DELETE", path)).toEqual(refused);
  expect((await client.fails("POST", lock, { reason: "mine" })).status).toBe(409);
  await client.delete(lock);
  expect((await client.fails("DELETE", lock)).status).toBe(404);
  await client.post(`${path}/deploy`);

  await client.post(lock, { reason: "a freeze", ttl_in_days: 2 });
  await advance(2 * 24 * 3600_000 - 1000);
  expect((await client.fails("DELETE", path)).status).toBe(409);
  await advance(1000);
  await client.delete(path);
});

test("only an admin reads the kubeconfig of a cluster, which exists once the cluster is deployed", async () => {
  const world = await startWorld({ behaviour: { deploy_delay_ms: 0 } });
  const { client, emulator } = world;
  const { path } = await newCluster(world);
  expect(await client.fails("GET", `${path}/kubeconfig`)).toMatchObject({ status: 404 });
  await client.post(`${path}/deploy`);
  const answer = await client.call<string>("GET", `${path}/kubeconfig`);
  expect(answer.headers.get("content-type")).toContain("application/x-yaml");
  expect(answer.body).toContain("kind: Config");
  expect(await client.get<string>(`${path}/kubeconfig?read_only=true`)).toContain("user: viewer");
  for (const role of ["read", "deploy", "write"] as const) {
    const other = new Client(emulator.url, emulator.tokens[role]);
    expect((await other.call("GET", `${path}/kubeconfig`)).status, role).toBe(403);
  }
});

test("a cluster of the user's own gets its kubeconfig as YAML; other operations refuse YAML", async () => {
  const world = await startWorld();
  const { client } = world;
  const { path } = await newCluster(world, { kubernetes: "SELF_MANAGED" });
  const send = async (target: string) => {
    const headers = { ...client.headers, "content-type": "application/x-yaml" };
    return (await fetch(client.url + target, { method: "PUT", headers, body: "a: 1\n" })).status;
  };
  expect(await send(`${path}/kubeconfig`)).toBe(204);
  expect(await client.get<string>(`${path}/kubeconfig`)).toBe("a: 1\n");
  expect(await send(path)).toBe(415);
  expect((await client.fails("PUT", `${path}/kubeconfig`, { a: 1 })).status).toBe(400);
});

test("a cluster of another organization is not found", async () => {
  const world = await startWorld();
  const { client } = world;
  const { id } = await newCluster(world);
  const other = await client.post("/organization", { name: "other", plan: "FREE" });
  expect((await client.fails("GET", `/organization/${other.id}/cluster/${id}/status`)).status).toBe(404);
  expect((await client.fails("DELETE", `/organization/${other.id}/cluster/${id}`)).status).toBe(404);
  expect((await client.fails("POST", `/cluster/${unknownId}/lock`, { reason: "r" })).status).toBe(404);
});
