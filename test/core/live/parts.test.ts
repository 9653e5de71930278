import { beforeEach, expect, onTestFinished, test } from "vitest";
import { kindOf, LiveStore, makePlan, staleProblems, startRun } from "../../../core/index.ts";
import { textIn } from "../../../core/json.ts";
import type { Part } from "../../../core/parts/index.ts";
import { desiredOf } from "../../fixtures/desired.ts";
import { cronJob, job, lifecycleJob, shop } from "../../fixtures/manifests.ts";
import { Harness, summary } from "../../fixtures/harness.ts";
import { openPolicy } from "../../fixtures/policy.ts";

let server: Harness;

beforeEach(async () => {
  server = await Harness.start();
  onTestFinished(() => server[Symbol.asyncDispose]());
});

test("a replacement of a job with stated variables reads its list of variables once", async () => {
  await server.reconcile(shop + cronJob("a", "variables: { LEVEL: info }\n"));
  await server.forgetRequests();
  const plan = await server.plan(shop + lifecycleJob("a", "variables: { LEVEL: debug }\n"));
  expect(summary(plan)[0]).toMatch(/^replace job:shop\/staging\/a/);
  expect((await server.seen()).filter(({ path }) => path.startsWith("/variable"))).toHaveLength(1);
});

/** The advanced settings of a job: the server answers with one object and no list. */
const settings: Part = {
  name: "advanced setting",
  member: "advanced_settings",
  listing: (id) => ({
    path: `/job/${id}/advancedSettings`,
    entriesIn: (answer) => Object.entries(answer).map(([name, value]) => ({ name, value })),
  }),
  keyOf: (entry) => textIn(entry, "name"),
  isOwn: () => true,
  isReadable: () => true,
};

test("parts whose listing is one object are its members", async () => {
  await server.reconcile(shop + job("a"));
  const owner = { kind: kindOf("Job"), id: await server.idOf("shop/staging/JOB a"), parentId: "" };
  await server.forgetRequests();
  const live = new LiveStore();
  const parts = [settings, ...owner.kind.parts];
  await live.partsOf(server.client, owner, [settings]);
  const entries = await live.partsOf(server.client, owner, parts);
  expect(entries?.find(({ key }) => key === "cronjob.concurrency_policy")?.response).toMatchObject({
    value: expect.any(String),
  });
  const paths = (await server.seen()).map(({ path }) => path.replace(owner.id, "{id}"));
  expect(paths).toEqual(["/job/{id}/advancedSettings", "/variable"]);
  expect(
    await live.partsOf(server.client, { ...owner, id: crypto.randomUUID() }, [settings]),
  ).toBeUndefined();
});

test("the check of a saved plan reads no variables that the store knows, and notices those that have changed", async () => {
  const text = (level: string) => shop + job("a", `variables: { LEVEL: ${level} }`);
  await server.reconcile(text("info"));
  const live = new LiveStore();
  const run = startRun(server.client, { live });
  const { resources } = desiredOf(text("debug"));
  const plan = await makePlan(run, server.organization, "reconcile", resources, openPolicy);
  await server.forgetRequests();
  expect(await staleProblems(run, plan)).toEqual([]);
  expect(await server.seen()).toEqual([]);
  await server.reconcile(text("warn"));
  live.forget({ id: await server.idOf("shop/staging/JOB a") });
  expect((await staleProblems(run, plan)).map(({ message }) => message)).toEqual([
    "the plan is stale: job:shop/staging/a has changed since",
  ]);
});

test("a response with the value of a secret is not kept", () => {
  const [secrets] = kindOf("Job").parts;
  const wanted = { value: "s3cret" };
  const request = secrets?.form?.nextRequest("id", [{ key: "TOKEN", wanted }], []);
  const answer = {
    id: "1",
    created_at: "2026-01-01T00:00:00Z",
    key: "TOKEN",
    value: null,
    scope: "JOB",
    variable_type: "VALUE",
    is_secret: true,
  };
  expect(request?.listedAfter?.(answer, [])).toEqual([answer]);
  expect(request?.listedAfter?.({ ...answer, value: "s3cret" }, [])).toBeUndefined();
});
