import { expect, test } from "vitest";
import type { Properties } from "../../../provider/lifecycle/inputs.ts";
import { unknownValue } from "../../../core/problems/unknown.ts";
import { useStaging } from "./staging.ts";

const staging = useStaging();
const { pass, nightly, api } = staging;

test("a replacement with a reference to a missing resource deletes nothing", async () => {
  const job = await (await pass()).create("Job", nightly());
  const application = await (await pass()).create("Application", api());
  await staging.server.forgetRequests();
  const next = await pass();
  next.diff(staging.environment, { ...staging.environment.inputs, cluster: "us-eats" });
  next.diff(job, { ...nightly(), environment: unknownValue });
  // The engine deletes the dependants first.
  for (const entry of [job, staging.environment]) {
    await expect(next.remove(entry)).rejects.toThrow(
      /(^|another resource: )the Environment "staging" cannot be replaced: cluster: .*"us-eats"/,
    );
  }
  expect(await staging.server.writes()).toEqual([]);
  await next.remove(application);
});

test("an unknown input does not block a replacement", async () => {
  const next = await pass();
  next.diff(staging.environment, { ...staging.environment.inputs, cluster: unknownValue });
  await next.remove(staging.environment);
  expect(await (await pass()).refresh(staging.environment)).toBeUndefined();
});

test("the references of all replacements in a run are checked with one request for each sort of reference", async () => {
  const jobs = await Promise.all(
    ["a", "b", "c"].map(async (name) => (await pass()).create("Job", { ...nightly(), name })),
  );
  const next = await pass();
  for (const job of jobs) next.diff(job, { ...job.inputs, schedule: { onStart: {} } });
  await staging.server.forgetRequests();
  await Promise.all(jobs.map((job) => next.remove(job)));
  const seen = (await staging.server.seen()).map(({ path }) => path);
  expect(seen.filter((path) => path.endsWith("/containerRegistry")).length).toBe(1);
});

test("what refers to variables and secrets of a parent is replaced with that parent", async () => {
  const variables = { PLAIN: "1" };
  const secrets = { HIDDEN: "s3cret" };
  const before = await pass();
  const staged = { ...staging.environment.inputs, variables, secrets };
  const environment = await before.update(staging.environment, staged);
  const uses: Properties[] = [
    { variables: { A: { aliasOf: "PLAIN" }, B: { aliasOf: "HIDDEN" } } },
    { variables: { PLAIN: { value: "2", overrides: true } } },
    { secrets: { HIDDEN: { value: "other", overrides: true } } },
  ];
  const news = uses.map((use, index) => ({ ...nightly(), ...use, name: `job${index}` }));
  const jobs = await Promise.all(news.map((inputs) => before.create("Job", inputs)));
  const moved = { ...staged, cluster: "us-east" };
  const next = await pass();
  next.diff(environment, moved, "environment");
  for (const [index, job] of jobs.entries())
    next.diff(job, { ...job.inputs, environment: unknownValue }, `job${index}`);
  await Promise.all(jobs.map((job, index) => next.remove(job, `job${index}`)));
  await next.remove(environment, "environment");
  const made = await next.create("Environment", moved, "environment");
  for (const [index, inputs] of news.entries())
    await next.create("Job", { ...inputs, environment: made.id }, `job${index}`);
  const live = await staging.server.results(`/environment/${made.id}/services`);
  expect(live.map(({ name }) => name)).toEqual(["job0", "job1", "job2"]);
});
