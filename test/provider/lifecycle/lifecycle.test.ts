import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { Properties } from "../../../provider/lifecycle/inputs.ts";
import { unknownValue } from "../../../provider/lifecycle/unknown.ts";
import { Harness } from "../../core/engine/harness.ts";
import { type Entry, Pass } from "./pass.ts";

let server: Harness;
let environment: Entry;

beforeEach(async () => {
  server = await Harness.start();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const pass = await Pass.start(server.emulator);
  const project = await pass.create("Project", { name: "shop" });
  environment = await pass.create("Environment", {
    project: project.id,
    name: "staging",
    mode: "STAGING",
    cluster: "eu-west",
  });
});

const image = { registry: "docker-hub", imageName: "acme/report", tag: "1.4.2" };
const nightly = (): Properties => ({
  environment: environment.id,
  name: "nightly",
  source: { image },
  schedule: { cronjob: { scheduledAt: "0 3 * * *", timezone: "Europe/Paris" } },
});
const api = (): Properties => ({
  environment: environment.id,
  name: "api",
  gitRepository: { url: "https://github.com/acme/api", branch: "main" },
  ports: [{ internalPort: 8080, publiclyAccessible: true }],
});

const pass = (config?: Record<string, string>) => Pass.start(server.emulator, config);
const live = (entry: Entry) => server.api("GET", `/${entry.kind.toLowerCase()}/${entry.id}`);
const writes = async () =>
  (await server.writes()).map(({ method, path }) => `${method} ${path.split("/")[1]}`);

test("a resource is created with one request, and its outputs tell all that the API reports", async () => {
  const first = await pass();
  await first.create("Job", { ...nightly(), name: "other" });
  await server.forgetRequests();
  const job = await first.create("Job", nightly());
  expect(await writes()).toEqual(["POST environment"]);
  expect((await server.seen()).length).toBe(1);
  expect(job.outputs).toMatchObject({
    name: "nightly",
    environment: environment.id,
    cpu: 500,
    source: { image: { imageName: "acme/report", registry: { name: "docker-hub" } } },
    jobType: "CRON",
    maximumCpu: expect.any(Number),
    createdAt: expect.any(String),
    iconUri: expect.any(String),
  });
  expect(environment.outputs).toMatchObject({ clusterName: "eu-west", cluster: { name: "eu-west" } });
});

test("nothing differs after a creation, nor after a refresh, for every kind", async () => {
  const first = await pass();
  const entries = [
    environment,
    await first.create("Job", nightly()),
    await first.create("Application", api()),
  ];
  for (const entry of entries) {
    expect((await first.up(entry, entry.inputs)).step).toBe("same");
    const refreshed = await (await pass()).refresh(entry);
    expect(refreshed?.outputs).toEqual(entry.outputs);
    expect(refreshed?.inputs).toEqual(entry.inputs);
    if (refreshed) expect((await first.up(refreshed, entry.inputs)).step).toBe("same");
  }
});

test("check and diff send nothing", async () => {
  const first = await pass();
  const job = await first.create("Job", nightly());
  await server.forgetRequests();
  first.diff(job, { ...nightly(), cpu: 1000 });
  expect(await server.seen()).toEqual([]);
});

test("a change is written over what is there, and nothing else changes", async () => {
  const job = await (await pass()).create("Job", nightly());
  await server.api("PUT", `/job/${job.id}`, {
    ...bodyOf(await live(job)),
    memory: 2048,
  });
  const { entry, step } = await (await pass()).up(job, { ...nightly(), cpu: 1000 });
  expect(step).toBe("update");
  expect(entry.outputs).toMatchObject({ cpu: 1000, memory: 2048 });
  expect(await live(job)).toMatchObject({ cpu: 1000, memory: 2048 });
});

function bodyOf(response: unknown): Properties {
  const { name, schedule, cpu, source } = response as Properties & {
    source: { image: { image_name: string; tag: string; registry: { id: string } } };
  };
  const { image_name, tag, registry } = source.image;
  return {
    name: name ?? "",
    cpu: cpu ?? 500,
    schedule: schedule ?? {},
    healthchecks: {},
    source: { image: { image_name, tag, registry_id: registry.id } },
  };
}

test("drift shows in a refresh and is undone by the next up", async () => {
  const job = await (await pass()).create("Job", { ...nightly(), cpu: 700 });
  await server.api("PUT", `/job/${job.id}`, {
    ...bodyOf(await live(job)),
    name: "renamed",
    cpu: 900,
    memory: 2048,
  });
  const refreshed = await (await pass()).refresh(job);
  expect(refreshed).toMatchObject({
    inputs: { name: "renamed", cpu: 900 },
    outputs: { name: "renamed", cpu: 900, memory: 2048 },
  });
  expect(refreshed?.inputs).not.toHaveProperty("memory");
  if (!refreshed) return;
  const { entry, step } = await (await pass()).up(refreshed, job.inputs);
  expect(step).toBe("update");
  expect(entry.outputs).toMatchObject({ name: "nightly", cpu: 700, memory: 2048 });
});

test("what disappears before it is changed is said to have, with what to do", async () => {
  const job = await (await pass()).create("Job", nightly());
  await server.api("DELETE", `/job/${job.id}`);
  await expect((await pass()).update(job, { ...nightly(), cpu: 700 })).rejects.toThrow(
    /has disappeared.*; run `pulumi refresh`, then `pulumi up`$/,
  );
});

test("what has gone is gone; a 403 or a 500 is an error", async () => {
  const job = await (await pass()).create("Job", nightly());
  for (const status of [403, 500]) {
    await server.api("POST", "/_emulator/faults", [{ path: "/environment/*/services", status }]);
    await expect((await pass()).refresh(job)).rejects.toThrow(String(status));
    await server.api("DELETE", "/_emulator/faults");
  }
  await server.api("DELETE", `/job/${job.id}`);
  expect(await (await pass()).refresh(job)).toBeUndefined();
  await server.api("DELETE", `/environment/${environment.id}`);
  expect(await (await pass()).refresh(job)).toBeUndefined();
  expect(await (await pass()).refresh(environment)).toBeUndefined();
});

test("what a list leaves out is asked for by its id before it counts as gone", async () => {
  const job = await (await pass()).create("Job", nightly());
  const empty = { path: "/environment/*/services", status: 200, body: { results: [] } };
  await server.api("POST", "/_emulator/faults", [empty]);
  expect(await (await pass()).refresh(job)).toMatchObject({ id: job.id });
});

test("an input that is removed goes back to its default, and what has none is left out", async () => {
  const job = await (
    await pass()
  ).create("Job", { ...nightly(), cpu: 700, cpuArchitecture: "ARM64", autoPreview: false });
  const { entry } = await (await pass()).up(job, nightly());
  expect(entry.outputs).toMatchObject({ cpu: 500, autoPreview: true });
  expect(entry.outputs).not.toHaveProperty("cpuArchitecture");
  expect((await (await pass()).up(entry, nightly())).step).toBe("same");
});

test("a default that is written out, a set in another order, or another case of the name is no change", async () => {
  const first = await pass();
  const web = { internalPort: 8080, publiclyAccessible: true };
  const metrics = { internalPort: 9090, publiclyAccessible: false, protocol: "TCP" };
  const application = await first.create("Application", { ...api(), ports: [web, metrics] });
  const other = {
    ...api(),
    name: "API",
    ports: [metrics, { ...web, protocol: "HTTP" }],
    cpu: 500,
    description: "",
  };
  expect((await first.up(application, other)).step).toBe("same");
});

test.each<[string, (job: Properties) => Properties, string[]]>([
  ["the parent", (job) => ({ ...job, environment: "00000000-0000-4000-8000-000000000000" }), ["environment"]],
  ["an unknown parent", (job) => ({ ...job, environment: unknownValue }), ["environment"]],
  ["the type", (job) => ({ ...job, schedule: { onStart: {} } }), ["schedule"]],
  ["nothing immutable", (job) => ({ ...job, name: "new", cpu: 600 }), []],
  ["an unknown value", (job) => ({ ...job, description: unknownValue }), []],
  ["an unknown object", (job) => ({ ...job, source: unknownValue }), []],
  ["an unknown element", (job) => ({ ...job, labelsGroups: [unknownValue] }), []],
])("a change of %s", async (_, change, replaces) => {
  const first = await pass();
  const job = await first.create("Job", nightly());
  expect(first.diff(job, change(nightly()))).toEqual({ changes: true, replaces, deleteBeforeReplace: true });
});

test("an element of a list that is not known yet may be a change", async () => {
  const first = await pass();
  const application = await first.create("Application", api());
  const [port] = api()["ports"] as Properties[];
  const news = { ...api(), ports: [port ?? {}, unknownValue] };
  expect(first.diff(application, news)).toEqual({ changes: true, replaces: [], deleteBeforeReplace: true });
});

test("another cluster replaces an environment, the same by id does not", async () => {
  const first = await pass();
  const inputs = environment.inputs;
  const [cluster] = server.emulator.clusters;
  expect(first.diff(environment, { ...inputs, cluster: cluster?.id ?? "" }).changes).toBe(false);
  expect(first.diff(environment, { ...inputs, cluster: "us-east" }).replaces).toEqual(["cluster"]);
  const { cluster: _cluster, ...others } = inputs;
  expect(first.diff(environment, others).changes).toBe(false);
});

test("a name that is taken is an error, unless it is adopted", async () => {
  const job = await (await pass()).create("Job", nightly());
  await expect((await pass()).create("Job", { ...nightly(), name: "NIGHTLY" })).rejects.toThrow(
    `there is a Job "nightly" (${job.id}) already; set \`adopt: true\``,
  );
  const adopted = await (await pass()).create("Job", { ...nightly(), cpu: 800, adopt: true });
  expect(adopted.id).toBe(job.id);
  expect(adopted.outputs).toMatchObject({ cpu: 800 });
  const all = await (await pass({ "infrasync:adopt": "true" })).create("Job", nightly());
  expect(all).toMatchObject({ id: job.id, outputs: { cpu: 800 } });
  const byId = await (
    await pass()
  ).create("Job", { environment: environment.id, name: "other", adoptId: job.id });
  expect(byId).toMatchObject({ id: job.id, outputs: { name: "other", cpu: 800 } });
  await expect((await pass()).create("Job", { ...nightly(), adoptId: environment.id })).rejects.toThrow(
    "no Job with the id",
  );
});

test("what cannot be taken over as the program says is refused before a write", async () => {
  const job = await (await pass()).create("Job", nightly());
  const project = String(environment.outputs["project"]);
  const other = await (await pass()).create("Environment", { project, name: "other" });
  await server.forgetRequests();
  const adopting = { ...nightly(), adopt: true, schedule: { onStart: {} } };
  await expect((await pass()).create("Job", adopting)).rejects.toThrow(
    /cannot be taken over: schedule\.cronjob differs: a cron job cannot become a lifecycle job/,
  );
  const elsewhere = { ...nightly(), environment: other.id, adoptId: job.id };
  await expect((await pass()).create("Job", elsewhere)).rejects.toThrow(
    `the Job ${job.id} is in another Environment (${environment.id}), and cannot be moved; correct environment or adoptId`,
  );
  expect(await server.writes()).toEqual([]);
});

test("what a pass has taken over, it does not delete", async () => {
  const job = await (await pass()).create("Job", nightly());
  const next = await pass();
  const adopted = await next.create("Job", { ...nightly(), adopt: true });
  await next.remove(job);
  expect(await (await pass()).refresh(adopted)).toBeDefined();
});

test("what is about to be replaced is not taken over", async () => {
  const job = await (await pass()).create("Job", nightly());
  const next = await pass();
  const lifecycle = { ...nightly(), schedule: { onStart: {} }, adopt: true };
  next.diff(job, lifecycle);
  await expect(next.create("Job", lifecycle)).rejects.toThrow("take `deleteBeforeReplace: false` out");
});

test("what a pass has deleted is not in its way, and not asked for again", async () => {
  const job = await (await pass()).create("Job", nightly());
  const next = await pass();
  await next.refresh(job);
  await server.forgetRequests();
  const { entry, step } = await next.up(job, { ...nightly(), schedule: { onStart: {} } });
  expect(step).toBe("replace");
  expect(entry.outputs).toMatchObject({ jobType: "LIFECYCLE" });
  expect(
    (await server.seen()).filter(({ method, path }) => method === "GET" && path.startsWith("/job/")),
  ).toEqual([]);
});

test.each(["/organization", "/organization/*/containerRegistry"])(
  "a failure to read %s is not remembered",
  async (path) => {
    const first = await pass();
    await server.api("POST", "/_emulator/faults", [{ path, status: 403, times: 1 }]);
    await expect(first.create("Job", nightly())).rejects.toThrow("403");
    expect((await first.create("Job", { ...nightly(), name: "other" })).initErrors).toEqual([]);
  },
);

test("two resources of a program with one name are refused", async () => {
  const first = await pass();
  const results = await Promise.allSettled([
    first.create("Job", nightly()),
    first.create("Job", { ...nightly(), name: "Nightly" }),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(String(results[1]?.status === "rejected" && results[1].reason)).toContain(
    "another resource of this program",
  );
});

test("a clone has the other inputs laid over it, and keeps the rest", async () => {
  const source = await (await pass()).create("Job", { ...nightly(), cpu: 700, memory: 1024 });
  const inputs = { environment: environment.id, name: "copy", cloneFrom: source.id, cpu: 250 };
  const copy = await (await pass()).create("Job", inputs);
  expect(copy.outputs).toMatchObject({ cpu: 250, memory: 1024, cloneFrom: source.id });
  expect((await (await pass()).up(copy, inputs)).step).toBe("same");
  expect((await (await pass()).up(copy, { ...inputs, cloneFrom: environment.id })).step).toBe("same");
  const other = await (await pass()).up(copy, { ...inputs, cloneFrom: environment.id, cpu: 300 });
  expect(other).toMatchObject({ step: "update", entry: { outputs: { cpu: 300, cloneFrom: source.id } } });
  const { cpu: _cpu, ...without } = inputs;
  expect((await (await pass()).up(copy, without)).step).toBe("same");
  const refreshed = await (await pass()).refresh(other.entry);
  expect(refreshed?.inputs).toEqual({ ...inputs, cpu: 300 });
});

test("a clone that fails half-way is kept, and healed by the next up", async () => {
  const source = await (await pass()).create("Job", nightly());
  const inputs = { environment: environment.id, name: "copy", cloneFrom: source.id, cpu: 250 };
  await server.api("POST", "/_emulator/faults", [{ method: "PUT", path: "/job/*", status: 400, times: 1 }]);
  const failed = await (await pass()).create("Job", inputs);
  expect(failed.initErrors.join()).toContain("400");
  const { entry, step } = await (await pass()).up(failed, inputs);
  expect(step).toBe("update");
  expect(entry).toMatchObject({ id: failed.id, outputs: { cpu: 250 }, initErrors: [] });
  expect(entry.outputs).not.toHaveProperty("__unfinished");
  expect((await (await pass()).up(entry, inputs)).step).toBe("same");
});

test("an unfinished clone survives a refresh, and a renaming", async () => {
  const source = await (await pass()).create("Job", nightly());
  const inputs = { environment: environment.id, name: "copy", cloneFrom: source.id, cpu: 250 };
  await server.api("POST", "/_emulator/faults", [{ method: "PUT", path: "/job/*", status: 400, times: 1 }]);
  const failed = await (await pass()).create("Job", inputs);
  const refreshed = await (await pass()).refresh(failed);
  expect(refreshed).toBeDefined();
  if (!refreshed) return;
  const { entry } = await (await pass()).up(refreshed, { ...inputs, name: "renamed" });
  expect(entry.outputs).toMatchObject({ name: "renamed", cpu: 250 });
});

test("an environment is cloned with all that is in it", async () => {
  await (await pass()).create("Job", nightly());
  await (await pass()).create("Application", api());
  const project = String(environment.outputs["project"]);
  const preview = await (
    await pass()
  ).create("Environment", { project, name: "preview", cloneFrom: environment.id, mode: "PREVIEW" });
  expect(preview.outputs).toMatchObject({ mode: "PREVIEW", clusterName: "eu-west" });
  expect((await server.results(`/environment/${preview.id}/services`)).map(({ name }) => name)).toEqual([
    "nightly",
    "api",
  ]);
  expect((await (await pass()).up(preview, preview.inputs)).step).toBe("same");
});

test("an environment whose clone has failed half-way is finished, not replaced", async () => {
  await (await pass()).create("Job", nightly());
  const project = String(environment.outputs["project"]);
  const inputs = { project, name: "copy", cloneFrom: environment.id, cluster: "us-east" };
  // The first list is of what the source holds, the second of what the clone holds already.
  const fault = { method: "GET", path: "/environment/*/services", status: 403, after: 1 };
  await server.api("POST", "/_emulator/faults", [fault]);
  const failed = await (await pass()).create("Environment", inputs);
  expect(failed.initErrors.join()).toContain("403");
  await server.api("DELETE", "/_emulator/faults");
  const { entry, step } = await (await pass()).up(failed, inputs);
  expect(step).toBe("update");
  expect(entry).toMatchObject({ id: failed.id, outputs: { clusterName: "us-east" } });
  expect((await server.results(`/environment/${entry.id}/services`)).length).toBe(1);
});

test("a clone that takes longer than is waited for is kept, and finished by the next up", async () => {
  const slow = await Harness.start({ cloneDelay: 1500 });
  onTestFinished(() => slow[Symbol.asyncDispose]());
  const next = (cloneTimeout: string) =>
    Pass.start(slow.emulator, { "infrasync:cloneTimeout": cloneTimeout });
  const first = await next("1s");
  const project = await first.create("Project", { name: "shop" });
  const staging = await first.create("Environment", { project: project.id, name: "staging" });
  const source = await first.create("Job", { ...nightly(), environment: staging.id });
  const inputs = { environment: staging.id, name: "copy", cloneFrom: source.id, cpu: 250 };
  const pending = await first.create("Job", inputs);
  expect(pending.initErrors.join()).toMatch(/could not be read completely within 1 s; run `pulumi up` again/);
  const { entry } = await (await next("5s")).up(pending, inputs);
  expect(entry).toMatchObject({ id: pending.id, outputs: { cpu: 250 }, initErrors: [] });
});

test("what a clone cannot have otherwise is refused before anything is sent", async () => {
  const source = await (await pass()).create("Job", nightly());
  await server.forgetRequests();
  const inputs = {
    environment: environment.id,
    name: "copy",
    cloneFrom: source.id,
    schedule: { onStart: {} },
  };
  await expect((await pass()).create("Job", inputs)).rejects.toThrow(
    "a cron job cannot become a lifecycle job",
  );
  expect(await server.writes()).toEqual([]);
});

test("a deletion that takes its time is waited for, and what is gone already is no failure", async () => {
  const slow = await Harness.start({ deleteDelay: 300 });
  onTestFinished(() => slow[Symbol.asyncDispose]());
  const first = await Pass.start(slow.emulator);
  const project = await first.create("Project", { name: "shop" });
  const staging = await first.create("Environment", { project: project.id, name: "staging" });
  await first.remove(staging);
  expect(await slow.results(`/project/${project.id}/environment`)).toEqual([]);
  await first.remove(staging);
});

test("an unclear creation is looked for before it is sent again", async () => {
  await server.api("POST", "/_emulator/faults", [
    { method: "POST", path: "/environment/*/job", drop: "after", times: 1 },
  ]);
  const job = await (await pass()).create("Job", nightly());
  expect((await server.results(`/environment/${environment.id}/services`)).map(({ id }) => id)).toEqual([
    job.id,
  ]);
});

/** A creation whose outcome cannot be found out, as looking is refused afterwards. */
async function unclearJob(drop: "before" | "after"): Promise<Entry> {
  const faults = [
    { method: "POST", path: "/environment/*/job", drop },
    { method: "GET", path: "/environment/*/services", status: 403, after: 1 },
  ];
  await server.api("POST", "/_emulator/faults", faults);
  const entry = await (await pass()).create("Job", nightly());
  await server.api("DELETE", "/_emulator/faults");
  expect(entry.initErrors.join()).toMatch(
    /^it is not known whether it has been made: .*; run `pulumi up` again/,
  );
  return entry;
}

test("what may have been made and has not is made by the next up", async () => {
  const unclear = await unclearJob("before");
  const { entry, step } = await (await pass()).up(unclear, nightly());
  expect(step).toBe("replace");
  expect((await server.results(`/environment/${environment.id}/services`)).map(({ id }) => id)).toEqual([
    entry.id,
  ]);
  expect(await (await pass()).refresh(unclear)).toMatchObject({ id: entry.id });
});

test("what may have been made and has is found by a refresh, and never deleted by its name", async () => {
  const unclear = await unclearJob("after");
  await expect((await pass()).up(unclear, nightly())).rejects.toThrow("run `pulumi refresh`");
  const refreshed = await (await pass()).refresh(unclear);
  const [made] = await server.results(`/environment/${environment.id}/services`);
  expect(refreshed).toMatchObject({ id: made?.["id"], outputs: { cpu: 500 } });
  if (!refreshed) return;
  const { entry, step } = await (await pass()).up(refreshed, nightly());
  expect(step).toBe("update");
  expect((await (await pass()).up(entry, nightly())).step).toBe("same");
});

test("what may have been made and is not there is gone", async () => {
  expect(await (await pass()).refresh(await unclearJob("before"))).toBeUndefined();
});

test("100 jobs in 5 environments are read with a request an environment, and created with few more than one each", async () => {
  const first = await pass();
  const project = String(environment.outputs["project"]);
  const environments = await Promise.all(
    Array.from({ length: 5 }, (_unused, index) =>
      first.create("Environment", { project, name: `e${index}` }),
    ),
  );
  await server.forgetRequests();
  const making = await pass();
  const jobs: Entry[] = [];
  for (const { id } of environments) {
    jobs.push(
      ...(await Promise.all(
        Array.from({ length: 20 }, (_unused, index) =>
          making.create("Job", { ...nightly(), environment: id, name: `j${index}` }),
        ),
      )),
    );
  }
  // The jobs, a list and the organization's registries.
  expect((await server.seen()).length).toBeLessThanOrEqual(100 + 5 + 2);
  await server.forgetRequests();
  const refreshing = await pass();
  await Promise.all([...jobs, ...environments].map((entry) => refreshing.refresh(entry)));
  expect((await server.seen()).length).toBe(6);
  await server.forgetRequests();
  const removing = await pass();
  await Promise.all(jobs.map((entry) => removing.remove(entry)));
  expect((await server.seen()).length).toBeLessThanOrEqual(100 + 4 * 5);
});
