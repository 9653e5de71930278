import { expect, test } from "vitest";
import { systemClock } from "../../../core/api/index.ts";
import { type Entry, Pass } from "./pass.ts";
import { useStaging } from "./staging.ts";

const staging = useStaging();
const { nightly } = staging;

const started = Date.now();

/** A run in which no list becomes old, however busy the machine is. */
const pass = () => Pass.start(staging.server.emulator, {}, { ...systemClock, now: () => started });

/** A run in which deletions that are asked for at once are sent together, however busy the machine is. */
const patientPass = () =>
  Pass.start(
    staging.server.emulator,
    {},
    { ...systemClock, now: () => started, sleep: (ms, signal) => systemClock.sleep(5 * ms, signal) },
  );

/** A run in which every list is old at once. */
const slowPass = () => {
  let now = Date.now();
  return Pass.start(staging.server.emulator, {}, { ...systemClock, now: () => (now += 20_000) });
};

test("100 jobs in 5 environments are read with one request for each environment, and created with little more than one each", async () => {
  const first = await pass();
  const project = String(staging.environment.outputs["project"]);
  const environments = await Promise.all(
    Array.from({ length: 5 }, (_unused, index) =>
      first.create("Environment", { project, name: `e${index}` }),
    ),
  );
  await staging.server.forgetRequests();
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
  // The jobs, one list, the organization's registries, and the events once.
  expect((await staging.server.seen()).length).toBeLessThanOrEqual(100 + 5 + 3);
  await staging.server.forgetRequests();
  const refreshing = await pass();
  await Promise.all([...jobs, ...environments].map((entry) => refreshing.refresh(entry)));
  // And one by which this process finds out how the server divides lists.
  expect((await staging.server.seen()).length).toBe(6 + 1);
  await staging.server.forgetRequests();
  const refreshingSlowly = await slowPass();
  for (const entry of [...jobs, ...environments]) await refreshingSlowly.refresh(entry);
  expect((await staging.server.seen()).length).toBe(6 + 1);
  await staging.server.forgetRequests();
  const removing = await patientPass();
  await Promise.all(jobs.map((entry) => removing.remove(entry)));
  const seen = await staging.server.seen();
  const own = seen.filter(({ path }) => path.startsWith("/job/"));
  expect(own).toMatchObject([{ method: "GET", status: 404 }]);
  // For each environment one deletion of all; a list of all services before and two after, which are empty, the first of them once more without pages, because the list had elements before, and a 404; the organization; how the server divides lists.
  expect(seen.length).toBe(5 + 4 + 1 + 1 + 1);
});

test("a change of fields leaves the variables and secrets unread, and the state keeps what it has of them", async () => {
  const declared = { ...nightly(), variables: { A: "one" }, secrets: { TOKEN: "hidden" } };
  const job = await (await pass()).create("Job", declared);
  await staging.server.forgetRequests();
  const { entry, step } = await (await pass()).up(job, { ...declared, cpu: 750 });
  expect(step).toBe("update");
  const seen = await staging.server.seen();
  expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
    `GET /job/${job.id}`,
    `PUT /job/${job.id}`,
  ]);
  expect(entry.outputs).toEqual({ ...job.outputs, cpu: 750, __stated: entry.outputs["__stated"] });
  expect((await (await pass()).up(entry, { ...declared, cpu: 750 })).step).toBe("same");
});
