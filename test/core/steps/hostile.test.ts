import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parsePattern } from "../../../core/index.ts";
import { isFields } from "../../../core/values/json.ts";
import { steppingClock } from "../../fixtures/fast-clock.ts";
import { clone, environment, job, lifecycle, shop } from "../../fixtures/documents.ts";
import { Hostile, switchProtocol, type Treatment } from "../../fixtures/hostile-server.ts";
import { lostDocuments } from "../../faults/lost-documents.ts";
import { run, type RunOptions } from "../../fixtures/plan-and-apply.ts";
import { FaultyServer } from "../../fixtures/faulty-server.ts";

let stage: FaultyServer;
beforeAll(async () => {
  stage = await FaultyServer.open({ behaviour: { duplicate_names: true } });
});
afterAll(() => stage[Symbol.asyncDispose]());
beforeEach(async () => {
  await stage.reset();
  await stage.succeed(shop);
});

async function against(treat: Treatment, documents: Parameters<typeof run>[1], options: RunOptions = {}) {
  await using hostile = await Hostile.open(stage.connection.url, treat);
  return await run({ ...stage.connection, url: hostile.url }, documents, options);
}

const isCreation = (method: string, path: string) => method === "POST" && path.endsWith("/job");

test("a 101 in the middle of a replacement: the report contains the manifest of the lost resource", async () => {
  await stage.succeed([...shop, job("shop/staging/a", { cpu: 750 })]);
  const { report } = await against(
    async (passing) => (isCreation(passing.method, passing.path) ? switchProtocol(passing) : undefined),
    [...shop, lifecycle("shop/staging/a")],
    { policy: { allowReplace: [parsePattern("**")] }, limits: { busy: 2000 } },
  );
  expect(report.outcomes.at(-1)).toMatchObject({ status: "failed", code: "lost" });
  expect(lostDocuments(report)).toMatchObject([{ cpu: 750 }]);
});

describe("a delayed list and empty responses, on a server that does not reserve names", () => {
  /** Lists show new resources after this number of milliseconds, on a clock as fast as that of the run. */
  function lagging(lag: number, isWrite: (method: string, path: string) => boolean) {
    const clock = steppingClock();
    const made: { at: number; id: string }[] = [];
    let sends = 0;
    const treat: Treatment = async ({ method, path, pass }) => {
      if (isWrite(method, path)) {
        sends += 1;
        const { body } = await pass();
        made.push({ at: clock.now(), id: String((JSON.parse(body) as { id: string }).id) });
        return { status: 502, body: "" };
      }
      if (method !== "GET" || !path.includes("/services")) return undefined;
      const { status, body } = await pass();
      const hidden = new Set(
        made.filter(({ at }) => made.length < 2 || clock.now() < at + lag).map(({ id }) => id),
      );
      const answer = JSON.parse(body) as { results: { id: string }[] };
      const results = answer.results.filter(({ id }) => !hidden.has(id));
      return { status, body: JSON.stringify({ results }) };
    };
    return { treat, clock, made, sends: () => sends };
  }

  test.each([
    ["a creation", [...shop, job("shop/staging/b")], isCreation],
    [
      "a clone",
      [...shop, job("shop/staging/a"), clone("Job", "shop/staging/b", "shop/staging/a")],
      (method: string, path: string) => method === "POST" && path.endsWith("/clone"),
    ],
  ])(
    "%s is sent at most twice, and the report names both new resources",
    async (_name, documents, isWrite) => {
      await stage.succeed(documents.slice(0, -1));
      const { treat, clock, made, sends } = lagging(30_000, isWrite);
      const { report } = await against(treat, documents, {
        clock,
        limits: { busy: 120_000, clone: 120_000 },
      });
      expect(sends()).toBe(2);
      const outcome = report.outcomes.at(-1);
      expect(outcome).toMatchObject({ status: "failed", code: "duplicated" });
      for (const { id } of made) expect(outcome?.message).toContain(id);
    },
  );

  test("a resource that is never listed has an unknown outcome", async () => {
    const { treat, clock, sends } = lagging(Infinity, isCreation);
    const { report } = await against(treat, [...shop, job("shop/staging/b")], { clock });
    expect(sends()).toBe(2);
    expect(report.outcomes.at(-1)).toMatchObject({ status: "failed", code: "unclear" });
  });
});

describe("a server that rewrites names", () => {
  const slug = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  const rewriting =
    (status?: number): Treatment =>
    async ({ method, path, body, pass }) => {
      if (!isCreation(method, path)) return undefined;
      const desired = JSON.parse(body) as { name: string };
      const answer = await pass(JSON.stringify({ ...desired, name: slug(desired.name) }));
      return status === undefined ? answer : { status, body: "" };
    };
  const documents = [...shop, job("shop/staging/Nightly Report")];

  test.each([
    ["an answer with that name", undefined],
    ["an answer without information", 502],
  ])("%s: the report has the new name, and no second resource is created", async (_name, status) => {
    const { report } = await against(rewriting(status), documents);
    const { id } = await stage.answer("shop/staging/JOB nightly-report");
    expect(report.outcomes.at(-1)).toMatchObject({ status: "failed", code: "renamed" });
    expect(report.outcomes.at(-1)?.message).toContain(`"nightly-report" (${String(id)})`);
  });

  test.each([
    ["at once", 0],
    ["one after the other", 5000],
  ])("two requests without an answer: the report names both new resources, listed %s", async (_name, lag) => {
    const clock = steppingClock();
    const made: { at: number; id: string }[] = [];
    const treat: Treatment = async ({ method, path, body, pass }) => {
      if (isCreation(method, path)) {
        const desired = JSON.parse(body) as { name: string };
        const answer = await pass(JSON.stringify({ ...desired, name: slug(desired.name) }));
        made.push({ at: clock.now(), id: String((JSON.parse(answer.body) as { id: string }).id) });
        return { status: 502, body: "" };
      }
      if (method !== "GET" || !path.includes("/services")) return undefined;
      const { status, body: listed } = await pass();
      const hidden = new Set(
        made.filter(({ at }) => made.length < 2 || clock.now() < at + lag).map(({ id }) => id),
      );
      const answer = JSON.parse(listed) as { results: { id: string }[] };
      return {
        status,
        body: JSON.stringify({ results: answer.results.filter(({ id }) => !hidden.has(id)) }),
      };
    };
    const { report } = await against(treat, documents, { clock });
    expect(made).toHaveLength(2);
    expect(report.outcomes.at(-1)).toMatchObject({ status: "failed", code: "duplicated" });
    for (const { id } of made) expect(report.outcomes.at(-1)?.message).toContain(id);
  });

  test("the report has the new name also when the quota ends before the next look", async () => {
    let isMade = false;
    const rewrite = rewriting();
    const treat: Treatment = async (passing) => {
      if (isMade) return { status: 429, body: "{}" };
      isMade = isCreation(passing.method, passing.path);
      return rewrite(passing);
    };
    const { report } = await against(treat, documents, { client: { onQuota: "fail" } });
    expect(report.outcomes.at(-1)).toMatchObject({ status: "failed", code: "renamed" });
  });

  test("the next run recognises the resource and creates none", async () => {
    await against(rewriting(), documents);
    const { id } = await stage.answer("shop/staging/JOB nightly-report");
    await expect(against(rewriting(), documents)).rejects.toThrow(`"nightly-report" (${String(id)})`);
    expect(await stage.names()).toHaveLength(3);
  });

  test("a resource that differs, or that a document declares, is not mistaken for it", async () => {
    await stage.succeed([...shop, job("shop/staging/job1", { cpu: 100 })]);
    await stage.succeed([...shop, job("shop/staging/job-1", { cpu: 250 })]);
    await stage.succeed([
      ...shop,
      job("shop/staging/job-1", { cpu: 250 }),
      job("shop/staging/job_1", { cpu: 500 }),
    ]);
    expect(await stage.names()).toHaveLength(5);
  });
});

test("a 202 with an id that never appears is pending", async () => {
  const { report } = await against(
    async ({ method, path }) =>
      isCreation(method, path)
        ? { status: 202, body: JSON.stringify({ id: "11111111-1111-4111-8111-111111111111", name: "a" }) }
        : undefined,
    [...shop, job("shop/staging/a")],
    { limits: { clone: 2000 } },
  );
  expect(report.outcomes.at(-1)).toMatchObject({ status: "pending", code: "pending" });
});

test("a 202 is pending while the list has another resource with that name, and not the id of the answer", async () => {
  const { report } = await against(
    async ({ method, path, pass }) => {
      if (!isCreation(method, path)) return undefined;
      // Another run creates the resource at this moment; ours is accepted, and never carried out.
      await pass();
      return { status: 202, body: JSON.stringify({ id: "11111111-1111-4111-8111-111111111111", name: "a" }) };
    },
    [...shop, job("shop/staging/a")],
    { limits: { clone: 2000 } },
  );
  expect(report.outcomes.at(-1)).toMatchObject({ status: "pending", code: "pending" });
});

test("a list alone does not prove a deletion", async () => {
  await stage.succeed([...shop, job("shop/staging/a")]);
  let isDeleted = false;
  const { report } = await against(
    async ({ method, path, pass }) => {
      // It accepts the deletion, removes the resource from the list, and keeps the resource.
      if (method === "DELETE") isDeleted = true;
      if (method === "DELETE") return { status: 202, body: "" };
      if (!isDeleted || !path.includes("/services")) return undefined;
      const { status } = await pass();
      return { status, body: JSON.stringify({ results: [] }) };
    },
    [shop[0] ?? {}, environment("shop/staging", { manage: { prune: true } })],
    { policy: { prune: true }, limits: { deletion: 2000 } },
  );
  const outcome = report.outcomes.find(({ type }) => type === "delete");
  expect(outcome).toMatchObject({ status: "pending", code: "pending" });
  expect(isFields(await stage.answer("shop/staging/JOB a"))).toBe(true);
});
