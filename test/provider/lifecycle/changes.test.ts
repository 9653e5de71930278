import { expect, onTestFinished, test } from "vitest";
import type { Properties } from "../../../provider/lifecycle/inputs.ts";
import { retainedProperty } from "../../../provider/lifecycle/internal.ts";
import { unknownValue } from "../../../core/problems/unknown.ts";
import { Harness } from "../../fixtures/harness.ts";
import { Pass } from "./pass.ts";
import { bodyOf } from "./body-of.ts";
import { useStaging } from "./staging.ts";

const staging = useStaging();
const { pass, nightly, api, live } = staging;

test("a resource is created with one request, and its outputs contain all members of the response", async () => {
  const first = await pass();
  await first.create("Job", { ...nightly(), name: "other" });
  await staging.server.forgetRequests();
  const job = await first.create("Job", nightly());
  expect((await staging.server.seen()).map(({ method }) => method)).toEqual(["POST"]);
  expect(job.outputs).toMatchObject({
    name: "nightly",
    environment: staging.environment.id,
    cpu: 500,
    source: { image: { imageName: "acme/report", registry: { name: "docker-hub" } } },
    jobType: "CRON",
    maximumCpu: expect.any(Number),
    createdAt: expect.any(String),
    iconUri: expect.any(String),
  });
  expect(staging.environment.outputs).toMatchObject({ clusterName: "eu-west", cluster: { name: "eu-west" } });
});

test("check and diff send no request", async () => {
  const first = await pass();
  const job = await first.create("Job", nightly());
  await staging.server.forgetRequests();
  first.diff(job, { ...nightly(), cpu: 1000 });
  expect(await staging.server.seen()).toEqual([]);
});

test("an update writes only the changed fields", async () => {
  const job = await (await pass()).create("Job", nightly());
  await staging.server.api("PUT", `/job/${job.id}`, { ...bodyOf(await live(job)), memory: 2048 });
  const { entry, step } = await (await pass()).up(job, { ...nightly(), cpu: 1000 });
  expect(step).toBe("update");
  expect(entry.outputs).toMatchObject({ cpu: 1000, memory: 2048 });
  expect(await live(job)).toMatchObject({ cpu: 1000, memory: 2048 });
});

test("a removed input resets its field to the default, and a field without a default is not sent", async () => {
  const job = await (
    await pass()
  ).create("Job", { ...nightly(), cpu: 700, cpuArchitecture: "ARM64", autoPreview: true });
  const { entry } = await (await pass()).up(job, nightly());
  expect(entry.outputs).toMatchObject({ cpu: 500, autoPreview: false });
  expect(entry.outputs).not.toHaveProperty("cpuArchitecture");
  expect((await (await pass()).up(entry, nightly())).step).toBe("same");
});

test("an explicit default, a set in another order, or another case of the name is no change", async () => {
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
  ["an unknown type", (job) => ({ ...job, schedule: unknownValue }), ["schedule"]],
  ["a part of the type", (job) => ({ ...job, schedule: { cronjob: unknownValue } }), []],
  ["nothing immutable", (job) => ({ ...job, name: "new", cpu: 600 }), []],
  ["an unknown value", (job) => ({ ...job, description: unknownValue }), []],
  ["an unknown object", (job) => ({ ...job, source: unknownValue }), []],
  ["an unknown element", (job) => ({ ...job, labelsGroups: [unknownValue] }), []],
])("a change of %s", async (_, change, replaces) => {
  const first = await pass();
  const job = await first.create("Job", nightly());
  expect(first.diff(job, change(nightly()))).toEqual({ changes: true, replaces, deleteBeforeReplace: true });
});

test("an unknown element of a list may be a change", async () => {
  const first = await pass();
  const application = await first.create("Application", api());
  const [port] = api()["ports"] as Properties[];
  const news = { ...api(), ports: [port ?? {}, unknownValue] };
  expect(first.diff(application, news)).toEqual({ changes: true, replaces: [], deleteBeforeReplace: true });
});

test("another cluster replaces an environment, the same cluster by id does not", async () => {
  const first = await pass();
  const inputs = staging.environment.inputs;
  const [cluster] = staging.server.emulator.clusters;
  expect(first.diff(staging.environment, { ...inputs, cluster: cluster?.id ?? "" }).changes).toBe(false);
  for (const other of ["us-east", unknownValue]) {
    expect(first.diff(staging.environment, { ...inputs, cluster: other }).replaces).toEqual(["cluster"]);
  }
  const { cluster: _cluster, ...others } = inputs;
  expect(first.diff(staging.environment, others).changes).toBe(false);
});

test("a delayed deletion is waited for, and a resource that is already gone is no failure", async () => {
  const slow = await Harness.start({ clock: "frozen", behaviour: { delete_delay_ms: 300 } });
  onTestFinished(() => slow[Symbol.asyncDispose]());
  const first = await Pass.start(slow.emulator, {}, slow.clock);
  const project = await first.create("Project", { name: "shop" });
  const target = await first.create("Environment", { project: project.id, name: "staging" });
  await first.remove(target);
  expect(await slow.results(`/project/${project.id}/environment`)).toEqual([]);
  await first.remove(target);
});

test("a retained resource is not replaced under its name, unless the replacement may turn out to be unnecessary", async () => {
  const job = await (await pass()).create("Job", nightly());
  const retained = { ...nightly(), schedule: { onStart: {} }, [retainedProperty]: true };
  const replaces = async (news: Properties) => (await pass()).diff(job, news).replaces;
  await expect(replaces(retained)).rejects.toThrow(
    'the Job "nightly" must be replaced, but its option `retainOnDelete: true` keeps the old one',
  );
  const schedule = ["schedule"];
  expect(await replaces({ ...retained, [retainedProperty]: false })).toEqual(schedule);
  expect(await replaces({ ...retained, name: "other" })).toEqual(schedule);
  expect(await replaces({ ...retained, schedule: unknownValue })).toEqual(schedule);
  expect(await replaces({ ...nightly(), cpu: 700, [retainedProperty]: true })).toEqual([]);
});
