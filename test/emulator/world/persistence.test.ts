import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { announcement, createEmulator } from "../../../emulator/index.ts";
import type { EmulatorOptions } from "../../../emulator/index.ts";
import { Client } from "../../fixtures/client.ts";
import { startWorld } from "../start-world.ts";
import { removeFolder } from "../../fixtures/remove-folder.ts";
import { temporaryFolder } from "../../fixtures/temporary-folder.ts";

async function start(options: EmulatorOptions) {
  const emulator = await createEmulator({ clock: "frozen", ...options });
  onTestFinished(() => emulator.close());
  return { emulator, client: new Client(emulator.url, emulator.tokens.admin) };
}

test("a restart keeps the state, including operations in progress", async () => {
  const folder = temporaryFolder("emulator");
  const dataFile = join(folder, "state.json");
  const options = { dataFile, behaviour: { delete_delay_ms: 1000, clone_delay_ms: 2000 } };
  const before = await startWorld(options);
  const { client, job, environmentId, projectId } = before;
  const a = await client.post(`/environment/${environmentId}/job`, job("a"));
  const clone = await client.post(`/job/${a.id}/clone`, { name: "b", environment_id: environmentId });
  const doomed = await client.post(`/project/${projectId}/environment`, { name: "doomed" });
  await client.delete(`/environment/${doomed.id}`);
  await before.advance(400);
  await before.emulator.close();

  const after = await start(options);
  const { url: _, ...same } = announcement(before.emulator);
  expect(announcement(after.emulator)).toMatchObject(same);
  expect(await after.client.list(`/environment/${environmentId}/job`)).toEqual([a]);
  expect(await after.client.get(`/environment/${doomed.id}/status`)).toMatchObject({
    state: "DELETE_QUEUED",
  });
  await after.client.post("/_emulator/clock", { advance_ms: 60_000 });
  expect(await after.client.list(`/environment/${environmentId}/job`)).toEqual([a, clone]);
  expect((await after.client.fails("GET", `/environment/${doomed.id}`)).status).toBe(404);
  expect((await stat(dataFile)).mode & 0o777).toBe(0o600);
});

test("a restart keeps the deployment of a cluster, and the rule that stops an environment", async () => {
  const folder = temporaryFolder("emulator");
  const options = { dataFile: join(folder, "state.json"), behaviour: { deploy_delay_ms: 2000 } };
  const { client, job, emulator, organizationPath, environmentId, advance } = await startWorld(options);
  const made = await client.post(`/environment/${environmentId}/job`, job("a"));
  await client.post(`/job/${made.id}/deploy`);
  await advance(2000);
  const rule = await client.get(`/environment/${environmentId}/deploymentRule`);
  const weekdays = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"];
  const hours = { ...rule, auto_stop: true, weekdays, stop_time: rule["start_time"] };
  await client.put(`/environment/${environmentId}/deploymentRule/${rule.id}`, hours);
  const body = { name: "rack", region: "eu-west-3", cloud_provider: "AWS" };
  const cluster = await client.post(`${organizationPath}/cluster`, body);
  await client.post(`${organizationPath}/cluster/${cluster.id}/deploy`);
  await emulator.close();

  const after = await start(options);
  const status = `${organizationPath}/cluster/${cluster.id}/status`;
  expect(await after.client.get(status)).toMatchObject({ status: "DEPLOYMENT_QUEUED" });
  await after.client.post("/_emulator/clock", { advance_ms: 24 * 3600_000 });
  await after.client.post("/_emulator/clock", { advance_ms: 2000 });
  expect(await after.client.get(status)).toMatchObject({ status: "DEPLOYED" });
  expect(await after.client.get(`/job/${made.id}/status`)).toMatchObject({ state: "STOPPED" });
});

test("a seed can have credentials, which its clusters name", async () => {
  const credentials = [{ provider: "onPremise", name: "cellar" }];
  const rack = {
    name: "rack",
    region: "here",
    cloud_provider: "ON_PREMISE",
    cloud_provider_credentials: { credentials: { id: "cellar" } },
  };
  const { emulator, client } = await start({ seed: { credentials, clusters: [rack] } });
  expect(await client.list(`/organization/${emulator.organization.id}/credentials`)).toMatchObject([
    { credential: { name: "cellar" }, clusters: [{ name: "rack" }] },
  ]);
  const wrong = createEmulator({ seed: { credentials: [{ provider: "azzure", name: "a" }] } });
  await expect(wrong).rejects.toThrow(
    "credentials[0]: provider: must be one of aws, scaleway, gcp, azure, onPremise",
  );
});

test("after a response the file contains the whole change, and no other file remains", async () => {
  const folder = temporaryFolder("emulator");
  const dataFile = join(folder, "state.json");
  const { client, job, environmentId } = await startWorld({ dataFile });
  const jobs = `/environment/${environmentId}/job`;
  const names = Array.from({ length: 20 }, (_, index) => `job-${index}`);
  await Promise.all(
    names.map(async (name) => {
      await client.post(jobs, job(name));
      expect(JSON.stringify(JSON.parse(await readFile(dataFile, "utf8")))).toContain(`"${name}"`);
    }),
  );
  expect(await readdir(folder)).toEqual(["state.json"]);
});

test("a state that cannot be written is an error", async () => {
  const folder = temporaryFolder("emulator");
  const dataFile = join(folder, "state.json");
  const { client, organizationPath } = await startWorld({ dataFile });
  await removeFolder(folder);
  await writeFile(folder, "a file in the place of the folder");
  const answer = await client.fails("POST", `${organizationPath}/project`, { name: "x" });
  expect(answer).toMatchObject({ status: 500, message: `the data file ${dataFile} cannot be written` });
});

test("a file without a state of an emulator is refused and not changed", async () => {
  const folder = temporaryFolder("emulator");
  const dataFile = join(folder, "notes.json");
  for (const text of ["my notes", "{}", "null"]) {
    await writeFile(dataFile, text);
    await expect(createEmulator({ dataFile })).rejects.toThrow(`${dataFile} is not a state of this emulator`);
    expect(await readFile(dataFile, "utf8")).toBe(text);
  }
});

const seed = `
organization: { id: 11111111-1111-4111-8111-111111111111, name: example }
tokens: { admin: "0123456789abcdef" }
clusters:
  - { id: 22222222-2222-4222-8222-222222222222, name: local, region: here, cloud_provider: ON_PREMISE }
projects:
  - name: shop
    variables: [{ key: LEVEL, value: info }]
    environments:
      - id: 33333333-3333-4333-8333-333333333333
        name: production
        mode: PRODUCTION
        cluster: local
        jobs:
          - id: 44444444-4444-4444-8444-444444444444
            name: nightly
            source: { image: { registry_id: docker-hub, image_name: acme/report, tag: "1" } }
            annotations_groups: [{ id: team-annotations }]
            schedule: { cronjob: { scheduled_at: "0 3 * * *" } }
            variables: [{ key: PASSWORD, value: hidden, is_secret: true }]
        applications:
          - name: web
            git_repository: { url: "https://github.com/acme/web", git_token_id: github-main }
            ports: [{ internal_port: 80, publicly_accessible: true }]
`;

test("a seed describes the initial state by names, and a reset restores this state", async () => {
  const path = join(temporaryFolder("emulator"), "seed.yaml");
  await writeFile(path, seed);
  const { emulator, client } = await start({ seed: path });
  expect(emulator).toMatchObject({
    organization: { id: "11111111-1111-4111-8111-111111111111", name: "example" },
    tokens: { admin: "0123456789abcdef" },
    clusters: [{ id: "22222222-2222-4222-8222-222222222222", name: "local" }],
    registries: [{ name: "docker-hub" }, { name: "ecr-production" }],
  });
  const job = await client.get("/job/44444444-4444-4444-8444-444444444444");
  expect(job).toMatchObject({
    name: "nightly",
    source: { image: { registry: { name: "docker-hub" } } },
    annotations_groups: [{ name: "team-annotations" }],
  });
  expect(await client.list(`/variable?parent_id=${job.id}&scope=JOB&is_secret=true`)).toMatchObject([
    { key: "PASSWORD", scope: "JOB" },
  ]);
  await client.delete(`/job/${job.id}`);
  await client.post("/_emulator/reset");
  expect(await client.get(`/job/${job.id}`)).toEqual(job);
});

test("a reset restores the state of the data file, and keeps the tokens of the ready line", async () => {
  const dataFile = join(temporaryFolder("emulator"), "state.json");
  const { client, job, environmentId, emulator: first } = await startWorld({ dataFile });
  const kept = await client.post(`/environment/${environmentId}/job`, job("kept"));
  await first.close();

  const { emulator, client: again } = await start({ dataFile });
  const jobs = `/environment/${environmentId}/job`;
  await again.post(jobs, job("made since"));
  const token = await again.post(`/organization/${emulator.organization.id}/apiToken`, { name: "late" });
  await again.post("/_emulator/reset");
  expect(await again.list(jobs)).toEqual([kept]);
  expect((await again.call("GET", "/organization")).status).toBe(200);
  expect((await new Client(emulator.url, String(token["token"])).call("GET", "/organization")).status).toBe(
    401,
  );
  await emulator.close();

  const { client: third } = await start({ dataFile });
  expect(await third.list(jobs)).toEqual([kept]);
});

test("the same seed results in the same state twice, as a value or as a file", async () => {
  const value = { organization: { name: "a" }, clusters: [], projects: [{ name: "p" }] };
  const { emulator, client } = await start({ seed: value });
  expect(emulator.clusters).toEqual([]);
  expect(await client.list(`/organization/${emulator.organization.id}/project`)).toMatchObject([
    { name: "p" },
  ]);
  await expect(
    createEmulator({ seed: { ...value, projects: [{ name: "p" }, { name: "P" }] } }),
  ).rejects.toThrow(/^projects\[1\]: name: the project .* already has the name "P"$/);
});

test.for([
  ["projects: [{}]", "projects[0]: name is required"],
  [
    "projects: [{ name: p, environments: [{ name: e, jobs: [{ name: j }] }] }]",
    "projects[0].environments[0].jobs[0]: source",
  ],
  ["organization: {}", "seed: organization.name is required"],
  ["project: []", "seed: project is unknown; the known members are organization, tokens, clusters,"],
  ["tokens: { root: 12345678 }", "seed: tokens.root is unknown; the known members are admin,"],
  ["clusters: 3", "seed: clusters must be array"],
  ["tokens: { admin: short }", "seed: tokens.admin must NOT have fewer than 8 characters"],
  ["{", "is not YAML"],
] as const)("an invalid seed, %s, is refused with the position of the mistake", async ([text, message]) => {
  const path = join(temporaryFolder("emulator"), "seed.yaml");
  await writeFile(path, text);
  await expect(createEmulator({ seed: path })).rejects.toThrow(message);
});

/** The mistakes of a seed with their lines, without the long list of known members. */
async function mistakesOf(text: string): Promise<string[]> {
  const path = join(temporaryFolder("emulator"), "seed.yaml");
  await writeFile(path, text);
  const { mistakes } = await createEmulator({ seed: path }).then(
    () => ({ mistakes: [] }),
    (error: unknown) => error as { mistakes: string[] },
  );
  return mistakes.map((each) =>
    each
      .replace(`${path}:`, "")
      .replace(/; the known members are [^;]*/, "")
      .replace(/"[\da-f-]{36}"/, "…"),
  );
}

test("all mistakes of a seed are told, each with its line, and the member that is meant", async () => {
  const seedWithMistakes = `
registries:
  - { name: hub, kind: DOCKER_HUB, config: { user: me } }
projects:
  - name: shop
    varibles:
      - { key: A, value: b }
    environments:
      - name: production
        jobs: 5
        containers:
          - name: api
            registry_id: hub
            image_name: acme/api
            tag: 1
            port: [{ internal_port: 80 }]
        databases: [{ name: orders, type: POSTGRES, version: "17", mode: CONTAINER, size: 3 }]
        deployment_stages: [{ name: first, position: 1 }]
`;
  expect(await mistakesOf(seedWithMistakes)).toEqual([
    "3: registries[0]: config.user is unknown",
    "6: projects[0]: varibles is unknown; did you mean variables?",
    "10: projects[0].environments[0]: jobs must be array",
    "15: projects[0].environments[0].containers[0]: tag must be string",
    "16: projects[0].environments[0].containers[0]: port is unknown; did you mean ports?",
    "17: projects[0].environments[0].databases[0]: size is unknown",
    "17: projects[0].environments[0].databases[0]: type must be one of MONGODB,MYSQL,POSTGRESQL,REDIS",
    "18: projects[0].environments[0].deployment_stages[0]: position is unknown",
  ]);
});

test("a seed tells all names that nothing has, all names that are taken, and what no schema says", async () => {
  const seedWithMistakes = `
credentials:
  - { provider: azzure, name: a }
  - { provider: aws, name: b, type: AWS_ROLE, role: me }
projects:
  - name: shop
    environments:
      - name: production
        cluster: nowhere
        containers:
          - { name: api, registry_id: hub, image_name: acme/api, tag: "1" }
      - { name: staging }
      - { name: Staging }
      - name: test
        jobs: [{ name: nightly }]
    deployment_rules:
      - name: nights
        cluster: somewhere
        mode: STAGING
        timezone: UTC
        start_time: "2026-01-01T08:00:00Z"
        stop_time: "2026-01-01T20:00:00Z"
        weekdays: []
        wildcard: ""
`;
  expect(await mistakesOf(seedWithMistakes)).toEqual([
    "3: credentials[0]: provider: must be one of aws, scaleway, gcp, azure, onPremise",
    "4: credentials[1]: role_arn is required",
    "4: credentials[1]: role is unknown",
    "9: projects[0].environments[0]: cluster: no cluster has the name or the id nowhere",
    "11: projects[0].environments[0].containers[0]: registry_id: no container registry has the name or the id hub",
    expect.stringMatching(
      /^13: projects\[0\].environments\[2\]: name: the environment .* already has the name "Staging"$/,
    ),
    expect.stringMatching(/^15: projects\[0\].environments\[3\].jobs\[0\]: source/),
    "18: projects[0].deployment_rules[0]: cluster: no cluster has the name or the id somewhere",
  ]);
});

test("a deployment rule of a seed names its cluster as an environment does", async () => {
  const rule = {
    name: "nights",
    mode: "STAGING",
    timezone: "UTC",
    start_time: "2026-01-01T08:00:00Z",
    stop_time: "2026-01-01T20:00:00Z",
    weekdays: ["MONDAY"],
    wildcard: "",
  };
  const rules = [
    { ...rule, cluster: "us-east" },
    { ...rule, name: "more", cluster_id: "us-east" },
  ];
  const { emulator, client } = await start({
    seed: { projects: [{ name: "shop", deployment_rules: rules }] },
  });
  const [project] = await client.list(`/organization/${emulator.organization.id}/project`);
  const { id: cluster_id } = emulator.clusters.find(({ name }) => name === "us-east") ?? {};
  expect(await client.list(`/project/${project?.id}/deploymentRule`)).toMatchObject([
    { cluster_id },
    { cluster_id },
  ]);
});

test("a missing seed file is an error with its path", async () => {
  await expect(createEmulator({ seed: "/no/such/seed.yaml" })).rejects.toThrow("the seed /no/such/seed.yaml");
});
