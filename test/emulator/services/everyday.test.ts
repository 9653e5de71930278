import { expect, onTestFinished, test } from "vitest";
import { createEmulator } from "../../../emulator/index.ts";
import { Client, type Resource } from "../../fixtures/client.ts";
import { startReceiver } from "../receiver.ts";
import { startWorld, unknownId } from "../start-world.ts";

// Operations that clients of the public interface use every day, and that the API description does not have.

const nights = {
  timezone: "UTC",
  start_time: "2026-01-01T08:00:00Z",
  stop_time: "2026-01-01T20:00:00Z",
  weekdays: ["MONDAY"],
};

test("a seed says the default branch, the branches and the commits of a repository, however its URL is written", async () => {
  const { client, organizationPath, environmentId } = await startWorld({
    seed: {
      git_repositories: [
        {
          provider: "GITHUB",
          url: "https://github.com/acme/web",
          default_branch: "trunk",
          branches: ["next"],
          commits: [
            { git_commit_id: "c2", author_name: "Grace Hopper" },
            { git_commit_id: "c1", author_name: "Grace Hopper" },
          ],
        },
      ],
    },
  });
  const make = async (name: string, url: string) =>
    client.post(`/environment/${environmentId}/application`, { name, git_repository: { url } });
  const branch = ({ git_repository: repository }: Resource) => (repository as { branch: string }).branch;
  const made = await make("web", "https://github.com/acme/web.git");
  expect(branch(made)).toBe("trunk");
  expect(branch(await make("shell", "git@github.com:acme/web.git"))).toBe("trunk");
  expect(branch(await make("other", "https://github.com/acme/other"))).toBe("main");
  const repositories = `${organizationPath}/account/github/repository`;
  expect(await client.list(repositories)).toMatchObject([
    { name: "acme/web", default_branch: "trunk", is_private: false },
  ]);
  expect(await client.list("/account/gitlab/repository")).toEqual([]);
  expect(await client.list(`${repositories}/branch?name=acme/web`)).toEqual([
    { name: "trunk" },
    { name: "next" },
  ]);
  expect((await client.fails("GET", `${repositories}/branch?name=acme/none`)).status).toBe(404);
  const commits = await client.list(`/application/${made.id}/commit`);
  expect(commits.map(({ git_commit_id: id }) => id)).toEqual(["c2", "c1"]);
  expect(await client.list(`/application/${made.id}/contributor`)).toMatchObject([{ first_name: "Grace" }]);
  await client.post(`${organizationPath}/github/connect`);
  expect(await client.list(`${organizationPath}/account/gitAuthProvider`)).toMatchObject([
    { name: "GITHUB", owner: "acme", use_bot: true },
  ]);
});

test("a seed fixes the ids of ports, storages, domains and stages, and no request does so later", async () => {
  const id = (digit: number) => unknownId.replace(/0$/, String(digit));
  const port = { id: id(1), internal_port: 80, publicly_accessible: true };
  const storage = { id: id(2), type: "FAST_SSD", size: 1, mount_point: "/a" };
  const container = { name: "api", registry_id: "docker-hub", image_name: "acme/api", tag: "1" };
  const domain = { id: id(5), domain: "api.example.com", generate_certificate: true };
  const emulator = await createEmulator({
    seed: {
      projects: [
        {
          name: "shop",
          environments: [
            {
              name: "staging",
              id: id(3),
              deployment_stages: [{ name: "late", id: id(4) }],
              containers: [
                { ...container, id: id(6), ports: [port], storage: [storage], custom_domains: [domain] },
              ],
            },
          ],
        },
      ],
    },
  });
  const client = new Client(emulator.url, emulator.tokens.admin);
  expect(await client.get(`/container/${id(6)}`)).toMatchObject({
    ports: [{ id: id(1) }],
    storage: [{ id: id(2) }],
  });
  expect(await client.get(`/deploymentStage/${id(4)}`)).toMatchObject({ name: "late" });
  expect(await client.get(`/container/${id(6)}/customDomain/${id(5)}/status`)).toMatchObject({
    domain: domain.domain,
  });
  const registry_id = emulator.registries[0]?.id;
  const body = { ...container, name: "other", registry_id, ports: [{ ...port, id: id(7) }] };
  expect((await client.fails("POST", `/environment/${id(3)}/container`, body)).message).toContain(
    "ports[0].id",
  );
  await emulator.close();
});

test("a seed fixes the ids of members, invitations and deployment rules", async () => {
  const id = (digit: number) => unknownId.replace(/0$/, String(digit));
  const emulator = await createEmulator({
    seed: {
      custom_roles: [{ name: "ops", id: id(1) }],
      clusters: [{ name: "here", region: "x", cloud_provider: "ON_PREMISE" }],
      invitations: [{ id: id(2), email: "eve@acme.example", role: "VIEWER" }],
      members: [
        { id: id(3), email: "bob@acme.example", role: "ADMIN" },
        { id: id(4), email: "ann@acme.example", role_id: "ops" },
      ],
      projects: [
        {
          name: "shop",
          deployment_rules: [
            { id: id(5), name: "nights", mode: "STAGING", cluster_id: "here", wildcard: "*", ...nights },
          ],
        },
      ],
    },
  });
  onTestFinished(() => emulator.close());
  const client = new Client(emulator.url, emulator.tokens.admin);
  const root = `/organization/${emulator.organization.id}`;
  const [, ...members] = await client.list(`${root}/member`);
  expect(members).toMatchObject([
    { id: id(3), email: "bob@acme.example", role: "ADMIN" },
    { id: id(4), email: "ann@acme.example", role_id: id(1) },
  ]);
  expect(await client.list(`${root}/inviteMember`)).toMatchObject([{ id: id(2), email: "eve@acme.example" }]);
  const [project] = await client.list(`${root}/project`);
  expect(await client.get(`/project/${project?.id}/deploymentRule/${id(5)}`)).toMatchObject({
    name: "nights",
    cluster_id: emulator.clusters[0]?.id,
  });
  const twice = {
    members: [{ id: id(3), email: "a@x.example" }],
    invitations: [{ id: id(3), email: "b@x.example" }],
  };
  await expect(createEmulator({ seed: twice })).rejects.toThrow(`members[0]: the id ${id(3)} is used twice`);
});

test("the queue lists a deployment until it begins, and a queued deployment can be cancelled", async () => {
  const { client, environmentId, emulator, job, advance } = await startWorld({ deployDelay: 3000 });
  const path = `/environment/${environmentId}`;
  const made = await client.post(`${path}/job`, job("nightly"));
  const other = await client.post(`${path}/job`, job("other"));
  const { deployment_request_id: request } = await client.post<{ deployment_request_id: string }>(
    `/job/${made.id}/deploy`,
  );
  expect(await client.list(`${path}/deploymentQueue`)).toMatchObject([
    {
      identifier: { deployment_request_id: request, environment_id: environmentId },
      trigger_action: "DEPLOY",
      stages: [{ services: [{ identifier: { service_id: made.id }, status: "QUEUED" }] }],
    },
  ]);
  expect(await client.list(`/service/${made.id}/deploymentQueue`)).toMatchObject([
    { identifier: { deployment_request_id: request, name: "nightly" }, status_details: { status: "QUEUED" } },
  ]);
  expect(await client.list(`/service/${other.id}/deploymentQueue`)).toEqual([]);
  const read = new Client(emulator.url, emulator.tokens.read);
  expect((await read.fails("POST", `/deploymentQueue/${request}/cancelDeployment`)).status).toBe(403);
  await new Client(emulator.url, emulator.tokens.deploy).post(`/deploymentQueue/${request}/cancelDeployment`);
  const status = `/environment/deploymentStatus?deploymentRequestId=${request}`;
  expect(await client.get(status)).toEqual({
    deployment_request_id: request,
    environment_id: environmentId,
    status: "CANCELED",
  });
  expect(await client.list(`${path}/deploymentQueue`)).toEqual([]);
  expect((await client.fails("POST", `/deploymentQueue/${request}/cancelDeployment`)).status).toBe(404);

  const { deployment_request_id: begun } = await client.post<{ deployment_request_id: string }>(
    `/job/${other.id}/deploy`,
  );
  await advance(1500);
  expect((await client.fails("POST", `/deploymentQueue/${begun}/cancelDeployment`)).status).toBe(404);
  expect(await client.get(`/job/${other.id}/status`)).toMatchObject({
    state: "DEPLOYING",
    deployment_request_id: null,
  });
});

test("first steps, sign-up and invitations of friends are kept", async () => {
  const { client, organizationPath } = await startWorld();
  const onboarding = `${organizationPath}/onboarding`;
  expect(await client.get(onboarding)).toMatchObject({ status: "IN_PROGRESS" });
  await client.post(onboarding, { status: "DISMISSED" });
  expect(await client.get(onboarding)).toMatchObject({ status: "DISMISSED" });
  expect((await client.fails("POST", onboarding, { status: "DONE" })).message).toContain("status");

  const answers = { first_name: "Ada", last_name: "L", user_email: "ada@acme.example", type_of_use: "WORK" };
  expect((await client.fails("GET", "/admin/userSignUp")).status).toBe(404);
  await client.post("/admin/userSignUp", { ...answers, qovery_usage: "databases" });
  expect(await client.get("/admin/userSignUp")).toMatchObject(answers);

  const { invitation_link: link } = await client.get<{ invitation_link: string }>("/account/referral");
  await client.post("/account/rewardClaim", {
    type: "INVITATION",
    code: new URL(link).searchParams.get("code"),
  });
  expect((await client.fails("POST", "/account/rewardClaim", { code: "unknown" })).status).toBe(400);
  expect(await client.get("/account/referral")).toEqual({ total_invited: 1, invitation_link: link });
});

test("the first version of the deployment history has what the services had when they were deployed", async () => {
  const { client, environmentId, emulator, job } = await startWorld({ deployDelay: 0 });
  const path = `/environment/${environmentId}`;
  const registry_id = emulator.registries[0]?.id;
  const body = { name: "api", registry_id, image_name: "acme/api", tag: "1" };
  const container = await client.post(`${path}/container`, body);
  const web = { name: "web", git_repository: { url: "https://github.com/acme/web" } };
  const application = await client.post(`${path}/application`, web);
  const made = await client.post(
    `${path}/job`,
    job("nightly", { schedule: { cronjob: { scheduled_at: "0 3 * * *" } } }),
  );
  await client.post(`${path}/deploy`);
  await client.post(`/container/${container.id}/deploy`, { image_tag: "2" });
  const history = await client.list(`/container/${container.id}/deploymentHistory`);
  expect(history).toMatchObject([
    { name: "api", status: "DEPLOYED", image_name: "acme/api", tag: "2" },
    { name: "api", status: "DEPLOYED", image_name: "acme/api", tag: "1" },
  ]);
  expect(await client.list(`/application/${application.id}/deploymentHistory`)).toMatchObject([
    { name: "web", status: "SUCCESS", commit: { git_commit_id: expect.any(String) as string } },
  ]);
  expect(await client.list(`/job/${made.id}/deploymentHistory`)).toMatchObject([
    { name: "nightly", schedule: { event: "CRON", schedule_at: "0 3 * * *" } },
  ]);
  expect(await client.list(`${path}/deploymentHistory?startId=${history[0]?.id}`)).toMatchObject([
    {
      id: history[1]?.id,
      status: "DEPLOYED",
      containers: [{ tag: "1" }],
      jobs: [{ name: "nightly" }],
      applications: [{ name: "web", status: "DEPLOYED" }],
      helms: [],
    },
  ]);
  expect((await client.fails("GET", `${path}/deploymentHistory?startId=${unknownId}`)).status).toBe(400);
});

test("an admin gets the token of a cluster, and its kubeconfig without knowing the organization", async () => {
  const { client, emulator } = await startWorld();
  const id = emulator.clusters[0]?.id;
  expect(await client.get(`/cluster/${id}/token`)).toMatchObject({
    kind: "ExecCredential",
    status: { token: expect.any(String) as string, expirationTimestamp: expect.any(String) as string },
  });
  for (const nobody of ["00000000-0000-0000-0000-000000000000", "00000000-0000-0000-000000000000"]) {
    const path = `/organization/${nobody}/cluster/${id}/kubeconfig`;
    expect(await client.get<string>(path)).toContain("kind: Config");
  }
  expect((await client.fails("GET", `/organization/${unknownId}/cluster/${id}/kubeconfig`)).status).toBe(404);
  const writer = new Client(emulator.url, emulator.tokens.write);
  expect((await writer.fails("GET", `/cluster/${id}/token`)).status).toBe(403);
});

test("a cluster is upgraded to its next version once, and not while it is locked; the organization lists its locks", async () => {
  const { client, emulator, organizationPath, advance } = await startWorld();
  const id = emulator.clusters[0]?.id;
  const next = async () =>
    (await client.get(`${organizationPath}/cluster/${id}/status`))["next_k8s_available_version"];
  await client.post(`/cluster/${id}/lock`, { reason: "an audit" });
  expect(await client.list(`${organizationPath}/lock`)).toMatchObject([
    { cluster_id: id, reason: "an audit" },
  ]);
  expect((await client.fails("POST", `/cluster/${id}/upgrade`)).status).toBe(409);
  await client.delete(`/cluster/${id}/lock`);
  expect(await client.list(`${organizationPath}/lock`)).toEqual([]);
  const version = await next();
  expect(await client.post(`/cluster/${id}/upgrade`)).toMatchObject({ status: "DEPLOYMENT_QUEUED" });
  await advance(10_000);
  const clusters = await client.list(`${organizationPath}/cluster`);
  expect(clusters.find((cluster) => cluster.id === id)).toMatchObject({ version, status: "DEPLOYED" });
  expect(await next()).toBe(null);
  expect((await client.fails("POST", `/cluster/${id}/upgrade`)).status).toBe(409);
});

test("the connection to an Argo CD is checked without being kept", async () => {
  const { client, emulator } = await startWorld();
  const path = `/cluster/${emulator.clusters[0]?.id}/argoCdConfig`;
  const check = (argocd_url: string) => client.post(`${path}/check`, { argocd_url, argocd_token: "x" });
  expect(await check("https://argo.acme.example")).toEqual({ status: "connected", app_count: 0 });
  expect(await check("https://argo.invalid:8443/x")).toEqual({ status: "error", reason: "unreachable" });
  expect((await client.fails("GET", path)).status).toBe(404);
});

test("a webhook lists what it has sent, and what came back", async () => {
  const { client, organizationPath, environmentId, job } = await startWorld();
  const receiver = await startReceiver();
  const hook = async (target_url: string) =>
    (await client.post(`${organizationPath}/webhook`, { target_url, events: ["DEPLOYMENT_STARTED"] })).id;
  const ids = [await hook(receiver.url), await hook("http://127.0.0.1:9/")];
  const { id } = await client.post(`/environment/${environmentId}/job`, job("a"));
  await client.post(`/job/${id}/deploy`);
  const sent = (webhook = "") => client.list(`${organizationPath}/webhook/${webhook}/event`);
  await expect
    .poll(async () => (await Promise.all(ids.map(sent))).map(({ length }) => length))
    .toEqual([1, 1]);
  const about = { kind: "STANDARD", matched_event: "DEPLOYMENT_STARTED", request: { job_id: id } };
  expect(await sent(ids[0])).toMatchObject([{ ...about, target_response_status_code: 200 }]);
  expect(await sent(ids[1])).toMatchObject([{ ...about, target_response_status_code: 0 }]);
});

test("uninstalling keeps the configuration, and the next deployment brings the service back", async () => {
  const { client, organizationPath, environmentId, job, advance } = await startWorld();
  const path = `/environment/${environmentId}`;
  const { id } = await client.post(`${path}/job`, job("a"));
  await client.post(`/job/${id}/deploy`);
  await advance(10_000);
  expect(await client.post(`/job/${id}/uninstall`)).toMatchObject({
    state: "DELETE_QUEUED",
    status_details: { action: "DELETE" },
  });
  expect((await client.fails("POST", `/job/${id}/deploy`)).status).toBe(409);
  await advance(10_000);
  const status = async () => {
    const { state, service_deployment_status: is } = await client.get(`/job/${id}/status`);
    return [state, is];
  };
  expect(await status()).toEqual(["DELETED", "OUT_OF_DATE"]);
  const { events } = await client.get<{ events: Resource[] }>(`${organizationPath}/events?targetId=${id}`);
  expect(events.map(({ event_type: type }) => type).slice(0, 2)).toEqual(["UNINSTALLED", "UNINSTALL_QUEUED"]);
  await client.post(`${path}/deploy`);
  await advance(10_000);
  expect(await status()).toEqual(["DEPLOYED", "UP_TO_DATE"]);
  await client.post(`${path}/service/uninstall`, { job_ids: [id] });
  await advance(10_000);
  expect(await status()).toEqual(["DELETED", "OUT_OF_DATE"]);
});

test("variables are imported under the path of their service", async () => {
  const { client, environmentId, job } = await startWorld();
  const { id } = await client.post(`/environment/${environmentId}/job`, job("a"));
  const vars = [
    { name: "A", value: "1", scope: "JOB", is_secret: false },
    { name: "B", value: "2", scope: "ENVIRONMENT", is_secret: true },
  ];
  const path = `/job/${id}/environmentVariable/import`;
  expect(await client.post(path, { overwrite: false, vars })).toMatchObject({
    total_variables_to_import: 2,
    successful_imported_variables: [{ name: "A" }, { name: "B" }],
  });
  const wrong = { ...vars[0], scope: "CONTAINER" };
  expect((await client.fails("POST", path, { overwrite: true, vars: [wrong] })).message).toContain(
    "vars[0].scope",
  );
  expect((await client.fails("POST", `/container/${id}/environmentVariable/import`, { vars })).status).toBe(
    404,
  );
});

test("an alert receiver shows no secret, keeps it in a PUT, and stays while a rule names it", async () => {
  const { client, emulator, organizationPath } = await startWorld();
  const organization_id = emulator.organization.id;
  const cluster_id = emulator.clusters[0]?.id;
  const receiver = { name: "ops", description: "", type: "SLACK", send_resolved: true };
  const made = await client.post("/alert-receivers", {
    organization_id,
    ...receiver,
    webhook_url: "https://hush",
  });
  const rule = {
    name: "cpu",
    description: "",
    tag: "cpu",
    condition: { kind: "CUSTOM", promql: "up == 0" },
    for_duration: "PT5M",
    severity: "LOW",
    enabled: true,
    alert_receiver_ids: [made.id],
    presentation: {},
  };
  const target = { target_type: "CLUSTER", target_id: cluster_id };
  const { id } = await client.post("/alert-rules", { organization_id, cluster_id, target, ...rule });
  await client.put(`/alert-receivers/${made.id}`, { ...receiver, name: "on call" });
  const receivers = await client.list(`${organizationPath}/alert-receivers`);
  expect(receivers).toMatchObject([{ id: made.id, name: "on call", type: "SLACK" }]);
  expect(JSON.stringify([made, receivers])).not.toContain("hush");
  expect(await client.list(`${organizationPath}/alert-rules`)).toMatchObject([{ id, state: "OK", target }]);
  expect((await client.fails("DELETE", `/alert-receivers/${made.id}`)).message).toContain("alert rule cpu");
  await client.delete(`/alert-rules/${id}`);
  await client.delete(`/alert-receivers/${made.id}`);
  const unknown = { organization_id, cluster_id, target, ...rule };
  expect((await client.fails("POST", "/alert-rules", unknown)).message).toContain("alert_receiver_ids[0]");
});

test("an organization changes its plan and its cards; no answer has the number of a card", async () => {
  const { client, organizationPath, advance } = await startWorld();
  expect(await client.post(`${organizationPath}/changePlan`, { plan: "ENTERPRISE" })).toMatchObject({
    organization_plan: { plan: "ENTERPRISE" },
  });
  expect((await client.fails("POST", `${organizationPath}/changePlan`, { plan: "CHEAP" })).status).toBe(400);
  const { year, month } = { year: new Date().getUTCFullYear() + 1, month: 1 };
  const card = { number: "4242424242424242", cvv: "123", expiry_year: year, expiry_month: month };
  const made = await client.post(`${organizationPath}/creditCard`, card);
  expect(made).toMatchObject({ last_digit: "4242", is_expired: false });
  await advance(14 * 31 * 24 * 3600_000);
  const cards = await client.list(`${organizationPath}/creditCard`);
  expect(cards).toMatchObject([{ id: made.id, is_expired: true }]);
  expect(JSON.stringify([made, cards])).not.toContain("42424242");
  const [invoice] = await client.list(`${organizationPath}/invoice`);
  expect(await client.get(`${organizationPath}/invoice/${invoice?.id}`)).toEqual(invoice);
  expect((await client.fails("GET", `${organizationPath}/invoice/${unknownId}`)).status).toBe(404);
});

test("the first PUT makes an enterprise connection, another one changes it", async () => {
  const { client, organizationPath } = await startWorld();
  const path = `${organizationPath}/enterpriseconnection`;
  const body = { default_role: "viewer", enforce_group_sync: true, group_mappings: { admin: ["ops"] } };
  expect((await client.fails("GET", `${path}/okta`)).status).toBe(404);
  await client.put(`${path}/okta`, body);
  await client.put(`${path}/okta`, { ...body, default_role: "admin" });
  expect(await client.list(path)).toEqual([{ connection_name: "okta", ...body, default_role: "admin" }]);
});

test("ownership is given to a member, and the owner before becomes an admin", async () => {
  const { client, organizationPath } = await startWorld();
  const roles = await client.list(`${organizationPath}/availableRole`);
  const role_id = roles.find(({ name }) => name === "Viewer")?.id;
  const { id } = await client.post(`${organizationPath}/inviteMember`, {
    email: "grace@acme.example",
    role_id,
  });
  await client.post(`${organizationPath}/inviteMember/${id}`);
  const [, grace] = await client.list(`${organizationPath}/member`);
  await client.post(`${organizationPath}/transferOwnership`, { user_id: grace?.id });
  const members = await client.list(`${organizationPath}/member`);
  expect(members.map(({ role_name: role }) => role)).toEqual(["Admin", "Owner"]);
});

test("an entry in use names the service that uses it, and features of clusters are found by name", async () => {
  const { client, organizationPath, emulator, environmentId, projectId, job } = await startWorld();
  const { id } = await client.post(`/environment/${environmentId}/job`, job("a"));
  const path = `${organizationPath}/containerRegistry`;
  const [used, unused] = emulator.registries.map((registry) => `${path}/${registry.id}/associatedServices`);
  expect(await client.list(used ?? "")).toEqual([
    {
      project_id: projectId,
      project_name: "shop",
      environment_id: environmentId,
      environment_name: "staging",
      service_id: id,
      service_name: "a",
      service_type: "LIFECYCLE",
    },
  ]);
  expect(await client.list(unused ?? "")).toEqual([]);
  const features = await client.list("/aws/clusterFeature");
  expect(features.map((feature) => feature.id)).toContain("VPC_SUBNET");
});

test("a new tag of an image is deployed where a service follows it, and previewed where one wants that", async () => {
  const { client, emulator, organizationPath, environmentId, projectId, advance } = await startWorld();
  const registry_id = emulator.registries[0]?.id;
  const body = { name: "api", registry_id, image_name: "acme/api", tag: "1" };
  const { id } = await client.post(`/environment/${environmentId}/container`, {
    ...body,
    auto_preview: true,
    auto_deploy: false,
  });
  const tell = (what: string) =>
    [`${organizationPath}/container/${what}`, { image_name: "acme/api", tag: "2" }] as const;
  expect((await client.fails("POST", ...tell("deploy"))).status).toBe(404);
  await client.post(...tell("preview"));
  const preview = (await client.list(`/project/${projectId}/environment`)).find(
    ({ mode }) => mode === "PREVIEW",
  );
  expect(preview?.["name"]).toBe("staging-2");
  expect(await client.list(`/environment/${preview?.id}/container`)).toMatchObject([
    { name: "api", tag: "2" },
  ]);
  expect(await client.get(`/container/${id}`)).toMatchObject({ tag: "1" });
  await client.put(`/container/${id}`, { ...body, auto_deploy: true });
  await client.post(...tell("deploy"));
  await advance(10_000);
  expect(await client.get(`/container/${id}`)).toMatchObject({ tag: "2" });
});
