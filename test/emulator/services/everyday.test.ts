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

test("a seed says the default branch and the latest commit of a repository, however its URL is written", async () => {
  const { client, environmentId } = await startWorld({
    seed: {
      git_repositories: [
        {
          provider: "GITHUB",
          url: "https://github.com/acme/web",
          default_branch: "trunk",
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
  expect(branch(await make("web", "https://github.com/acme/web.git"))).toBe("trunk");
  expect(branch(await make("shell", "git@github.com:acme/web.git"))).toBe("trunk");
  expect(branch(await make("other", "https://github.com/acme/other"))).toBe("main");
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
  expect(await client.list(`/container/${id(6)}/customDomain`)).toMatchObject([
    { id: id(5), domain: domain.domain },
  ]);
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

test("an admin gets the token of a cluster, and its kubeconfig without knowing the organization", async () => {
  const { client, emulator } = await startWorld();
  const id = emulator.clusters[0]?.id;
  expect(await client.get(`/cluster/${id}/token`)).toMatchObject({
    kind: "ExecCredential",
    status: { token: `admin-${id}`, expirationTimestamp: expect.any(String) as string },
  });
  expect(await client.get(`/cluster/${id}/token?readOnly=true`)).toMatchObject({
    status: { token: `viewer-${id}` },
  });
  const writer = new Client(emulator.url, emulator.tokens.write);
  expect((await writer.fails("GET", `/cluster/${id}/token`)).status).toBe(403);
  for (const nobody of ["00000000-0000-0000-0000-000000000000", "00000000-0000-0000-000000000000"]) {
    const path = `/organization/${nobody}/cluster/${id}/kubeconfig`;
    expect(await client.get<string>(path)).toContain("kind: Config");
  }
  expect((await client.fails("GET", `/organization/${unknownId}/cluster/${id}/kubeconfig`)).status).toBe(404);
});

test("the organization lists the locks of its clusters", async () => {
  const { client, emulator, organizationPath } = await startWorld();
  const id = emulator.clusters[0]?.id;
  await client.post(`/cluster/${id}/lock`, { reason: "an audit" });
  expect(await client.list(`${organizationPath}/lock`)).toMatchObject([
    { cluster_id: id, reason: "an audit", owner_name: "admin" },
  ]);
  await client.delete(`/cluster/${id}/lock`);
  expect(await client.list(`${organizationPath}/lock`)).toEqual([]);
});

test("an analysis of a cluster is listed, has a log and belongs to one cluster", async () => {
  const { client, emulator } = await startWorld();
  const [here, elsewhere] = emulator.clusters.map(({ id }) => `/clusters/${id}/analysis`);
  const analysis = await client.post(`${here}`, { kind: "DEPRECATED_API_CHECK", output_format: "TABLE" });
  expect(analysis).toMatchObject({ status: "SUCCEEDED", triggered_by: "admin" });
  expect(await client.list(`${here}`)).toEqual([analysis]);
  expect(await client.list(`${elsewhere}`)).toEqual([]);
  expect(await client.get(`${here}/${analysis.id}`)).toEqual(analysis);
  expect(await client.list(`${here}/${analysis.id}/logs`)).toMatchObject([{ level: "INFO" }]);
  expect((await client.fails("GET", `${elsewhere}/${analysis.id}/logs`)).status).toBe(404);
});

test("the first version of the deployment history has what the services had when they were deployed", async () => {
  const { client, environmentId, emulator, job } = await startWorld({ behaviour: { deploy_delay_ms: 0 } });
  const path = `/environment/${environmentId}`;
  const registry_id = emulator.registries[0]?.id;
  const body = { name: "api", registry_id, image_name: "acme/api", tag: "1" };
  const container = await client.post(`${path}/container`, body);
  const web = { name: "web", git_repository: { url: "https://github.com/acme/web" } };
  const application = await client.post(`${path}/application`, web);
  const schedule = { cronjob: { scheduled_at: "0 3 * * *" } };
  const nightly = await client.post(`${path}/job`, job("nightly", { schedule }));
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
  expect(await client.list(`/job/${nightly.id}/deploymentHistory`)).toMatchObject([
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

test("an alert receiver shows no secret, and is found under its organization", async () => {
  const { client, emulator, organizationPath } = await startWorld();
  const receiver = { name: "ops", description: "", type: "SLACK", send_resolved: true };
  const owned = { organization_id: emulator.organization.id, ...receiver };
  const made = await client.post("/alert-receivers", { ...owned, webhook_url: "https://hush" });
  await client.put(`/alert-receivers/${made.id}`, { ...receiver, name: "on call" });
  const receivers = await client.list(`${organizationPath}/alert-receivers`);
  expect(receivers).toMatchObject([{ id: made.id, name: "on call", type: "SLACK" }]);
  expect(JSON.stringify([made, receivers])).not.toContain("hush");
});
