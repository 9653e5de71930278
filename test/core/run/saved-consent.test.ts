import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { decodePlan, encodePlan } from "../../../core/codec/index.ts";
import { parsePattern, type Policy } from "../../../core/index.ts";
import type { Plan } from "../../../core/plan/index.ts";
import { approve, execute, proposeSaved, startRun } from "../../../core/session/index.ts";
import { database, job, shop } from "../../fixtures/manifests.ts";
import { Harness } from "../../fixtures/harness.ts";
import { allow, openPolicy } from "../../fixtures/policy.ts";

const server = await Harness.start();
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => server.api("POST", "/_emulator/reset"));

const pruned = shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }");
/** `shop/staging` under another name. */
const renamed = shop.replace("name: staging", "name: p2\nmanage: { renamed_from: staging }");
const protect = (...texts: string[]) => ({ protect: texts.map((text) => parsePattern(text)) });

/** Applies a plan as from a file, under a policy; returns the messages of the refusal, or `applied`. */
async function applied(plan: Plan, policy: Partial<Policy>): Promise<string | string[]> {
  const run = startRun(server.client);
  const saved = await proposeSaved(run, decodePlan(encodePlan(plan)), { ...openPolicy, ...policy });
  await server.forgetRequests();
  const approval = await approve(saved, run, { consent: () => Promise.resolve(true), onQuota: "fail" });
  if (approval.type === "approved") {
    await execute(approval.approved, run, { parallelism: 10 });
    return "applied";
  }
  if (approval.type !== "refused") return approval.type;
  expect(approval.code).toBe("consent");
  expect(await server.writes()).toEqual([]);
  return approval.problems.map(({ message }) => message);
}

test("a protection that is added after the plan holds for what the plan deletes, at every level", async () => {
  await server.reconcile(pruned + job("a"));
  await server.api("POST", `/environment/${await server.idOf("shop/staging")}/database`, database);
  const plan = await server.plan(pruned + job("a"), { prune: true }, "destroy");
  expect(plan.problems).toEqual([]);
  expect(await applied(plan, protect("*:shop/staging/d*"))).toEqual([
    'database:shop/staging/db cannot be deleted or replaced: database:shop/staging/db is protected by the pattern "*:shop/staging/d*", which holds now',
  ]);
  expect(await applied(plan, protect("job:**"))).toEqual([expect.stringContaining("job:shop/staging/a")]);
  expect(await applied(plan, protect("lab/**"))).toBe("applied");
});

test.each(["shop/p2/**", "shop/staging/**"])(
  "the pattern %s holds for an environment that the plan renames, and for a variable that it removes there",
  async (text) => {
    await server.reconcile(shop + job("a", "variables: { OLD: '1' }"));
    const inside = job("a", "variables: { OLD: null }", "shop/p2");
    expect(await applied(await server.plan(renamed + inside), protect(text))).toEqual([
      `the variable OLD of job:shop/p2/a cannot be deleted or replaced: job:shop/p2/a is protected by the pattern "${text}", which holds now`,
    ]);
    const plan = await server.plan(renamed + job("a", "", "shop/p2"), {}, "destroy");
    expect(await applied(plan, protect(text))).toEqual([
      expect.stringContaining("job:shop/p2/a cannot"),
      expect.stringContaining("environment:shop/p2 cannot"),
    ]);
  },
);

describe("a saved plan that deletes something which it did not see is stale", () => {
  const documents = shop + job("a", "variables: { SEEN: '1' }");
  const addVariable = async (path: string, scope: string) =>
    server.api("POST", "/variable", {
      key: "NEW",
      value: "1",
      is_secret: false,
      variable_scope: scope,
      variable_parent_id: await server.idOf(path),
    });
  const cases: [name: string, change: () => Promise<unknown>, what: string][] = [
    [
      "a variable of a service inside",
      () => addVariable("shop/staging/JOB a", "JOB"),
      "the variable NEW of staging/a",
    ],
    [
      "a variable of an environment",
      () => addVariable("shop/staging", "ENVIRONMENT"),
      "the variable NEW of staging",
    ],
    [
      "a deployment stage",
      async () =>
        server.api("POST", `/environment/${await server.idOf("shop/staging")}/deploymentStage`, {
          name: "late",
        }),
      "staging/late, which has appeared since",
    ],
    [
      "a change of a service that is created again",
      () => server.reconcile(documents.replace("name: a", "name: a\ncpu: 750")),
      "staging/a has changed since",
    ],
  ];
  test.each(cases)("%s", async (_name, change, what) => {
    await server.reconcile(documents);
    const plan = await server.plan(documents, {}, "destroy");
    const save = () => decodePlan(encodePlan(plan));
    const propose = () => proposeSaved(startRun(server.client), save(), openPolicy);
    expect((await propose()).refusal).toBeUndefined();
    await change();
    const { refusal } = await propose();
    expect(refusal?.problems.map(({ message }) => message).join("\n")).toContain(what);
    expect(refusal?.code).toBe("stale_plan");
  });
});

test("a saved plan that creates a service again with its environment is stale once that service has changed", async () => {
  const documents = shop + job("a", "variables: { SEEN: '1' }\ndeployment_stage: DEFAULT");
  await server.reconcile(documents);
  const plan = await server.plan(documents.replace("eu-west", "us-east"), allow("**"));
  expect(plan.problems).toEqual([]);
  const propose = () => proposeSaved(startRun(server.client), decodePlan(encodePlan(plan)), openPolicy);
  expect((await propose()).refusal).toBeUndefined();
  await server.reconcile(documents.replace("name: a", "name: a\ncpu: 750"));
  expect((await propose()).refusal?.problems.map(({ message }) => message)).toEqual([
    "the plan is stale: environment:shop/staging contains a, which has changed since",
  ]);
});

test("a cap that is lowered after the plan holds for what the plan deletes", async () => {
  const jobs = Array.from({ length: 10 }, (_, index) => job(`j${index}`));
  await server.reconcile(pruned + jobs.join(""));
  const plan = await server.plan(pruned + jobs.slice(3).join(""), { prune: true });
  expect(await applied(plan, { caps: { count: 2, percent: 100 } })).toEqual([
    "3 resources would be deleted or replaced, more than the 2 that are allowed",
  ]);
  expect(await applied(plan, { caps: { count: 3, percent: 29 } })).toEqual([
    "3 of the 10 resources in environment:shop/staging would be deleted or replaced, more than 29 %",
  ]);
  const all = await server.plan(pruned + jobs.join(""), {}, "destroy");
  expect(await applied(all, { caps: { count: 100, percent: 99 } })).toEqual([
    "10 of the 10 resources in environment:shop/staging would be deleted or replaced, more than 99 %",
  ]);
  expect(await applied(plan, { caps: { count: 3, percent: 30 } })).toBe("applied");
});
