import { afterAll, beforeEach, expect, test } from "vitest";
import { decodePlan, encodePlan } from "../../../core/codec/index.ts";
import { parsePattern, type Policy } from "../../../core/index.ts";
import type { Plan } from "../../../core/plan/index.ts";
import { enact, proposeSaved, startRun } from "../../../core/run/index.ts";
import { database, job, shop } from "../../fixtures/manifests.ts";
import { Harness } from "../../fixtures/harness.ts";
import { openPolicy } from "../../fixtures/policy.ts";

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
  const ending = await enact(saved, run, {
    consent: () => Promise.resolve(true),
    onQuota: "fail",
    apply: { parallelism: 10 },
  });
  if (ending.type !== "refused") return ending.type;
  expect(ending.code).toBe("consent");
  expect(await server.writes()).toEqual([]);
  return ending.problems.map(({ message }) => message);
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
