import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Fields } from "../../../core/values/json.ts";
import { Harness } from "../../fixtures/harness.ts";
import { clockWith, fastClock, steppingClock } from "../../fixtures/fast-clock.ts";
import { type Entry, Pass } from "./pass.ts";
import { useStaging } from "./staging.ts";

const staging = useStaging();
const { nightly } = staging;

/** A run whose waits are short. */
const startPass = () => Pass.start(staging.server.emulator, {}, fastClock());

/** Jobs in the environment. */
async function someJobs(count = 3): Promise<Entry[]> {
  const first = await startPass();
  const names = Array.from({ length: count }, (_unused, index) => `job-${index}`);
  const jobs = await Promise.all(names.map((name) => first.create("Job", { ...nightly(), name })));
  await staging.server.forgetRequests();
  return jobs;
}

/** Deletes them in one run; returns what has become of each: an error, or undefined. */
async function removeTogether(
  jobs: readonly Entry[],
  clock = steppingClock(),
  signal?: AbortSignal,
): Promise<(Error | undefined)[]> {
  const next = await Pass.start(staging.server.emulator, {}, clock, undefined, signal);
  return Promise.all(
    jobs.map((job) =>
      next.remove(job).then(
        () => undefined,
        (error: Error) => error,
      ),
    ),
  );
}

const lines = async () =>
  (await staging.server.seen()).map(({ method, path }) => `${method} ${path.replace(/[0-9a-f-]{36}/, "ID")}`);

const fault = (method: string, path: string, what: object) =>
  staging.server.api("POST", "/_emulator/faults", [{ method, path, ...what }]);

const faultTogether = (what: object) =>
  fault("POST", `/environment/${staging.environment.id}/service/delete`, { times: 1, ...what });

test("deletions that arrive together take one request, three lists and, as nothing is left, one 404", async () => {
  const jobs = await someJobs();
  expect(await removeTogether(jobs)).toEqual([undefined, undefined, undefined]);
  expect(await lines()).toEqual([
    "GET /environment/ID/services",
    "POST /environment/ID/service/delete",
    "GET /environment/ID/services",
    "GET /environment/ID/services",
    "GET /job/ID",
  ]);
  expect(await staging.services()).toEqual([]);
});

test("where a list shows others, deletions that arrive together take one request and three lists", async () => {
  const [kept, ...jobs] = await someJobs();
  expect(await removeTogether(jobs)).toEqual([undefined, undefined]);
  expect(await lines()).toEqual([
    "GET /environment/ID/services",
    "POST /environment/ID/service/delete",
    "GET /environment/ID/services",
    "GET /environment/ID/services",
  ]);
  expect(await staging.services()).toMatchObject([{ id: kept?.id }]);
});

test("one deletion alone is proved by a 404", async () => {
  const [job] = await someJobs(1);
  expect(await removeTogether([job as Entry])).toEqual([undefined]);
  expect(await lines()).toEqual(["DELETE /job/ID", "GET /environment/ID/services", "GET /job/ID"]);
});

test("a deletion that is answered with 404 is sent again if the resource goes on existing", async () => {
  const [job] = (await someJobs(1)) as [Entry];
  await fault("DELETE", `/job/${job.id}`, { status: 404, times: 1 });
  expect(await removeTogether([job])).toEqual([undefined]);
  expect(await staging.services()).toEqual([]);
});

test("where deletions are answered with 404 and the resource goes on existing, the error says both", async () => {
  const [job] = (await someJobs(1)) as [Entry];
  await fault("DELETE", `/job/${job.id}`, { status: 404 });
  const [error] = await removeTogether([job]);
  expect(error?.message).toContain(
    `the deletion of the Job ${job.id} has been answered with 404, and the resource still exists after 30 s`,
  );
});

test("different kinds of services go in one request", async () => {
  const [job] = await someJobs(1);
  const api = await (await startPass()).create("Application", staging.api());
  await staging.server.forgetRequests();
  expect(await removeTogether([job as Entry, api])).toEqual([undefined, undefined]);
  expect((await lines()).filter((line) => !line.startsWith("GET"))).toEqual([
    "POST /environment/ID/service/delete",
  ]);
});

describe.each([
  ["is refused with 409", { status: 409 }],
  ["is refused with 404", { status: 404 }],
  ["is refused with 403", { status: 403 }],
  ["is answered with 429", { status: 429 }],
  ["is answered with 500 and not carried out", { status: 500 }],
  ["is answered with 500 and carried out", { status: 500, carry_out: true }],
  ["does not arrive", { drop: "before" }],
  ["is carried out, and its answer is lost", { drop: "after" }],
])("where the request for all %s", (_what, how) => {
  test("all are deleted, and nothing else", async () => {
    const [kept, ...jobs] = await someJobs(4);
    await faultTogether(how);
    expect(await removeTogether(jobs)).toEqual([undefined, undefined, undefined]);
    expect((await staging.services()).map(({ id }) => id)).toEqual([kept?.id]);
  });
});

test.each([
  ["has passed on is not sent again", true, 1],
  ["has not passed on is sent once more", false, 2],
])(
  "a request for all that a proxy %s after a 429, and none is sent for each",
  async (_what, isDone, sends) => {
    const jobs = await someJobs();
    await faultTogether({ status: 429, carry_out: isDone });
    expect(await removeTogether(jobs)).toEqual([undefined, undefined, undefined]);
    expect((await lines()).filter((line) => !line.startsWith("GET"))).toEqual(
      Array.from({ length: sends }, () => "POST /environment/ID/service/delete"),
    );
  },
);

test("where one cannot be deleted, it alone fails, with its own error", async () => {
  const jobs = await someJobs();
  const [, stuck] = jobs as [Entry, Entry, Entry];
  await faultTogether({ status: 403 });
  await fault("DELETE", `/job/${stuck.id}`, { status: 403 });
  const errors = await removeTogether(jobs);
  expect(errors.map((error) => error?.message)).toEqual([
    undefined,
    expect.stringContaining(`403 on DELETE /job/${stuck.id}`),
    undefined,
  ]);
  expect((await staging.services()).map(({ id }) => id)).toEqual([stuck.id]);
});

test("one that somebody else has deleted does not stop the others", async () => {
  const jobs = await someJobs();
  await staging.server.api("DELETE", `/job/${jobs[0]?.id}`);
  expect(await removeTogether(jobs)).toEqual([undefined, undefined, undefined]);
  expect(await staging.services()).toEqual([]);
});

/** Two jobs in each of two environments. */
async function jobsInTwo(): Promise<{ jobs: Entry[]; production: Entry }> {
  const jobs = await someJobs(2);
  const first = await startPass();
  const production = await first.create("Environment", { ...staging.environment.inputs, name: "production" });
  const others = await Promise.all(
    ["a", "b"].map((name) => first.create("Job", { ...nightly(), environment: production.id, name })),
  );
  await staging.server.forgetRequests();
  return { jobs: [...jobs, ...others], production };
}

const everywhere = async () =>
  [...(await staging.server.everything()).keys()].filter((name) => name.includes("JOB"));

test("a token that may not list all services deletes them as well", async () => {
  const { jobs } = await jobsInTwo();
  await fault("GET", "/organization/*/services", { status: 403 });
  expect(await removeTogether(jobs)).toEqual([undefined, undefined, undefined, undefined]);
  expect(await everywhere()).toEqual([]);
});

test("a list that cannot be read before the request stops no deletion", async () => {
  const { jobs, production } = await jobsInTwo();
  await fault("GET", "/organization/*/services", { status: 403 });
  await fault("GET", `/environment/${production.id}/services`, { status: 403, times: 1 });
  expect(await removeTogether(jobs)).toEqual([undefined, undefined, undefined, undefined]);
  expect(await everywhere()).toEqual([]);
});

test("a resource that the first list lacks does not count as deleted", async () => {
  const { jobs } = await jobsInTwo();
  await fault("GET", "/organization/*/services", { status: 200, body: { results: [] } });
  await fault("DELETE", "/job/*", { status: 403 });
  const errors = await removeTogether(jobs);
  expect(errors.map((error) => error?.message)).toEqual(
    jobs.map(({ id }) => expect.stringContaining(`403 on DELETE /job/${id}`)),
  );
  expect(await everywhere()).toHaveLength(4);
});

/** A server that accepts deletions and carries none out. */
const acceptOnly = () => fault("POST", "/environment/*/service/delete", { status: 204 });

const stillThere = expect.objectContaining({ message: expect.stringContaining("the resource still exists") });

test.each([
  ["one empty list is", { times: 1 }, 0],
  ["all lists are empty is", {}, 0],
  ["all lists are empty, and lack another job as well, is", {}, 1],
])("where an accepted deletion fails and %s no proof that the jobs are gone", async (_what, how, others) => {
  const jobs = (await someJobs(3 + others)).slice(others);
  await acceptOnly();
  const path = `/environment/${staging.environment.id}/services`;
  await fault("GET", path, { status: 200, body: { results: [] }, after: 1, ...how });
  expect(await removeTogether(jobs)).toEqual(jobs.map(() => stillThere));
});

test.each([
  ["one list of the organization is empty", { times: 1 }],
  ["all lists of the organization are empty", {}],
])("where an accepted deletion fails and %s, that is no proof", async (_what, how) => {
  const { jobs } = await jobsInTwo();
  await acceptOnly();
  await fault("GET", "/organization/*/services", { status: 200, body: { results: [] }, after: 1, ...how });
  expect(await removeTogether(jobs)).toEqual(jobs.map(() => stillThere));
});

test("a resource missing from a list that may be cut does not count as deleted", async () => {
  const { jobs } = await jobsInTwo();
  const shown = await staging.server.results(`/organization/${staging.server.organization.id}/services`);
  const others = Array.from({ length: 101 }, () => ({ ...(shown[0] as object), id: randomUUID() }));
  await fault("GET", "/organization/*/services", { status: 200, body: { results: others }, after: 1 });
  expect(await removeTogether(jobs)).toEqual([undefined, undefined, undefined, undefined]);
  const own = (await lines()).filter(
    (line) => line === "GET /job/ID" || line === "GET /environment/ID/services",
  );
  expect(own).not.toEqual([]);
});

test("two runs that delete the same at once both succeed", async () => {
  const { jobs } = await jobsInTwo();
  const [one, other] = await Promise.all([removeTogether(jobs), removeTogether(jobs)]);
  expect([one, other]).toEqual([jobs.map(() => undefined), jobs.map(() => undefined)]);
  expect(await everywhere()).toEqual([]);
});

test("a run that is interrupted while deletions gather deletes nothing", async () => {
  const jobs = await someJobs();
  const interruption = new AbortController();
  const clock = clockWith(fastClock(), async () => interruption.abort());
  const errors = await removeTogether(jobs, clock, interruption.signal);
  expect(errors.map((error) => error?.name)).toEqual(jobs.map(() => "InterruptedError"));
  expect((await lines()).filter((line) => !line.startsWith("GET"))).toEqual([]);
});

test("a run that is interrupted after the request says of each that it was accepted, and the next run completes it", async () => {
  const jobs = await someJobs();
  const interruption = new AbortController();
  await faultTogether({ delay_ms: 100 });
  const removing = removeTogether(jobs, steppingClock(), interruption.signal);
  const isSent = async () => (await lines()).some((line) => line.startsWith("POST"));
  while (!(await isSent())) await setImmediate();
  interruption.abort();
  const errors = await removing;
  for (const error of errors) expect(error?.message).toContain("has been accepted");
  expect(await removeTogether(jobs)).toEqual([undefined, undefined, undefined]);
});

test("a protected one is refused, and goes into no request for the others", async () => {
  const [kept, ...jobs] = (await someJobs()) as [Entry, Entry, Entry];
  const next = await Pass.start(
    staging.server.emulator,
    { "infrasync:protect": "job:shop/staging/job-0" },
    fastClock(),
  );
  const results = await Promise.allSettled([kept, ...jobs].map((job) => next.remove(job)));
  expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
  expect((await staging.services()).map(({ id }) => id)).toEqual([kept.id]);
});

test.each([1, 3])("a list that is to prove deletions may answer 500 %i times", async (times) => {
  const jobs = await someJobs();
  await fault("GET", "/environment/*/services", { status: 500, after: 1, times });
  expect(await removeTogether(jobs)).toEqual([undefined, undefined, undefined]);
  expect(await staging.services()).toEqual([]);
});

test("where lists that are to prove deletions answer 500 each time, each says that it was accepted, and the next run completes it", async () => {
  const jobs = await someJobs();
  await fault("GET", "/environment/*/services", { status: 500, after: 1 });
  for (const error of await removeTogether(jobs))
    expect(error?.message).toMatch(/^the deletion of the Job .* has been accepted, and .*500/);
  await staging.server.api("DELETE", "/_emulator/faults");
  expect(await removeTogether(jobs)).toEqual([undefined, undefined, undefined]);
});

test("one error of the server for a request that deletes several counts once: the others do not wait", async () => {
  const jobs = await someJobs(4);
  const clock = steppingClock();
  await faultTogether({ status: 500 });
  const start = clock.now();
  expect(await removeTogether(jobs, clock)).toEqual([undefined, undefined, undefined, undefined]);
  expect(clock.now() - start).toBeLessThan(5_000);
});

test("services of an environment with more than a hundred are deleted together, and each is proved by a 404", async () => {
  const jobs = await someJobs(3);
  const { source } = (await staging.live(jobs[0] as Entry)) as Fields;
  for (let index = 0; index < 120; index += 1)
    await staging.server.api("POST", `/environment/${staging.environment.id}/job`, {
      name: `other-${index}`,
      source,
      schedule: { on_start: {} },
    });
  await staging.server.forgetRequests();
  expect(await removeTogether(jobs)).toEqual([undefined, undefined, undefined]);
  expect((await lines()).filter((line) => !line.includes("/environment"))).toEqual([
    "GET /job/ID",
    "GET /job/ID",
    "GET /job/ID",
  ]);
  expect(await staging.services()).toHaveLength(120);
});

test("deletions that take time end when lists show the services no more", async () => {
  const slow = await Harness.start({ clock: "frozen", behaviour: { delete_delay_ms: 100 } });
  onTestFinished(() => slow[Symbol.asyncDispose]());
  const pass = await Pass.start(slow.emulator, {}, slow.clock);
  const project = await pass.create("Project", { name: "shop" });
  const environment = await pass.create("Environment", { project: project.id, name: "staging" });
  const [kept, ...jobs] = await Promise.all(
    ["a", "b", "c", "d"].map((name) =>
      pass.create("Job", { ...nightly(), environment: environment.id, name }),
    ),
  );
  await slow.forgetRequests();
  await Promise.all(jobs.map((job) => pass.remove(job)));
  expect(await slow.results(`/environment/${environment.id}/services`)).toMatchObject([{ id: kept?.id }]);
  const seen = await slow.seen();
  expect(seen.filter(({ method }) => method !== "GET")).toHaveLength(1);
  expect(seen.every(({ path }) => path.startsWith("/environment/"))).toBe(true);
});
