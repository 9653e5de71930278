import type { Client, Resource } from "../fixtures/client.ts";
import { unknownId } from "./start-world.ts";

type Step = [method: string, path: string, body?: object];

/** What the API description does not have and clients use all the same, each with success. */
export async function everyFurtherOperation(
  client: Client,
  root: string,
  {
    project,
    environment,
    services,
  }: { project: Resource; environment: Resource; services: Record<string, Resource> },
  settle: () => Promise<void>,
): Promise<void> {
  const run = async (steps: Step[]) => {
    for (const [method, path, body] of steps) await client.ok(method, path, body);
  };
  const idOf = (kind: string) => services[kind]?.id ?? "";
  const organizationId = root.split("/").at(-1) ?? "";
  await fixed(client);
  await run([
    ["POST", `${root}/creditCode`, { code: "WELCOME" }],
    ["POST", `${root}/changePlan`, { plan: "ENTERPRISE" }],
    ["GET", `${root}/billingStatus`],
    ["GET", `${root}/billingExternalId`],
    ["POST", `${root}/downloadInvoices`],
    ["POST", `${root}/billingUsageReport`, { ...period, report_expiration_in_seconds: 60 }],
    ["GET", `${root}/enterpriseconnection`],
    ["PUT", `${root}/enterpriseconnection/okta-1`, connection],
    ["GET", `${root}/enterpriseconnection/okta-1`],
    ["GET", `${root}/targets`],
    ["GET", `${root}/project/stats`],
    ["GET", `${root}/lock`],
    ["GET", `${root}/onboarding`],
    ["POST", `${root}/onboarding`, { status: "COMPLETED" }],
    ["POST", "/admin/userSignUp", signUp],
    ["GET", "/admin/userSignUp"],
    ["POST", "/account/rewardClaim", { type: "INVITATION", code: (await client.get("/account")).id }],
    ["GET", "/account/referral"],
    ["POST", `${root}/github/connect`],
    ["GET", `${root}/account/gitAuthProvider`],
    ["GET", "/account/gitAuthProvider"],
    ["DELETE", `${root}/github/disconnect`],
  ]);
  for (const provider of ["github", "gitlab", "bitbucket"])
    for (const path of [`${root}/account/${provider}/repository`, `/account/${provider}/repository`]) {
      await client.list(path);
      await client.list(`${path}/branch?name=acme/web`);
    }
  const [invoice] = await client.list(`${root}/invoice`);
  await run([
    ["GET", `${root}/invoice/${invoice?.id}`],
    ["GET", `${root}/invoice/${invoice?.id}/download`],
  ]);
  const [owner] = await client.list(`${root}/member`);
  await client.post(`${root}/transferOwnership`, { user_id: owner?.id });
  for (const [path, kind] of [
    ["containerRegistry", "associatedServices"],
    ["gitToken", "associatedServices"],
    ["helmRepository", "associatedServices"],
    ["annotationsGroups", "associatedItems"],
    ["labelsGroups", "associatedItems"],
  ] as const)
    for (const { id } of await client.list(`${root}/${path}`))
      await client.list(`${root}/${path}/${id}/${kind}`);
  const [registry] = await client.list(`${root}/containerRegistry`);
  await client.list(`${root}/containerRegistry/${registry?.id}/container/status`);
  await client.list(`/secretManagerAccess/${unknownId}/associatedServices`);

  await documents(client, root, organizationId, environment.id);
  await clusters(client, root, settle);
  await webhooks(client, root);

  const path = `/environment/${environment.id}`;
  await run([
    ["GET", `${path}/link`],
    ["GET", `${path}/log`],
    ["GET", `${path}/deploymentHistory`],
    ["GET", `${path}/databaseConfiguration`],
    ["POST", `${path}/cleanFailedJobs`, {}],
    ["POST", `${path}/deploymentBuildUsageReport`, { execution_id: "e", report_expiration_in_seconds: 60 }],
    ["POST", `/job/${idOf("job")}/cleanFailedJob`],
    ["GET", `/service/${idOf("application")}/gitWebhookStatus`],
    ["POST", `/service/${idOf("application")}/gitWebhook/sync`],
    ["GET", `/application/${idOf("application")}/contributor`],
    ["PUT", `/database/${idOf("database")}/masterCredentials`, { login: "root", password: "secret" }],
    ["POST", `${root}/container/deploy`, { image_name: "acme/api", tag: "9" }],
  ]);
  await settle();
  await run([
    [
      "POST",
      `${path}/container`,
      { name: "shown", registry_id: registry?.id, image_name: "acme/shown", tag: "1", auto_preview: true },
    ],
    ["POST", `${root}/container/preview`, { image_name: "acme/shown", tag: "2" }],
  ]);
  await settle();
  for (const kind of ["application", "container", "job"])
    await client.post(`/${kind}/${idOf(kind)}/environmentVariable/import`, variablesOf(kind));
  for (const kind of ["application", "helm", "job", "terraform"])
    await client.list(`/${kind}/${idOf(kind)}/commit`);
  for (const kind of ["application", "container"]) {
    const domains = `/${kind}/${idOf(kind)}/customDomain`;
    const { id } = await client.post(domains, { domain: `${kind}.example.com`, generate_certificate: true });
    await client.get(`${domains}/${id}/status`);
  }
  const { last_deployment_id: request } = await client.post(`${path}/deploy`);
  await run([
    ["GET", `${path}/deploymentQueue`],
    ["GET", `/service/${idOf("job")}/deploymentQueue`],
    ["GET", `/environment/deploymentStatus?deploymentRequestId=${String(request)}`],
    ["POST", `/deploymentQueue/${String(request)}/cancelDeployment`],
  ]);
  await settle();
  await databaseUsers(client, environment.id, idOf("database"), idOf("application"));
  for (const [kind, { id }] of Object.entries(services)) {
    if (kind !== "terraform") await client.list(`/${kind}/${id}/deploymentHistory`);
    await client.post(`/${kind}/${id}/uninstall`);
    await settle();
  }
  await client.post(`${path}/uninstall`);
  await settle();
  await client.post(`${path}/service/uninstall`, { job_ids: [idOf("job")] });
  await settle();
  await client.get(`/project/${project.id}`);
}

const period = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };

const signUp = {
  first_name: "Ada",
  last_name: "Lovelace",
  user_email: "ada@acme.example",
  type_of_use: "WORK",
  qovery_usage: "databases",
};

const connection = { default_role: "viewer", enforce_group_sync: true, group_mappings: { admin: ["ops"] } };

function variablesOf(kind: string): object {
  return {
    overwrite: true,
    vars: [{ name: "OF_IMPORT", value: "1", scope: kind.toUpperCase(), is_secret: false }],
  };
}

/** Lists that are the same for everybody. */
async function fixed(client: Client): Promise<void> {
  for (const provider of ["aws", "scaleway", "gcp", "azure"])
    for (const part of ["region", "clusterFeature"]) await client.list(`/${provider}/${part}`);
  for (const path of [
    "/cloudProvider",
    "/aws/instanceType",
    "/aws/eks/instanceType/eu-west-3",
    "/scaleway/instanceType",
    "/scaleway/instanceType/fr-par-1",
    "/gcp/instanceType/europe-west9",
    "/azure/aks/instanceType/region-1",
    "/aws/managedDatabase/type",
    "/scaleway/managedDatabase/type",
    "/aws/managedDatabase/instanceType/eu-west-3/type-1",
    "/terraform/availableVersion",
  ])
    await client.list(path);
  await client.get("/ips");
}

/** Lists, creates, reads, changes and deletes what the API keeps as it was sent. */
async function documents(
  client: Client,
  root: string,
  organizationId: string,
  environmentId: string,
): Promise<void> {
  const receiver = {
    name: "ops",
    description: "",
    type: "SLACK",
    send_resolved: true,
    webhook_url: "https://x.example",
  };
  const [cluster] = await client.list(`${root}/cluster`);
  const made = await client.post("/alert-receivers", { organization_id: organizationId, ...receiver });
  const rule = {
    name: "cpu",
    description: "",
    tag: "cpu",
    condition: { kind: "BUILT", operator: "ABOVE", threshold: 80, function: "AVG", promql: "cpu" },
    for_duration: "PT5M",
    severity: "HIGH",
    enabled: true,
    alert_receiver_ids: [made.id],
    presentation: { summary: "busy" },
  };
  const target = { target_type: "CLUSTER", target_id: cluster?.id };
  const about = { organization_id: organizationId, cluster_id: cluster?.id, target };
  await every(client, `${root}/alert-rules`, "/alert-rules", { ...about, ...rule }, rule);
  await client.post("/alert-receivers/validate", { message: "hello" });
  await client.post(`/alert-receivers/${made.id}/validate`, { message: "hello" });
  await client.delete(`/alert-receivers/${made.id}`);
  await every(
    client,
    `${root}/alert-receivers`,
    "/alert-receivers",
    { organization_id: organizationId, ...receiver },
    receiver,
  );
  const mcp = { name: "tools", url: "https://tools.example.com", headers: { authorization: "secret" } };
  await every(client, `${root}/mcpServer`, "/mcpServer", mcp, mcp, `${root}/mcpServer`);
  const workflows = `/environment/${environmentId}/agenticWorkflow`;
  const workflow = await client.post(workflows, { name: "review", agent_prompt: "Review it." });
  await client.get(`/agenticWorkflow/${workflow.id}/deploymentHistoryV2`);
  await client.post(`/agenticWorkflow/${workflow.id}/cancelDeployment`);
  await client.delete(`/agenticWorkflow/${workflow.id}`);
  await every(client, workflows, "/agenticWorkflow", { name: "review" }, { name: "reviews" }, workflows);
  const blueprint = { name: "bucket", tag: "1", icon: "x" };
  const { id } = await client.post(`/environment/${environmentId}/blueprint`, blueprint);
  await client.ok("PATCH", `/blueprint/${id}`, { ...blueprint, tag: "2" });
  await client.post(`/blueprint/${id}/deploy`);
  const card = { number: "4242424242424242", cvv: "1", expiry_month: 1, expiry_year: 2040 };
  const policy = { name: "readers", opa_policy: "package x" };
  for (const [path, body] of [
    ["creditCard", card],
    ["policyApiToken", policy],
  ] as const) {
    const kept = await client.post(`${root}/${path}`, body);
    await client.list(`${root}/${path}`);
    await client.delete(`${root}/${path}/${kept.id}`);
  }
}

async function every(client: Client, many: string, one: string, body: object, edit: object, created = one) {
  const { id } = await client.post(created, body);
  await client.list(many);
  await client.get(`${one}/${id}`);
  await client.put(`${one}/${id}`, edit);
  await client.delete(`${one}/${id}`);
}

async function clusters(client: Client, root: string, settle: () => Promise<void>): Promise<void> {
  const git_repository = {
    url: "https://github.com/acme/web",
    git_token_id: (await client.list(`${root}/gitToken`))[0]?.id,
  };
  const { id } = await client.post(`${root}/cluster`, {
    name: "further",
    region: "eu-west-3",
    cloud_provider: "AWS",
    infrastructure_charts_parameters: {
      eks_anywhere_parameters: { git_repository, yaml_file_path: "cluster.yaml" },
    },
  });
  const path = `${root}/cluster/${id}`;
  await client.post(`${path}/deploy`);
  await settle();
  await client.post(`/cluster/${id}/upgrade`);
  await settle();
  await client.put(`${path}/karpenterPrivateSubnetIds`, {
    eks_karpenter_fargate_subnets_zone_a_ids: ["subnet-1"],
  });
  await client.put(`${path}/eks-anywhere/commit`, { commit_id: "abc" });
  await client.put(`${path}/platformBinding`, { templateKey: "base", templateVersion: "1" });
  await client.post(`/cluster/${id}/argoCdConfig/check`, {
    argocd_url: "https://argo.example",
    argocd_token: "x",
  });
  const analysis = { kind: "COST_RECOMMENDATION", output_format: "JSON" };
  const { id: analysisId } = await client.post(`/clusters/${id}/analysis`, analysis);
  for (const part of [
    `/cluster/${id}/token`,
    `/cluster/${id}/environments`,
    `${path}/logs`,
    `${path}/installationHelmValues`,
    `${path}/eks-anywhere/commits`,
    `${path}/platformBinding`,
    `/clusters/${id}/analysis`,
    `/clusters/${id}/analysis/${analysisId}`,
    `/clusters/${id}/analysis/${analysisId}/logs`,
  ])
    await client.get(part);
  await client.delete(path);
}

async function webhooks(client: Client, root: string): Promise<void> {
  const webhook = { target_url: "http://127.0.0.1:9/", events: ["DEPLOYMENT_FAILED"] };
  const { id } = await client.post(`${root}/webhook`, webhook);
  await client.list(`${root}/webhook/${id}/event`);
}

/** An application that uses a database has an alias of one of its built-in variables. */
async function databaseUsers(
  client: Client,
  environmentId: string,
  databaseId: string,
  applicationId: string,
) {
  const variables = await client.list(`/environment/${environmentId}/environmentVariable`);
  const host = variables.find(({ key }) => /Z[\dA-F]{8}_PORT$/.test(String(key)));
  await client.post(`/variable/${host?.id}/alias`, {
    key: "DATABASE_PORT",
    alias_scope: "APPLICATION",
    alias_parent_id: applicationId,
  });
  await client.list(`/database/${databaseId}/application`);
  await client.delete(`/database/${databaseId}/application/${applicationId}`);
}
