import { expect, test } from "vitest";
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
