import * as bodies from "./bodies.ts";
import type { References } from "./bodies.ts";
import type { Client, Resource } from "../fixtures/client.ts";
import { everyClusterOperation } from "./every-cluster-operation.ts";
import { everyFurtherOperation } from "./every-further-operation.ts";
import { everyOrganizationOperation, everyRuleOperation } from "./every-organization-operation.ts";
import { everyVariableOperation } from "./every-variable-operation.ts";

/** Uses every operation of the emulator, each with success: what the shapes of the API do not have with `further`, the rest with `client`. */
export async function everyOperation(
  client: Client,
  further: Client,
  settle: () => Promise<void>,
): Promise<void> {
  const [organization] = await client.list("/organization");
  if (!organization) throw new Error("no organization");
  const root = `/organization/${organization.id}`;
  const references = await administration(client, root);
  await everyOrganizationOperation(client, root);
  await everyClusterOperation(client, root, settle);
  await defaults(client);

  const project = await client.post(`${root}/project`, { name: "shop", description: "the shop" });
  await client.get(`/project/${project.id}`);
  await client.put(`/project/${project.id}`, { name: "shop", description: "all of it" });
  const clusters = await client.list(`${root}/cluster`);
  await everyRuleOperation(client, project.id, clusters[0]?.id ?? "");
  const environments = `/project/${project.id}/environment`;
  const body = { name: "staging", mode: "STAGING", cluster: clusters[0]?.id };
  const environment = await client.post(environments, body);

  const services = await createServices(client, environment.id, references);
  await everyVariableOperation(client, project, environment, services);
  for (const [kind, service] of Object.entries(services))
    await serviceOperations(client, kind, service, settle);
  await stages(client, environment.id, services);
  await lists(client, root, project.id, environment.id);
  await environmentOperations(client, environment.id, services, settle);
  await client.post(`${root}/job/deploy`, { image_name: "acme/report", tag: "2" });
  await settle();
  await everyFurtherOperation(further, root, environment.id, services);
  await history(client, root, environment.id, services);
  await deletions(client, root, project.id, environment.id, services);
}

async function administration(client: Client, root: string): Promise<References> {
  const other = await client.post("/organization", { name: "other", plan: "FREE", website_url: null });
  await client.get(`/organization/${other.id}`);
  await client.put(`/organization/${other.id}`, { name: "others", description: "renamed" });
  await client.delete(`/organization/${other.id}`);

  const tokens = await client.list(`${root}/apiToken?name=admin`);
  await client.post(`${root}/apiToken`, { name: "ci", role_id: tokens[0]?.["role_id"] });
  await client.list(`${root}/availableRole`);
  const cluster = { name: "ap-south", region: "ap-south-1", cloud_provider: "AWS", production: false };
  await client.post(`${root}/cluster`, cluster);

  const webhook = { kind: "STANDARD", target_url: "http://127.0.0.1:9/", events: ["DEPLOYMENT_STARTED"] };
  await family(client, `${root}/webhook`, webhook, { ...webhook, enabled: false });

  const registry = { name: "ghcr", kind: "GITHUB_CR", config: { username: "acme", password: "secret" } };
  const helm = {
    name: "charts",
    kind: "HTTPS",
    url: "https://charts.example.com",
    skip_tls_verification: false,
  };
  const gitToken = { name: "gitlab", type: "GITLAB", token: "secret" };
  const annotations = { name: "a", annotations: [{ key: "k", value: "v" }], scopes: ["PODS"] };
  const labels = { name: "l", labels: [{ key: "k", value: "v", propagate_to_cloud_provider: true }] };
  for (const [path, body] of [
    ["containerRegistry", registry],
    ["helmRepository", { ...helm, config: { username: "acme" } }],
    ["gitToken", gitToken],
    ["annotationsGroups", annotations],
    ["labelsGroups", labels],
  ] as const) {
    await family(client, `${root}/${path}`, body, { ...body, name: `${body.name}-2` });
  }
  const chart = await client.post(`${root}/helmRepository`, { ...helm, config: {} });
  const first = async (path: string) => (await client.list(`${root}/${path}`))[0]?.id ?? "";
  return {
    registryId: await first("containerRegistry"),
    gitTokenId: await first("gitToken"),
    helmRepositoryId: chart.id,
    annotationsGroupId: await first("annotationsGroups"),
    labelsGroupId: await first("labelsGroups"),
  };
}

/** List, create, get, edit, delete. */
async function family(client: Client, path: string, body: object, edit: object): Promise<void> {
  const { id } = await client.post(path, body);
  await client.list(path);
  await client.get(`${path}/${id}`);
  await client.put(`${path}/${id}`, edit);
  await client.delete(`${path}/${id}`);
}

async function defaults(client: Client): Promise<void> {
  for (const kind of ["Application", "Container", "Job", "Helm", "Terraform"]) {
    await client.get(`/default${kind}AdvancedSettings`);
  }
}

type Services = Record<string, Resource>;

async function createServices(
  client: Client,
  environmentId: string,
  references: References,
): Promise<Services> {
  const made: Services = {};
  const inEnvironment = `/environment/${environmentId}`;
  const desired = {
    application: bodies.application(references, "web"),
    container: bodies.container(references, "api"),
    database: bodies.database(references, "orders"),
    helm: bodies.helmOfGit(references, "monitoring"),
    job: bodies.cronJob(references, "nightly"),
    terraform: bodies.terraform(references, "buckets"),
  };
  for (const [kind, body] of Object.entries(desired)) {
    made[kind] = await client.post(`${inEnvironment}/${kind}`, body);
  }
  await client.post(`${inEnvironment}/helm`, bodies.helmOfRepository(references, "cache"));
  await client.post(`${inEnvironment}/job`, bodies.lifecycleJob(references, "migrate"));
  const { application, container, database, helm, job, terraform } = made;
  const { type: _type, mode: _mode, ...databaseEdit } = desired.database;
  const ports = application?.["ports"];
  await client.put(`/application/${application?.id}`, { ...desired.application, ports, cpu: 500 });
  await client.put(`/container/${container?.id}`, { ...desired.container, cpu: 500 });
  await client.put(`/database/${database?.id}`, { ...databaseEdit, cpu: 500 });
  await client.put(`/helm/${helm?.id}`, { ...desired.helm, timeout_sec: 600 });
  await client.put(`/job/${job?.id}`, { ...desired.job, cpu: 500 });
  await client.put(`/terraform/${terraform?.id}`, { ...desired.terraform, timeout_sec: 900 });
  return made;
}

async function serviceOperations(
  client: Client,
  kind: string,
  service: Resource,
  settle: () => Promise<void>,
) {
  const path = `/${kind}/${service.id}`;
  await client.get(path);
  const actions: Record<string, [string, unknown?][]> = {
    application: [["deploy", { git_commit_id: "abc" }], ["redeploy"], ["restart-service"], ["stop"]],
    container: [["deploy", { image_tag: "2" }], ["redeploy"], ["restart-service"], ["stop"]],
    database: [["deploy"], ["redeploy"], ["restart-service"], ["stop"]],
    helm: [["deploy", { git_commit_id: "abc" }], ["redeploy"], ["stop"]],
    job: [["deploy", { image_tag: "1.5" }], ["redeploy"], ["stop"]],
    terraform: [["deploy", { action: "PLAN" }], ["redeploy"]],
  };
  for (const [action, body] of actions[kind] ?? []) {
    await client.post(`${path}/${action}`, body);
    await settle();
  }
  if (kind !== "terraform") await client.get(`${path}/status`);
  await client.list(`${path}/deploymentHistoryV2?pageSize=2`);
  if (kind === "database") await databaseOperations(client, path);
  if (kind !== "database") {
    const settings = await client.get(`${path}/advancedSettings`);
    await client.put(`${path}/advancedSettings`, settings);
  }
  if (["application", "container"].includes(kind)) {
    await client.get(`${path}/network`);
    await client.put(`${path}/network`, { sticky_session: true });
  }
  if (["application", "helm", "job", "terraform"].includes(kind)) {
    const restriction = { mode: "MATCH", type: "PATH", value: "src/" };
    const { id } = await client.post(`${path}/deploymentRestriction`, restriction);
    await client.list(`${path}/deploymentRestriction`);
    await client.put(`${path}/deploymentRestriction/${id}`, { ...restriction, mode: "EXCLUDE" });
    await client.delete(`${path}/deploymentRestriction/${id}`);
  }
  if (["application", "container", "helm"].includes(kind)) {
    const domain = { domain: `${kind}.example.com`, generate_certificate: true };
    const { id } = await client.post(`${path}/customDomain`, domain);
    await client.list(`${path}/customDomain`);
    if (kind === "helm") await client.get(`${path}/customDomain/${id}`);
    await client.put(`${path}/customDomain/${id}`, { ...domain, use_cdn: true });
    await client.list(`${path}/link`);
    await client.delete(`${path}/customDomain/${id}`);
  }
  const target = service["environment"] as Resource;
  const clone = await client.post(`${path}/clone`, { name: `${kind}-copy`, environment_id: target.id });
  await client.delete(`/${kind}/${clone.id}`);
}

async function databaseOperations(client: Client, path: string): Promise<void> {
  await client.get(`${path}/masterCredentials`);
  await client.list(`${path}/version`);
  const { id } = await client.post(`${path}/backup`, { name: "before the move", message: "" });
  await client.list(`${path}/backup`);
  await client.delete(`${path}/backup/${id}`);
}

async function stages(client: Client, environmentId: string, services: Services): Promise<void> {
  const path = `/environment/${environmentId}/deploymentStage`;
  const stage = await client.post(path, { name: "first", description: "before all" });
  await client.list(path);
  await client.get(`/deploymentStage/${stage.id}`);
  await client.put(`/deploymentStage/${stage.id}`, { name: "databases" });
  const database = services["database"]?.id;
  await client.put(`/deploymentStage/${stage.id}/service/${database}`, { is_skipped: true });
  await client.put(`/deploymentStage/${stage.id}/service/${database}`);
  await client.get(`/service/${database}/deploymentStage`);
  const [start] = await client.list(path);
  await client.put(`/deploymentStage/${stage.id}/moveBefore/${start?.id}`);
  await client.put(`/deploymentStage/${stage.id}/moveAfter/${start?.id}`, null);
  await client.delete(`/deploymentStage/${stage.id}`);
}

async function lists(client: Client, root: string, projectId: string, environmentId: string): Promise<void> {
  for (const path of ["project", "environments", "services", "cluster"]) await client.list(`${root}/${path}`);
  for (const path of ["", "/status", "/stats", "/overview"]) {
    await client.list(`/project/${projectId}/environment${path}`);
  }
  for (const kind of ["application", "container", "database", "helm", "job", "terraform"]) {
    await client.list(`/environment/${environmentId}/${kind}`);
    if (kind !== "terraform") await client.list(`/environment/${environmentId}/${kind}/status`);
  }
  await client.list(`/environment/${environmentId}/services?page=1&page_size=3`);
}

async function environmentOperations(
  client: Client,
  id: string,
  services: Services,
  settle: () => Promise<void>,
): Promise<void> {
  const path = `/environment/${id}`;
  await client.get(path);
  await client.put(path, { name: "staging", mode: "DEVELOPMENT" });
  const { id: ruleId, ...rule } = await client.get(`${path}/deploymentRule`);
  await client.put(`${path}/deploymentRule/${ruleId}`, { ...rule, auto_preview: true });
  const of = (kind: string) => services[kind]?.id;
  const steps: [string, unknown?][] = [
    ["deploy"],
    ["cancelDeployment", { force_cancel: true }],
    ["redeploy"],
    ["stop"],
    [
      "service/deploy",
      {
        applications: [{ application_id: of("application"), git_commit_id: "abc" }],
        databases: [of("database")],
        containers: [{ id: of("container"), image_tag: "3" }],
        jobs: [{ id: of("job"), image_tag: "2" }],
        helms: [{ id: of("helm") }],
        terraforms: [{ id: of("terraform") }],
      },
    ],
    ["service/restart-service", { application_ids: [of("application")], container_ids: [of("container")] }],
    ["service/stop", { job_ids: [of("job")], helm_ids: [of("helm")] }],
  ];
  for (const [step, body] of steps) {
    await client.post(`${path}/${step}`, body);
    for (const status of ["status", "statuses", "statusesWithStages"]) await client.get(`${path}/${status}`);
    if (step !== "deploy") await settle();
  }
  const clone = await client.post(`${path}/clone`, { name: "preview", mode: "PREVIEW" });
  await client.list(`/environment/${clone.id}/services`);
}

async function history(
  client: Client,
  root: string,
  environmentId: string,
  services: Services,
): Promise<void> {
  await client.list(`/environment/${environmentId}/deploymentHistoryV2?pageSize=50`);
  await client.get(`/environment/${environmentId}/logs`);
  await client.get(`${root}/events?pageSize=100&targetType=JOB`);
  for (let page = `${root}/events?pageSize=100`; page !== ""; page = await nextPage(client, page));
  await client.list(`/application/${services["application"]?.id}/log?tail=5`);
  await client.list(`/container/${services["container"]?.id}/log`);
}

/** The path of the page of events after this one, or "". */
async function nextPage(client: Client, path: string): Promise<string> {
  const { links } = await client.get<{ links: { next?: string } }>(path);
  return links.next === undefined ? "" : new URL(links.next).pathname + new URL(links.next).search;
}

async function deletions(
  client: Client,
  root: string,
  projectId: string,
  environmentId: string,
  services: Services,
): Promise<void> {
  const { database, ...others } = services;
  await client.post(`/environment/${environmentId}/service/delete`, { database_ids: [database?.id] });
  const again = { name: "x", type: "REDIS", version: "7", mode: "CONTAINER" };
  const replacement = await client.post(`/environment/${environmentId}/database`, again);
  for (const [kind, { id }] of Object.entries({ ...others, database: replacement })) {
    await client.delete(`/${kind}/${id}`);
  }
  await client.delete(`/environment/${environmentId}`);
  await client.delete(`/project/${projectId}`);
  await client.list(`${root}/environments`);
}
