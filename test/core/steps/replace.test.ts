import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parsePattern } from "../../../core/index.ts";
import { environment, job, lifecycle, project, shop } from "../../fixtures/documents.ts";
import { lostDocuments } from "../../faults/lost-documents.ts";
import type { RunOptions } from "../../fixtures/plan-and-apply.ts";
import { FaultyServer } from "../../fixtures/faulty-server.ts";

let stage: FaultyServer;
beforeAll(async () => {
  stage = await FaultyServer.open({ behaviour: { delete_delay_ms: 10 } });
});
afterAll(() => stage[Symbol.asyncDispose]());
beforeEach(() => stage.reset());

const policy = { allowReplace: [parsePattern("**")] };
const details = { cpu: 750, memory: 1024, annotations_groups: ["team-annotations"], max_nb_restart: 3 };

/** Unmanaged fields must survive too. */
const before = [...shop, job("shop/staging/a", details)];
const after = [...shop, lifecycle("shop/staging/a")];
const moved = [project(), environment("shop/staging", { cluster: "us-east" }), job("shop/staging/a")];

/** A signal that fires when the server has responded to such a request. */
function interruptedAt(method: string, path = /^\//): RunOptions {
  const controller = new AbortController();
  const debug = (fields: Record<string, unknown>) => {
    if (fields["method"] === method && path.test(String(fields["path"]))) controller.abort();
  };
  return { policy, signal: controller.signal, client: { logger: { debug } } };
}

describe("a job that is deleted and cannot be created again", () => {
  beforeEach(() => stage.succeed(before));

  const post = { method: "POST", path: "/environment/*/job" };
  test.each([
    ["refused", { ...post, status: 400 }],
    ["never answered", { ...post, drop: "before" as const }],
    ["forbidden", { ...post, status: 403 }],
    ["out of quota", { ...post, status: 429 }],
    ["busy for good", { ...post, status: 409 }],
  ])(
    "%s: the report contains the manifest that restores it, with the undeclared fields",
    async (_name, fault) => {
      await stage.breaks(fault);
      const { report } = await stage.run(after, { policy, limits: { busy: 500 } });
      expect(report.outcomes.at(-1)).toMatchObject({ status: "failed", code: "lost" });
      expect(report.outcomes.at(-1)?.message).toMatch(
        /^the resource was deleted and could not be created again: /,
      );
      await stage.mend();
      expect(await stage.names()).toEqual(["shop", "shop/staging"]);
      await stage.succeed([...shop, ...lostDocuments(report)]);
      expect(await stage.answer("shop/staging/JOB a")).toMatchObject({
        cpu: 750,
        memory: 1024,
        max_nb_restart: 3,
        job_type: "LIFECYCLE",
        annotations_groups: [{ name: "team-annotations" }],
      });
    },
  );

  test("a list that still contains the old job after an unclear creation: the old job is not mistaken for the new one", async () => {
    const old = await stage.answer("shop/staging/JOB a");
    const { id } = await stage.answer("shop/staging");
    await stage.breaks(
      { ...post, drop: "before", times: 1 },
      {
        path: `/environment/${String(id)}/services`,
        after: 3,
        times: 1,
        status: 200,
        body: { results: [old] },
      },
    );
    await stage.succeed(after, { policy });
    expect(await stage.mend()).toBe(2);
    expect(await stage.answer("shop/staging/JOB a")).toMatchObject({ job_type: "LIFECYCLE", memory: 1024 });
  });

  test("the request limit does not stop the run between the two, and prevents all other actions", async () => {
    await using slow = await FaultyServer.open({ behaviour: { delete_delay_ms: 150 } });
    await slow.succeed([...shop, job("shop/staging/a", details), job("shop/staging/b")]);
    const desired = [...after, job("shop/staging/b", { cpu: 750 }), job("shop/staging/c")];
    const { report } = await slow.run(desired, { policy, client: { maxRequests: 13 }, parallelism: 1 });
    expect(report.outcomes.slice(2).map(({ status }) => status)).toEqual(["done", "skipped", "skipped"]);
    expect(report).toMatchObject({ stopped: { reason: "quota" } });
    expect(report.spent.total).toBeGreaterThan(13);
    expect(await slow.answer("shop/staging/JOB a")).toMatchObject({ job_type: "LIFECYCLE", memory: 1024 });
  });

  test("the request limit is reached before the deletion: nothing is deleted", async () => {
    const { report } = await stage.run(after, { policy, client: { maxRequests: 10 } });
    expect(report.outcomes.at(-1)).toMatchObject({ type: "replace", status: "skipped", code: "quota" });
    expect(report.spent.byOperation).toMatchObject({ "GET /job/{id}": 1 });
    expect(await stage.answer("shop/staging/JOB a")).toMatchObject({ job_type: "CRON" });
  });

  test("403, or no quota left: no other action starts", async () => {
    await stage.breaks({ ...post, status: 403 });
    // While the replacement waits for the end of its deletion, another action has its turn.
    const others = [job("shop/staging/b"), job("shop/staging/c")];
    const { report } = await stage.run([...after, ...others], { policy, parallelism: 1 });
    expect(report.stopped?.reason).toBe("forbidden");
    expect(report.outcomes.at(-1)).toMatchObject({ status: "skipped" });
  });

  test("under another name, with an unclear deletion: the manifest does not create a second job beside the old one", async () => {
    const renamed = [...shop, lifecycle("shop/staging/b", { manage: { renamed_from: "a" } })];
    await stage.breaks({ method: "DELETE", status: 502, times: 1 }, { method: "DELETE", status: 429 });
    const { report } = await stage.run(renamed, { policy });
    expect(report.outcomes.at(-1)).toMatchObject({ code: "lost" });
    await stage.mend();
    expect(await stage.names()).toEqual(["shop", "shop/staging", "shop/staging/JOB a"]);
    await stage.succeed([...shop, ...lostDocuments(report)], { policy });
    expect(await stage.names()).toEqual(["shop", "shop/staging", "shop/staging/JOB b"]);
    expect(await stage.answer("shop/staging/JOB b")).toMatchObject({ cpu: 750, job_type: "LIFECYCLE" });
  });

  test("a refused deletion loses nothing", async () => {
    await stage.breaks({ method: "DELETE", status: 403 });
    const { report } = await stage.run(after, { policy });
    expect(report.outcomes.at(-1)).toMatchObject({ status: "failed", code: "forbidden" });
    expect(report.outcomes.at(-1)?.lost).toBeUndefined();
    expect(await stage.answer("shop/staging/JOB a")).toMatchObject({ job_type: "CRON" });
  });

  test.each([
    ["whose end is not known", { method: "DELETE", drop: "after" as const }],
    ["that does not end", { method: "GET", path: "/environment/*/services", status: 503, after: 1 }],
  ])("a deletion %s: the manifest is in the report", async (_name, fault) => {
    // A read after a lost answer finds that the deletion is not over.
    await using slow = await FaultyServer.open({ behaviour: { delete_delay_ms: 60_000 } });
    await slow.succeed(before, { policy });
    await slow.breaks(fault);
    const { report } = await slow.run(after, { policy, limits: { deletion: 500 } });
    expect(report.outcomes.at(-1)).toMatchObject({ status: "failed", code: "lost" });
    expect(report.outcomes.at(-1)?.message).toMatch(
      /^its deletion was requested, and the resource was not created again: /,
    );
    expect(report.outcomes.at(-1)?.remedies).toContainEqual({ recreate: "when_gone" });
    expect(lostDocuments(report)).toMatchObject([details]);
  });

  test("the signal before the deletion: nothing is deleted", async () => {
    const { report } = await stage.run(after, interruptedAt("GET", /^\/job\/[^/]+$/));
    expect(report.outcomes.at(-1)).toMatchObject({ status: "skipped", code: "interrupted" });
    expect(await stage.answer("shop/staging/JOB a")).toMatchObject({ job_type: "CRON" });
  });

  test("the signal between deletion and creation does not stop the replacement", async () => {
    const { report } = await stage.run([...after, job("shop/staging/b")], {
      ...interruptedAt("DELETE"),
      parallelism: 1,
    });
    expect(report.outcomes.map(({ status }) => status)).toEqual(["done", "done", "done", "skipped"]);
    expect(report.stopped?.reason).toBe("interrupted");
    expect(await stage.answer("shop/staging/JOB a")).toMatchObject({ cpu: 750, job_type: "LIFECYCLE" });
  });
});

describe("an environment that is deleted and created again", () => {
  test("the request limit between the two: its contents are created again too", async () => {
    await using slow = await FaultyServer.open({ behaviour: { delete_delay_ms: 150 } });
    await slow.succeed(before);
    const { report } = await slow.run(moved, { policy, client: { maxRequests: 16 }, parallelism: 1 });
    expect(report.outcomes.map(({ status }) => status)).toEqual(["done", "done", "done"]);
    expect(report.spent.total).toBeGreaterThan(16);
    expect(await slow.answer("shop/staging/JOB a")).toMatchObject({ memory: 1024 });
  });

  beforeEach(() => stage.succeed(before));

  test("a failed creation: the report contains manifests of the environment and its contents", async () => {
    await stage.breaks({ method: "POST", path: "/project/*/environment", status: 400 });
    const { report } = await stage.run(moved, { policy });
    expect(report.outcomes.map(({ status, code }) => [status, code])).toEqual([
      ["done", undefined],
      ["failed", "lost"],
      ["failed", "lost"],
    ]);
    expect(report.outcomes.at(-1)?.message).toBe(
      "the resource was deleted with environment:shop/staging, and was not created again (needs environment:shop/staging, which was not done)",
    );
    expect(report.outcomes.at(-1)?.remedies).toEqual([{ recreate: "now" }]);
    await stage.mend();
    await stage.succeed([project(), ...lostDocuments(report)]);
    expect(await stage.answer("shop/staging/JOB a")).toMatchObject({ cpu: 750, max_nb_restart: 3 });
    expect(await stage.answer("shop/staging")).toMatchObject({ cluster_name: "us-east", mode: "STAGING" });
  });

  test("the signal between the two: its contents are created again too", async () => {
    const { report } = await stage.run([...moved, job("shop/staging/new")], interruptedAt("DELETE"));
    expect(report.outcomes.map(({ status }) => status)).toEqual(["done", "done", "done", "skipped"]);
    expect(await stage.names()).toEqual(["shop", "shop/staging", "shop/staging/JOB a"]);
    expect(await stage.answer("shop/staging/JOB a")).toMatchObject({ cpu: 750, max_nb_restart: 3 });
  });

  test("a refused deletion loses nothing", async () => {
    await stage.breaks({ method: "DELETE", status: 403 });
    const { report } = await stage.run(moved, { policy });
    expect(report.outcomes.map(({ lost }) => lost)).toEqual([undefined, undefined, undefined]);
    expect(await stage.names()).toHaveLength(3);
  });
});
