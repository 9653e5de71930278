import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Plan, staleProblems } from "../../../core/index.ts";
import { LiveStore } from "../../../core/live/index.ts";
import { job, shop } from "../../fixtures/manifests.ts";
import { Harness } from "../../fixtures/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.start();
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(() => harness.api("POST", "/_emulator/reset"));

describe("a saved plan", () => {
  test("is stale when a resource of the plan has changed, appeared or disappeared", async () => {
    await harness.reconcile(shop + job("a") + job("gone"));
    const plan = await harness.plan(shop + job("a", "cpu: 750") + job("gone", "cpu: 750") + job("new"));
    expect(await staleProblems({ client: harness.client, live: new LiveStore() }, plan)).toEqual([]);
    await harness.reconcile(shop + job("a", "memory: 1024") + job("new"));
    await harness.api("DELETE", `/job/${await harness.idOf("shop/staging/JOB gone")}`);
    expect(
      (await staleProblems({ client: harness.client, live: new LiveStore() }, plan)).map(
        ({ message }) => message,
      ),
    ).toEqual([
      "the plan is stale: job:shop/staging/a has changed since",
      "the plan is stale: job:shop/staging/gone has disappeared since",
      "the plan is stale: job:shop/staging/new has appeared since",
    ]);
  });

  test("is stale when a service or a stage that it moves has been moved since, and not before", async () => {
    const stage = (name: string, more = "") =>
      `---\nkind: DeploymentStage\nenvironment: shop/staging\nname: ${name}\n${more}`;
    const nightly = (name: string) => job("nightly", `deployment_stage: ${name}`);
    const stale = async (plan: Plan) => {
      const problems = await staleProblems({ client: harness.client, live: new LiveStore() }, plan);
      return problems.map(({ message }) => message);
    };
    await harness.reconcile(shop + stage("a") + stage("b") + stage("c") + nightly("a"));
    const plan = await harness.plan(
      shop + stage("new") + stage("a", "after: b\n") + stage("b") + nightly("new"),
    );
    expect(await stale(plan)).toEqual([]);
    await harness.reconcile(shop + nightly("b"));
    expect(await stale(plan)).toEqual(["the plan is stale: job:shop/staging/nightly has changed since"]);
    await harness.reconcile(shop + stage("a", "after: c\n") + stage("c"));
    expect(await stale(plan)).toEqual([
      "the plan is stale: deploymentstage:shop/staging/a has changed since",
      "the plan is stale: job:shop/staging/nightly has changed since",
    ]);
  });
});
