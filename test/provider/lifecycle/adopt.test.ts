import { expect, test } from "vitest";
import type { Properties } from "../../../provider/lifecycle/inputs.ts";
import { unknownValue } from "../../../core/problems/unknown.ts";
import type { Entry } from "./pass.ts";
import { useStaging } from "./staging.ts";

const staging = useStaging();
const { pass, nightly } = staging;

test("a taken name is an error unless the resource is adopted", async () => {
  const job = await (await pass()).create("Job", nightly());
  await expect((await pass()).create("Job", { ...nightly(), name: "NIGHTLY" })).rejects.toThrow(
    `there is a Job "nightly" (${job.id}) already; set \`aliases\` to its earlier name in the program, or \`adopt: true\` to adopt it, or choose another name`,
  );
  const adopted = await (await pass()).create("Job", { ...nightly(), cpu: 800, adopt: true });
  expect(adopted.id).toBe(job.id);
  expect(adopted.outputs).toMatchObject({ cpu: 800 });
  const all = await (await pass({ "infrasync:adopt": "true" })).create("Job", nightly());
  expect(all).toMatchObject({ id: job.id, outputs: { cpu: 800 } });
  const byId = await (
    await pass()
  ).create("Job", { environment: staging.environment.id, name: "other", adoptId: job.id });
  expect(byId).toMatchObject({ id: job.id, outputs: { name: "other", cpu: 800 } });
  await expect(
    (await pass()).create("Job", { ...nightly(), adoptId: staging.environment.id }),
  ).rejects.toThrow("no Job with the id");
});

test("resources of the command line are adopted without a write", async () => {
  await staging.server.reconcile([
    { kind: "Project", name: "depot" },
    { kind: "Environment", project: "depot", name: "staging", mode: "STAGING" },
    {
      kind: "Job",
      environment: "depot/staging",
      name: "nightly",
      cpu: 700,
      source: { image: { registry: "docker-hub", image_name: "acme/report", tag: "1.4.2" } },
      schedule: { cronjob: { scheduled_at: "0 3 * * *", timezone: "Europe/Paris" } },
      variables: { LOG_LEVEL: "info" },
    },
  ]);
  await staging.server.forgetRequests();
  const adopting = await pass({ "infrasync:adopt": "true" });
  const project = await adopting.create("Project", { name: "depot" });
  const environment = await adopting.create("Environment", {
    project: project.id,
    name: "staging",
    mode: "STAGING",
  });
  const variables = { LOG_LEVEL: "info" };
  await adopting.create("Job", { ...nightly(), environment: environment.id, cpu: 700, variables });
  expect(await staging.server.writes()).toEqual([]);
});

test("an adoption that cannot match the program is refused before a write", async () => {
  const job = await (await pass()).create("Job", nightly());
  const project = String(staging.environment.outputs["project"]);
  const other = await (await pass()).create("Environment", { project, name: "other" });
  await staging.server.forgetRequests();
  const adopting = { ...nightly(), adopt: true, schedule: { onStart: {} } };
  await expect((await pass()).create("Job", adopting)).rejects.toThrow(
    /cannot be adopted: schedule\.cronjob differs: a cron job cannot become a lifecycle job/,
  );
  const elsewhere = { ...nightly(), environment: other.id, adoptId: job.id };
  await expect((await pass()).create("Job", elsewhere)).rejects.toThrow(
    `the Job ${job.id} is in another Environment (${staging.environment.id}), and a Job cannot be moved to another Environment; correct environment or adoptId`,
  );
  expect(await staging.server.writes()).toEqual([]);
});

test("a resource adopted in this run is not deleted in the same run", async () => {
  const job = await (await pass()).create("Job", nightly());
  const next = await pass();
  const adopted = await next.create("Job", { ...nightly(), adopt: true });
  await next.remove(job);
  expect(await (await pass()).refresh(adopted)).toBeDefined();
});

test("an earlier name of a resource in the program is not deleted in a later run either", async () => {
  const job = await (await pass()).create("Job", nightly());
  const adopted = await (await pass()).create("Job", { ...nightly(), adopt: true });
  // The first run ended here: its state has the resource twice.
  const next = await pass();
  expect((await next.up(adopted, { ...nightly(), adopt: true })).step).toBe("same");
  await next.remove(job);
  expect(await (await pass()).refresh(adopted)).toBeDefined();
});

test("a resource that the engine replaces for reasons of its own is deleted after a difference without a replacement", async () => {
  const job = await (await pass()).create("Job", nightly());
  const next = await pass();
  next.diff(job, nightly(), "nightly");
  await next.remove(job, "nightly");
  expect(await (await pass()).refresh(job)).toBeUndefined();
});

test("a resource that is about to be replaced is not adopted", async () => {
  const job = await (await pass()).create("Job", nightly());
  const next = await pass();
  const lifecycle = { ...nightly(), schedule: { onStart: {} }, adopt: true };
  next.diff(job, lifecycle);
  await expect(next.create("Job", lifecycle)).rejects.toThrow("remove `deleteBeforeReplace: false`");
});

test("a resource that is about to be replaced is not mistaken for the result of an unclear request", async () => {
  const next = await pass();
  const news = { ...staging.environment.inputs, cluster: "us-east" };
  next.diff(staging.environment, news);
  // The list does not contain the resource when its name is looked up, and then the request is lost.
  await staging.server.api("POST", "/_emulator/faults", [
    { method: "GET", path: "/project/*/environment", times: 2, status: 200, body: { results: [] } },
    { method: "POST", path: "/project/*/environment", times: 1, drop: "before" },
  ]);
  await expect(next.create("Environment", news)).rejects.toThrow("remove `deleteBeforeReplace: false`");
});

test("two resources of a program cannot adopt the same resource", async () => {
  const job = await (await pass()).create("Job", nightly());
  const next = await pass();
  const { environment } = nightly();
  const adopting = (name: string) =>
    next.create("Job", { environment: environment ?? "", name, adoptId: job.id });
  const results = await Promise.allSettled([adopting("one"), adopting("two")]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(String(results[1]?.status === "rejected" && results[1].reason)).toContain(
    `another resource of this program manages the Job ${job.id} already; remove one of the two`,
  );
});

test.each<[string, (job: Entry) => Properties, Record<string, string>]>([
  ["by its id", ({ id }) => ({ ...nightly(), name: "other", adoptId: id }), {}],
  ["by its name", () => ({ ...nightly(), adopt: true }), {}],
  ["as all are", () => nightly(), { "infrasync:adopt": "true" }],
])("a resource of the program cannot be adopted by another one %s", async (_, inputs, config) => {
  const job = await (await pass()).create("Job", nightly());
  await staging.server.forgetRequests();
  const after = await pass(config);
  expect((await after.up(job, nightly())).step).toBe("same");
  await expect(after.create("Job", inputs(job))).rejects.toThrow(`manages the Job ${job.id} already`);
  expect(await staging.server.writes()).toEqual([]);

  const before = await pass(config);
  await before.create("Job", inputs(job));
  expect(() => before.diff(job, nightly())).toThrow("`pulumi state delete` removes it from the state");
});

test("a deleted resource does not block a new one of its name, and one 404 proves the deletion", async () => {
  const job = await (await pass()).create("Job", nightly());
  const next = await pass();
  await next.refresh(job);
  await staging.server.forgetRequests();
  const { entry, step } = await next.up(job, { ...nightly(), schedule: { onStart: {} } });
  expect(step).toBe("replace");
  expect(entry.outputs).toMatchObject({ jobType: "LIFECYCLE" });
  expect(
    (await staging.server.seen()).filter(({ method, path }) => method === "GET" && path.startsWith("/job/")),
  ).toEqual([{ method: "GET", path: `/job/${job.id}`, status: 404 }]);
});

test("two stacks that adopt the same resource see each other's changes", async () => {
  const job = await (await pass()).create("Job", nightly());
  const [dev, other] = [await pass(), await pass()];
  const adopting = { ...nightly(), adopt: true };
  const mine = await dev.create("Job", adopting);
  const theirs = await other.create("Job", adopting);
  expect([mine.id, theirs.id]).toEqual([job.id, job.id]);

  await (await pass()).remove(theirs);

  expect(await (await pass()).refresh(mine)).toBeUndefined();
  await (await pass()).create("Job", adopting);
  expect(await staging.services()).toMatchObject([{ name: "nightly" }]);
});

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

test("the replacement of a resource adopted by id is created, also in a later run", async () => {
  const job = await (await pass()).create("Job", nightly());
  const inputs = { ...nightly(), adoptId: job.id };
  const adopted = await (await pass()).create("Job", inputs);
  const news = { ...inputs, schedule: { onStart: {} } };
  await staging.server.api("POST", "/_emulator/faults", [{ method: "POST", status: 400, times: 1 }]);
  await expect((await pass()).up(adopted, news)).rejects.toThrow("400");
  await expect((await pass()).create("Job", news)).rejects.toThrow(`no Job with the id ${job.id}`);
  const { entry } = await (await pass()).up(adopted, news);
  expect(entry).toMatchObject({ outputs: { jobType: "LIFECYCLE" } });
  expect((await (await pass()).up(entry, news)).step).toBe("same");
});

test("a resource adopted with a few fields is not replaced by one that cannot be created", async () => {
  const job = await (await pass()).create("Job", nightly());
  const { environment, name } = nightly() as { environment: string; name: string };
  const schedule = { onStart: {} };
  const moved = unknownValue;
  for (const [adoption, changes, isPossible] of [
    [{ adopt: true }, { schedule }, false],
    [{ adopt: true }, { environment: moved }, true],
    [{ adopt: true }, { cpu: 700 }, true],
    [{ adoptId: job.id }, { schedule }, false],
    [{ adoptId: job.id }, { environment: moved }, false],
    [{ adoptId: job.id }, { ...nightly(), schedule }, true],
  ] as const) {
    const inputs = { environment, name, ...adoption };
    const adopted = await (await pass()).create("Job", inputs);
    const next = await pass();
    const news = { ...inputs, ...changes };
    if (isPossible) expect(next.diff(adopted, news).changes).toBe(true);
    else
      await expect(next.up(adopted, news)).rejects.toThrow(
        /^the Job "nightly" cannot be replaced: source is needed/,
      );
    expect(await staging.services()).toHaveLength(1);
  }
});
