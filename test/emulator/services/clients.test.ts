import { expect, onTestFinished, test } from "vitest";
import { createEmulator } from "../../../emulator/index.ts";
import { Client } from "../../fixtures/client.ts";
import type { Resource } from "../../fixtures/client.ts";
import { startWorld, unknownId } from "../start-world.ts";

// Behaviour that clients of the public interface rely on, beyond its description.

const web = { name: "web", git_repository: { url: "https://github.com/acme/web" } };
const open = { internal_port: 8080, publicly_accessible: true };
const closed = { internal_port: 9090, publicly_accessible: false };

function container(registryId: string | undefined, rest: object = {}) {
  return { name: "api", registry_id: registryId, image_name: "acme/api", tag: "1", ...rest };
}

test("a missing description is an empty text", async () => {
  const { client, emulator, organizationPath, projectId, environmentId, job } = await startWorld();
  const path = `/environment/${environmentId}`;
  const made = [
    await client.get(organizationPath),
    await client.get(`/project/${projectId}`),
    await client.post(`${path}/job`, job("a")),
    await client.post(`${path}/application`, web),
    await client.post(`${path}/container`, container(emulator.registries[0]?.id)),
    await client.post(`${path}/deploymentStage`, { name: "first" }),
    await client.post(`${organizationPath}/helmRepository`, {
      name: "charts",
      kind: "HTTPS",
      skip_tls_verification: false,
      config: {},
    }),
    ...(await client.list(`${organizationPath}/containerRegistry`)),
    ...(await client.list(`/project/${projectId}/environmentVariable`)),
  ];
  expect(made.map(({ description }) => description)).toEqual(made.map(() => ""));
});

test("a variable without a description has an empty text, in every list", async () => {
  const { client, projectId, environmentId } = await startWorld();
  const place = { variable_scope: "PROJECT", variable_parent_id: projectId };
  const made = await client.post("/variable", { key: "LEVEL", value: "info", is_secret: false, ...place });
  await client.post(`/project/${projectId}/secret`, { key: "PASSWORD", value: "x" });
  const listed = [
    made,
    ...(await client.list(`/variable?parent_id=${projectId}&scope=PROJECT`)),
    ...(await client.list(`/project/${projectId}/secret`)),
    ...(await client.list(`/environment/${environmentId}/environmentVariable`)),
  ];
  expect(listed.map(({ key, description }) => [key, description])).toEqual(
    listed.map(({ key }) => [key, ""]),
  );
});

test("a port with an empty id is a new one", async () => {
  const { client, environmentId } = await startWorld();
  const path = `/environment/${environmentId}/application`;
  const made = await client.post(path, { ...web, ports: [{ ...open, id: "" }] });
  const [port] = made["ports"] as Resource[];
  expect(port?.id).toMatch(/^[\da-f-]{36}$/);
  const changed = await client.put(`/application/${made.id}`, {
    ...web,
    ports: [port, { ...closed, id: "" }],
  });
  expect((changed["ports"] as Resource[]).map(({ id }) => id)).toEqual([port?.id, expect.any(String)]);
});

test("every port has a name, and the first public port is the default", async () => {
  const { client, environmentId } = await startWorld();
  const path = `/environment/${environmentId}/application`;
  const made = await client.post(path, { ...web, ports: [closed, open, { ...open, internal_port: 81 }] });
  expect(made["ports"]).toMatchObject([
    { name: "p9090", is_default: false },
    { name: "p8080", is_default: true },
    { name: "p81", is_default: false },
  ]);
  const chosen = [open, { ...open, internal_port: 81, name: "admin", is_default: true }];
  const other = await client.post(path, { ...web, name: "other", ports: chosen });
  expect(other["ports"]).toMatchObject([
    { name: "p8080", is_default: false },
    { name: "admin", is_default: true },
  ]);
});

test.for([
  ["POSTGRESQL", 100],
  ["MYSQL", 512],
  ["MONGODB", 256],
] as const)("a %s has %i MiB, an instance type, a host and master credentials", async ([type, memory]) => {
  const { client, environmentId } = await startWorld();
  const body = { name: "db", type, version: "1", mode: "CONTAINER" };
  const database = await client.post(`/environment/${environmentId}/database`, body);
  expect(database).toMatchObject({
    memory,
    instance_type: "aws-ebs-gp3-0",
    icon_uri: "app://qovery-console/database",
  });
  const host = `z${database.id.slice(0, 8)}-${type.toLowerCase()}`;
  const credentials = await client.get<object>(`/database/${database.id}/masterCredentials`);
  expect(credentials).toEqual({
    host,
    port: database["port"],
    login: "admin",
    password: expect.stringMatching(/./) as string,
  });
  const key = `QOVERY_${type}_Z${database.id.slice(0, 8).toUpperCase()}_HOST_INTERNAL`;
  const variables = await client.list(`/environment/${environmentId}/environmentVariable`);
  expect(variables.find((variable) => variable["key"] === key)).toMatchObject({ value: host });
});

test("a repository has the branch main by default, and icons are those of the console", async () => {
  const { client, environmentId, job } = await startWorld();
  const path = `/environment/${environmentId}`;
  const application = await client.post(`${path}/application`, web);
  expect(application).toMatchObject({
    git_repository: { branch: "main" },
    icon_uri: "app://qovery-console/application",
  });
  const cron = job("c", { schedule: { cronjob: { scheduled_at: "0 3 * * *" } } });
  expect(await client.post(`${path}/job`, cron)).toMatchObject({ icon_uri: "app://qovery-console/cron-job" });
});

test("auto_preview comes from the deployment rule of the environment unless the service has its own", async () => {
  const { client, environmentId, job } = await startWorld();
  const path = `/environment/${environmentId}`;
  const made = await client.post(`${path}/job`, job("a"));
  const own = await client.post(`${path}/application`, { ...web, auto_preview: true });
  expect([made["auto_preview"], own["auto_preview"]]).toEqual([false, true]);
  const { id, ...rule } = await client.get(`${path}/deploymentRule`);
  await client.put(`${path}/deploymentRule/${id}`, { ...rule, auto_preview: true });
  expect((await client.get(`/job/${made.id}`))["auto_preview"]).toBe(true);
  expect((await client.fails("PUT", `${path}/deploymentRule/${unknownId}`, rule)).status).toBe(404);
});

test("the host of a Helm chart begins with helm", async () => {
  const { client, environmentId } = await startWorld();
  const path = `/environment/${environmentId}`;
  const { id } = await client.post(`${path}/helm`, {
    name: "monitoring",
    allow_cluster_wide_resources: false,
    arguments: [],
    auto_deploy: false,
    source: { git_repository: { url: "https://github.com/acme/charts" } },
    values_override: {},
  });
  const key = `QOVERY_HELM_Z${id.slice(0, 8).toUpperCase()}_HOST_INTERNAL`;
  const variables = await client.list(`${path}/environmentVariable`);
  expect(variables.find((variable) => variable["key"] === key)).toMatchObject({
    value: `helm-z${id.slice(0, 8)}`,
  });
});

test("a service has an external host as long as it has a public port", async () => {
  const { client, environmentId, emulator } = await startWorld();
  const path = `/environment/${environmentId}`;
  const keys = async () =>
    (await client.list(`${path}/environmentVariable`))
      .filter(({ key }) => String(key).includes("_CONTAINER_"))
      .map(({ key, value }) => [key, value]);
  const body = container(emulator.registries[0]?.id, { ports: [closed] });
  const { id } = await client.post(`${path}/container`, body);
  const stem = `QOVERY_CONTAINER_Z${id.slice(0, 8).toUpperCase()}`;
  const internal = [`${stem}_HOST_INTERNAL`, `app-z${id.slice(0, 8)}`];
  expect(await keys()).toEqual([internal]);
  expect(await client.list(`/container/${id}/link`)).toEqual([]);

  await client.put(`/container/${id}`, { ...body, ports: [closed, open] });
  const host = `z${id.slice(0, 8)}.apps.internal`;
  expect(await keys()).toEqual([internal, [`${stem}_HOST_EXTERNAL`, host]]);
  await client.post(`/container/${id}/customDomain`, { domain: "api.acme.com", generate_certificate: true });
  expect(await client.list(`/container/${id}/link`)).toMatchObject([
    { service_id: id, url: `https://${host}`, internal_port: 8080, is_qovery_domain: true, is_default: true },
    { url: "https://api.acme.com", is_qovery_domain: false },
  ]);

  await client.put(`/container/${id}`, body);
  expect(await keys()).toEqual([internal]);
});

/** The built-in variables that the services of an environment see, by the key without the prefix and the id. */
async function builtIns(client: Client, path: string): Promise<Record<string, unknown>> {
  const listed = [
    ...(await client.list(`${path}/environmentVariable`)),
    ...(await client.list(`${path}/secret`)),
  ];
  const entries = listed
    .filter(({ scope }) => scope === "BUILT_IN")
    .map(({ key, value = "a secret" }) => [String(key).replace(/^QOVERY_(?:.*_Z[0-9A-F]{8}_)?/, ""), value]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

test("a new database tells its hosts, its user and its URLs", async () => {
  const { client, environmentId } = await startWorld();
  const path = `/environment/${environmentId}`;
  const body = { name: "orders", type: "POSTGRESQL", version: "16", mode: "CONTAINER" };
  const { id } = await client.post(`${path}/database`, body);
  const host = `z${id.slice(0, 8)}-postgresql`;
  expect(await builtIns(client, path)).toMatchObject({
    HOST: `${host}.apps.internal`,
    HOST_INTERNAL: host,
    PORT: "5432",
    LOGIN: "admin",
    PASSWORD: "a secret",
    DATABASE: "default",
    DATABASE_URL: "a secret",
    DATABASE_URL_INTERNAL: "a secret",
  });
});

test("a new application tells its name, its branch, its commit and its environment, and what it runs in", async () => {
  const { client, environmentId } = await startWorld({ behaviour: { deploy_delay_ms: 0 } });
  const path = `/environment/${environmentId}`;
  const { id } = await client.post(`${path}/application`, web);
  const own = `/application/${id}`;
  expect(await builtIns(client, own)).toMatchObject({
    APPLICATION_ID: id,
    NAME: "web",
    ENVIRONMENT_NAME: "staging",
    GIT_BRANCH: "main",
    GIT_COMMIT_ID: "",
    CLOUD_PROVIDER: "AWS",
    CLOUD_PROVIDER_REGION: "eu-west-3",
    KUBERNETES_CLUSTER_NAME: expect.stringMatching(/^cluster-z/) as string,
    KUBERNETES_CLUSTER_VPC_ID: expect.stringMatching(/^vpc-/) as string,
    KUBERNETES_NAMESPACE_NAME: expect.stringMatching(/^z/) as string,
  });
  await client.put(own, { ...web, name: "shop", git_repository: { ...web.git_repository, branch: "next" } });
  await client.put(path, { name: "testing" });
  await client.post(`${own}/deploy`, { git_commit_id: "abc" });
  expect(await builtIns(client, own)).toMatchObject({
    NAME: "shop",
    ENVIRONMENT_NAME: "testing",
    GIT_BRANCH: "next",
    GIT_COMMIT_ID: "abc",
  });
});

test("a new job tells its id", async () => {
  const { client, environmentId, job } = await startWorld();
  const { id } = await client.post(`/environment/${environmentId}/job`, job("report"));
  expect(await builtIns(client, `/job/${id}`)).toMatchObject({ JOB_ID: id, CLOUD_PROVIDER: "AWS" });
});

test("the prefix of built-in variables is configurable", async () => {
  const { client, projectId } = await startWorld({ behaviour: { built_in_prefix: "ACME" } });
  expect(await client.list(`/project/${projectId}/environmentVariable`)).toMatchObject([
    { key: "ACME_PROJECT_ID" },
    { key: "ACME_PROJECT_NAME" },
  ]);
});

test("with the option, a missing resource is 403, and an unknown path stays 404", async () => {
  const { client, projectId } = await startWorld({ behaviour: { forbidden_for_missing: true } });
  const answer = await client.fails("GET", `/project/${unknownId}`);
  expect(answer).toEqual({ status: 403, message: "access to this resource is denied" });
  expect((await client.call("GET", `/project/${projectId}`)).status).toBe(200);
  expect((await client.call("GET", "/no/such/path")).status).toBe(404);
});

test("stages can be moved before and after each other", async () => {
  const { client, environmentId } = await startWorld();
  const path = `/environment/${environmentId}/deploymentStage`;
  const a = await client.post(path, { name: "a" });
  const b = await client.post(path, { name: "b" });
  const [start] = await client.list(path);
  const names = async () => (await client.list(path)).map(({ name }) => name);
  const moved = await client.put<{ results: Resource[] }>(
    `/deploymentStage/${b.id}/moveBefore/${start?.id}`,
    null,
  );
  expect(moved.results.map(({ name }) => name)).toEqual(["b", "DEFAULT", "a"]);
  await client.put(`/deploymentStage/${b.id}/moveAfter/${a.id}`);
  expect(await names()).toEqual(["DEFAULT", "a", "b"]);
  await client.put(`/deploymentStage/${b.id}/moveAfter/${b.id}`);
  expect(await names()).toEqual(["DEFAULT", "a", "b"]);
  expect((await client.fails("PUT", `/deploymentStage/${b.id}/moveAfter/${unknownId}`)).status).toBe(404);
});

test("an optional body may be null; a version and the id of a storage may be empty", async () => {
  const { client, environmentId, emulator } = await startWorld({ behaviour: { deploy_delay_ms: 0 } });
  const path = `/environment/${environmentId}`;
  const storage = [{ id: "", type: "FAST_SSD", size: 1, mount_point: "/a" }];
  const body = container(emulator.registries[0]?.id, { storage });
  const made = await client.post<Resource & { storage: Resource[] }>(`${path}/container`, body);
  expect(made.storage[0]?.id).toMatch(/^[\da-f-]{36}$/);
  const [stage] = await client.list(`${path}/deploymentStage`);
  await client.put(`/deploymentStage/${stage?.id}/service/${made.id}`, null);
  await client.post(`${path}/cancelDeployment`, null);
  await client.post(`/container/${made.id}/deploy`, { image_tag: "" });
  expect(await client.get(`/container/${made.id}`)).toMatchObject({ tag: "1" });
  expect(await client.list(`/container/${made.id}/deploymentHistoryV2`)).toMatchObject([
    { identifier: { service_id: made.id, name: "api" }, status: "DEPLOYED" },
  ]);
});

test("a new token can have any of the available roles", async () => {
  const { client, organizationPath } = await startWorld();
  const roles = await client.list(`${organizationPath}/availableRole`);
  expect(roles.map(({ name }) => name)).toEqual([
    "Admin",
    "Read",
    "Deploy",
    "Write",
    "Owner",
    "DevOps",
    "Billing",
    "Viewer",
  ]);
  const body = { name: "ci", role_id: roles[2]?.id };
  expect(await client.post(`${organizationPath}/apiToken`, body)).toMatchObject({ role_name: "Deploy" });
});

test("the organization in a seed accepts every member", async () => {
  const organization = {
    name: "acme",
    description: "all of it",
    plan: "ENTERPRISE" as const,
    website_url: "https://acme.example",
    repository: "https://github.com/acme",
    logo_url: "https://acme.example/logo.svg",
    icon_url: "https://acme.example/icon.svg",
    admin_emails: ["admin@acme.example"],
  };
  const emulator = await createEmulator({ seed: { organization } });
  onTestFinished(() => emulator.close());
  const client = new Client(emulator.url, emulator.tokens.read);
  expect(await client.get(`/organization/${emulator.organization.id}`)).toMatchObject({
    ...organization,
    organization_plan: { plan: "ENTERPRISE" },
  });
});
