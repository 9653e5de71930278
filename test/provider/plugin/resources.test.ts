import { expect, test } from "vitest";
import type { Fields } from "../../../core/values/json.ts";
import { unknownValue } from "../../../core/problems/unknown.ts";
import type { PluginClient, StateEntry } from "./plugin-client.ts";
import { start, startAgain } from "./start.ts";

const source = (tag: string) => ({ image: { registry: "docker-hub", imageName: "acme/report", tag } });
const schedule = { cronjob: { scheduledAt: "0 3 * * *", timezone: "Europe/Paris" } };
const jobIn = (environment: string, changes: Fields = {}): Fields => ({
  environment,
  name: "nightly",
  source: source("1.4.2"),
  schedule,
  ...changes,
});

/** A project, an environment and a job. */
async function shop(
  plugin: PluginClient,
  changes: Fields = {},
): Promise<Record<"project" | "staging" | "job", StateEntry>> {
  const project = await plugin.create("Project", { name: "shop" });
  const staging = await plugin.create("Environment", {
    project: project.id,
    name: "staging",
    cluster: "eu-west",
  });
  const job = await plugin.create("Job", jobIn(staging.id, changes));
  return { project, staging, job };
}

test("a created resource shows no changes, an update changes it in place, and a deletion removes it", async () => {
  const { server, plugin } = await start();
  const { staging, job } = await shop(plugin);
  expect(job.outputs).toMatchObject({
    environment: staging.id,
    name: "nightly",
    cpu: 500,
    jobType: "CRON",
    source: { image: { registry: { id: expect.any(String), name: "docker-hub" }, tag: "1.4.2" } },
  });
  expect(await plugin.diff(job, jobIn(staging.id))).toMatchObject({ changes: false, details: {} });

  const news = jobIn(staging.id, { cpu: 700, source: source("1.4.3") });
  expect(await plugin.diff(job, news)).toEqual({
    changes: true,
    replaces: [],
    deleteBeforeReplace: true,
    details: { "source.image.tag": "UPDATE*", cpu: "UPDATE" },
  });
  const updated = await plugin.update(job, news);
  expect(updated.outputs).toMatchObject({ cpu: 700 });
  expect((await server.everything()).get("shop/staging/JOB nightly")).toMatchObject({ cpu: 700 });
  expect(await plugin.diff(updated, jobIn(staging.id))).toMatchObject({
    details: { "source.image.tag": "UPDATE*", cpu: "DELETE*" },
  });

  // What a run has written stays in that run.
  await plugin.remove(updated);
  expect((await server.everything()).size).toBe(3);
  await (await startAgain(server)).remove(updated);
  expect([...(await server.everything()).keys()]).toEqual(["shop", "shop/staging"]);
});

test("a difference names the changed element of a list, and what is added to it", async () => {
  const { plugin } = await start();
  const { project, staging } = await shop(plugin);
  const ports: Fields[] = [
    { internalPort: 8080, publiclyAccessible: true, externalPort: 443 },
    { internalPort: 9090, publiclyAccessible: false },
  ];
  const api = {
    environment: staging.id,
    name: "api",
    gitRepository: { url: "https://github.com/acme/api" },
    ports,
  };
  const entry = await plugin.create("Application", { ...api, variables: { LOG_LEVEL: "info", PORT: "1" } });
  const news = {
    ...api,
    ports: [
      ports[0] ?? {},
      { internalPort: 9090, publiclyAccessible: true },
      { internalPort: 7070, publiclyAccessible: false },
    ],
    variables: { LOG_LEVEL: "debug", NEW: "2" },
  };
  expect((await plugin.diff(entry, news)).details).toEqual({
    "ports[1].publiclyAccessible": "UPDATE*",
    "ports[2]": "ADD*",
    "variables.LOG_LEVEL": "UPDATE*",
    "variables.NEW": "ADD*",
    "variables.PORT": "DELETE*",
  });
  // Another index is no change of an element.
  const [kept = {}, changed = {}, added = {}] = news.ports;
  expect(
    (
      await plugin.diff(entry, {
        ...news,
        ports: [added, kept, changed],
        variables: { LOG_LEVEL: "info", PORT: "1" },
      })
    ).details,
  ).toEqual({ "ports[0]": "ADD*", "ports[2].publiclyAccessible": "UPDATE*" });
  const rule = {
    project: project.id,
    name: "nights",
    mode: "STAGING",
    cluster: "eu-west",
    timezone: "UTC",
    startTime: "2026-01-01T08:00:00Z",
    stopTime: "2026-01-01T20:00:00Z",
    weekdays: ["MONDAY", "TUESDAY"],
  };
  const nights = await plugin.create("DeploymentRule", rule);
  expect((await plugin.diff(nights, { ...rule, weekdays: ["FRIDAY", "MONDAY", "TUESDAY"] })).details).toEqual(
    { "weekdays[0]": "ADD*" },
  );
  expect((await plugin.diff(nights, { ...rule, weekdays: ["FRIDAY", "TUESDAY"] })).details).toEqual({
    "weekdays[0]": "UPDATE*",
  });
  expect((await plugin.diff(nights, { ...rule, weekdays: ["TUESDAY"] })).details).toEqual({
    "weekdays[0]": "DELETE*",
  });
});

test("a preview refuses resources that exchange their names, and lets a chain of new names pass", async () => {
  const { server, plugin } = await start();
  const { staging } = await shop(plugin);
  const create = (name: string) => plugin.create("Job", jobIn(staging.id, { name }));
  const [a, b, c] = [await create("a"), await create("b"), await create("c")];
  const later = await startAgain(server);
  const rename = (entry: StateEntry, name: string) => later.diff(entry, { ...entry.inputs, name });
  expect(await rename(a, "b")).toMatchObject({ changes: true });
  expect(await rename(b, "c")).toMatchObject({ changes: true });
  await expect(rename(c, "A")).rejects.toThrow(
    'the Job "c" cannot get the name "A": resources of this program exchange a name',
  );
  expect(await rename(c, "d")).toMatchObject({ changes: true });
});

test("a difference quotes keys that Pulumi would take for paths", async () => {
  const { plugin } = await start();
  const { staging, job } = await shop(plugin);
  const advancedSettings = { "network.ingress.proxy_body_size_mb": 1 };
  const api = { environment: staging.id, name: "api", gitRepository: { url: "https://github.com/acme/api" } };
  const entry = await plugin.create("Application", { ...api, advancedSettings });
  const news = { ...api, advancedSettings: { "network.ingress.proxy_body_size_mb": 2 } };
  expect((await plugin.diff(entry, news)).details).toEqual({
    'advancedSettings["network.ingress.proxy_body_size_mb"]': "UPDATE*",
  });
  const { details } = await plugin.diff(job, jobIn(staging.id, { variables: { 'a"[b': "1", "x y": "2" } }));
  expect(details).toEqual({ 'variables["a\\"[b"]': "ADD*", "variables.x y": "ADD*" });
});

test("a change that cannot be made replaces the resource, after its deletion", async () => {
  const { plugin } = await start();
  const { project, staging, job } = await shop(plugin);
  const moved = { project: project.id, name: "staging", cluster: "us-east" };
  expect(await plugin.diff(staging, moved)).toEqual({
    changes: true,
    replaces: ["cluster"],
    deleteBeforeReplace: true,
    details: { cluster: "UPDATE_REPLACE*" },
  });
  // The id of the new environment is not known in a preview.
  expect(await plugin.diff(job, jobIn(unknownValue))).toMatchObject({
    replaces: ["environment"],
    details: { environment: "UPDATE_REPLACE*" },
  });
});

test("a preview of a creation knows the inputs and the defaults, and reads only the list to which it refers by name", async () => {
  const { server, plugin } = await start();
  const outputs = await plugin.previewCreation("Job", jobIn(unknownValue, { maxNbRestart: unknownValue }));
  expect(outputs).toMatchObject({
    environment: unknownValue,
    name: "nightly",
    cpu: 500,
    maxNbRestart: unknownValue,
    source: { image: { registry: unknownValue, imageName: "acme/report", tag: "1.4.2" } },
    schedule: { cronjob: { scheduledAt: "0 3 * * *", timezone: "Europe/Paris", arguments: [] } },
    jobType: "CRON",
    createdAt: unknownValue,
  });
  const others = [{ onStart: {} }, unknownValue];
  const types = others.map(async (given) => {
    const { jobType } = await plugin.previewCreation("Job", jobIn(unknownValue, { schedule: given }));
    return jobType;
  });
  expect(await Promise.all(types)).toEqual(["LIFECYCLE", unknownValue]);
  // What is excluded by what is stated is not unknown: it will not be there.
  expect(outputs["source"]).not.toHaveProperty("docker");
  expect(outputs["schedule"]).not.toHaveProperty("onStart");
  const adopted = await plugin.previewCreation("Job", { ...jobIn(unknownValue), adopt: true });
  expect(adopted).toMatchObject({ name: "nightly", cpu: unknownValue });
  expect((await server.seen()).map(({ path }) => path.split("/").at(-1))).toEqual([
    "organization",
    "containerRegistry",
  ]);
});

test("a creation or an update ends with the values that its preview has shown", async () => {
  const { plugin } = await start();
  const { staging, job } = await shop(plugin);
  const news = { ...jobIn(staging.id, { cpu: 800, variables: { A: "1" } }), name: "other" };
  const { inputs } = await plugin.check("Job", news);
  const created = await plugin.create("Job", news);
  expectKnownIn(await plugin.previewCreation("Job", inputs), created.outputs);

  const changed = jobIn(staging.id, { cpu: 900, source: source("2.0.0"), port: 8080 });
  const preview = await plugin.update(job, changed, { preview: true });
  expect(preview.outputs).toMatchObject({
    cpu: 900,
    jobType: "CRON",
    source: { image: { registry: { name: "docker-hub" }, tag: "2.0.0" } },
  });
  const updated = await plugin.update(job, changed);
  expectKnownIn(preview.outputs, updated.outputs);
});

/** Expects every known value of a preview among the outputs. */
function expectKnownIn(
  preview: Fields[string] | undefined,
  outputs: Fields[string] | undefined,
  path = "",
): void {
  if (preview === unknownValue) return;
  if (typeof preview !== "object" || preview === null) {
    expect(outputs, path).toEqual(preview);
    return;
  }
  for (const [member, value] of Object.entries(preview))
    expectKnownIn(value, (outputs as Fields | undefined)?.[member], `${path}.${member}`);
}

test("a refresh shows drift in the inputs that the program sets, and nothing else", async () => {
  const { server, plugin } = await start();
  const { job } = await shop(plugin, { cpu: 700 });
  await server.reconcile([
    { kind: "Job", environment: "shop/staging", name: "nightly", cpu: 900, memory: 1024 },
  ]);
  await server.forgetRequests();
  const later = await startAgain(server);
  const read = await later.read(job);
  expect(read?.inputs).toEqual({ ...job.inputs, cpu: 900 });
  expect(read?.outputs).toMatchObject({ cpu: 900, memory: 1024 });
  expect(await later.read({ ...job, id: "8a5d8b0e-5c2f-4e7a-9f37-2f0d5f1f0c55" })).toBeUndefined();
});

test("one read of an environment serves all its resources in a run", async () => {
  const { server, plugin } = await start();
  const { staging, job } = await shop(plugin);
  const others = await Promise.all(
    ["a", "b", "c", "d"].map((name) => plugin.create("Job", { ...jobIn(staging.id), name })),
  );
  const later = await startAgain(server);
  await server.forgetRequests();
  await Promise.all([job, ...others].map((entry) => later.read(entry)));
  expect(await server.seen()).toMatchObject([{ path: `/environment/${staging.id}/services` }]);
});
