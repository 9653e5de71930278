import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parsePattern } from "../../../core/index.ts";
import { application, clone, environment, job, lifecycle, project, shop } from "../../fixtures/documents.ts";
import { FaultyServer } from "../../fixtures/faulty-server.ts";

let stage: FaultyServer;
beforeAll(async () => {
  stage = await FaultyServer.open({ behaviour: { clone_delay_ms: 20, delete_delay_ms: 20 } });
});
afterAll(() => stage[Symbol.asyncDispose]());
beforeEach(() => stage.reset());

const policy = { prune: true, allowReplace: [parsePattern("**")] };
const jobs = Array.from({ length: 6 }, (_, index) => job(`shop/staging/job-${index}`));
const before = [...shop, ...jobs, application("shop/staging/api")];
const pruning = [project(), environment("shop/staging", { manage: { prune: true } })];

const cases: [name: string, after: Parameters<FaultyServer["run"]>[0]][] = [
  [
    "create",
    [...before, job("shop/staging/new", { cpu: 750 }), environment("shop/other"), job("shop/other/a")],
  ],
  ["change", [...before.slice(0, 2), ...jobs.map((one) => ({ ...one, cpu: 750 }))]],
  ["delete", [...pruning, ...jobs.slice(0, 2)]],
  ["replace services", [...shop, lifecycle("shop/staging/job-0"), lifecycle("shop/staging/job-1")]],
  [
    "replace an environment",
    [project(), environment("shop/staging", { cluster: "us-east", manage: { prune: true } }), ...jobs],
  ],
];

const copies = [
  ...before,
  clone("Environment", "shop/copy", "shop/staging", { mode: "PREVIEW" }),
  job("shop/copy/job-0", { cpu: 250 }),
  clone("Job", "shop/copy/more", "shop/staging/job-1", { memory: 1024 }),
];

/** The state of the server, without ids and dates. */
async function state(): Promise<unknown[]> {
  const everything = await stage.everything();
  return everything
    .map(([path, { cpu, memory, mode, cluster_name: cluster, job_type: type }]) => ({
      path,
      cpu,
      memory,
      mode,
      cluster,
      type,
    }))
    .toSorted((left, right) => (left.path < right.path ? -1 : 1));
}

/** A barrier that opens when this number of runs wait: all have planned before any of them starts. */
function meeting(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let here = 0;
  return () => {
    here += 1;
    if (here === count) resolve();
    return promise;
  };
}

describe("two simultaneous runs that both", () => {
  test.each(cases)(
    "%s: the result is the same as after one run, without duplicates, and neither fails",
    async (_name, after) => {
      await stage.succeed(before);
      await stage.succeed(after, { policy });
      const expected = await state();
      await stage.reset();
      await stage.succeed(before);
      const options = { policy, planned: meeting(2) };
      await Promise.all([stage.succeed(after, options), stage.succeed(after, options)]);
      expect(await state()).toEqual(expected);
      const { plan } = await stage.run(after, { policy });
      expect(plan.actions.filter(({ type }) => type !== "none")).toEqual([]);
    },
  );

  test("clone: the result is the same as after one run, and the other one says who has made the clone", async () => {
    await stage.succeed(before);
    await stage.succeed(copies);
    const expected = await state();
    await stage.reset();
    await stage.succeed(before);
    const options = { planned: meeting(2) };
    const runs = await Promise.all([stage.run(copies, options), stage.run(copies, options)]);
    expect(await state()).toEqual(expected);
    const failed = runs.flatMap(({ report }) => report.outcomes.filter(({ status }) => status === "failed"));
    expect(failed).toMatchObject([
      { code: "exists", message: expect.stringContaining("another run has created it") },
    ]);
  });

  test("want different fields of a new resource: one succeeds, the other reports the difference and changes nothing", async () => {
    await stage.succeed(shop);
    const desired = [250, 750].map((cpu) => [...shop, job("shop/staging/a", { cpu })]);
    const options = { planned: meeting(2) };
    const runs = await Promise.all(desired.map((documents) => stage.run(documents, options)));
    const last = runs.map(({ report }) => report.outcomes.at(-1));
    expect(last.map((outcome) => outcome?.status).toSorted()).toEqual(["done", "failed"]);
    expect(last.find((outcome) => outcome?.status === "failed")).toMatchObject({ code: "exists" });
    await stage.succeed(desired[0] ?? []);
    expect(await stage.answer("shop/staging/JOB a")).toMatchObject({ cpu: 250 });
  });
});
