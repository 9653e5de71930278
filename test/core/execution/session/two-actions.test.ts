import { describe, expect, test } from "vitest";
import picocolors from "picocolors";
import { reportJson } from "../../../../cli/render/json.ts";
import { renderReport } from "../../../../cli/render/report.ts";
import { encodePlan, type Plan, type Progress } from "../../../../core/index.ts";
import type { Action } from "../../../../core/planning/plan/index.ts";
import { job, shop } from "../../../fixtures/manifests.ts";
import { summary } from "../../../fixtures/harness.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";

const harness = useHarness();

const address = "job:shop/staging/a";
const first = `update ${address}`;
const second = `memory of ${address}`;

/** A plan that changes the CPU of a job and, in a separate action, the memory. */
async function planOfTwo(): Promise<Plan> {
  await harness.reconcile(shop + job("a", "cpu: 500\nmemory: 512"));
  const plan = await harness.plan(shop + job("a", "cpu: 750"));
  const update = plan.actions.find(({ type }) => type === "update");
  if (update?.type !== "update") throw new Error("there is no update");
  const more: Action = {
    ...update,
    id: second,
    after: [update.id],
    declared: { memory: 1024 },
    changes: [{ path: ["memory"], before: 512, after: 1024 }],
  };
  await harness.forgetRequests();
  // The dependent action is first in the list: `after` decides the order.
  const actions = [more, ...plan.actions];
  const whole = plan.whole?.();
  return { ...plan, actions, ...(whole && { whole: () => ({ ...whole, actions }) }) };
}

async function carryOut(plan: Plan) {
  const progress: Progress[] = [];
  const report = await harness.apply(plan, {}, { onProgress: (one) => progress.push(one) });
  const view = { colors: picocolors.createColors(false), budget: {}, now: 0 };
  return { report, progress, text: renderReport(report, view), json: reportJson(report, {}) };
}

describe("two actions on one resource", () => {
  test("both run, in the order of `after`, and each has its own outcome and progress", async () => {
    const plan = await planOfTwo();
    const { report, progress, json, text } = await carryOut(plan);
    expect(progress.map(({ event, action, finished, total }) => [event, action.id, finished, total])).toEqual(
      [
        ["started", first, 0, 2],
        ["finished", first, 1, 2],
        ["started", second, 1, 2],
        ["finished", second, 2, 2],
      ],
    );
    const id = await harness.idOf("shop/staging/JOB a");
    const done = { address, type: "update", status: "done", resource_id: id };
    expect(json.outcomes).toEqual([
      { id: second, ...done },
      { id: first, ...done },
    ]);
    expect(text).toContain("Done: 2 updated.");
    expect(report.outcomes.every(({ status }) => status === "done")).toBe(true);
    expect((await harness.writes()).map(({ method }) => method)).toEqual(["PUT", "PUT"]);
    expect(summary(await harness.plan(shop + job("a", "cpu: 750\nmemory: 1024")))).toEqual([]);
  });

  test("the JSON of the plan distinguishes them by id, and counts both", async () => {
    const { actions, counts } = encodePlan(await planOfTwo());
    expect(counts.update).toBe(2);
    expect(actions.filter((action) => action.address === address)).toMatchObject([
      { id: second, after: [first] },
      { id: first, after: [] },
    ]);
  });

  test("after a failure of the first, the second is skipped, and the report distinguishes them", async () => {
    const plan = await planOfTwo();
    await harness.api("POST", "/_emulator/faults", [{ method: "PUT", status: 400, times: 1 }]);
    const { json, text } = await carryOut(plan);
    expect(json.outcomes).toMatchObject([
      { id: second, status: "skipped", message: "an earlier action on it was not done" },
      { id: first, status: "failed", code: "invalid_request" },
    ]);
    expect(text).toContain("Failed:\n  Job shop/staging/a (change, action 2 of 2): 400 on PUT ");
    expect(text).toContain(
      "Not started:\n  Job shop/staging/a (change, action 1 of 2): an earlier action on it was not done",
    );
  });

  test("after a failure of the second, the first is done", async () => {
    const plan = await planOfTwo();
    await harness.api("POST", "/_emulator/faults", [{ method: "PUT", status: 400, after: 1 }]);
    const { json, text } = await carryOut(plan);
    expect(json.outcomes).toMatchObject([
      { id: second, status: "failed" },
      { id: first, status: "done" },
    ]);
    expect(text).toContain("Job shop/staging/a (change, action 1 of 2): 400 on PUT ");
    expect(text).toContain("Done so far: 1 updated.");
  });
});

describe("an action that the request of another action carries out", () => {
  test("the deletion of contents of a deleted environment sends nothing and has an outcome", async () => {
    const documents = shop + job("a") + job("b");
    await harness.reconcile(documents);
    const plan = await harness.plan(documents, {}, "destroy");
    await harness.forgetRequests();
    const { json } = await carryOut(plan);
    expect((await harness.writes()).map(({ path }) => path.replace(/[^/]+$/, "*"))).toEqual([
      "/environment/*",
      "/project/*",
    ]);
    expect(json.outcomes.map(({ id, status }) => [id, status])).toEqual(
      plan.actions.map(({ id }) => [id, "done"]),
    );
    // A separate lookup would find it already deleted.
    expect(json.outcomes.filter(({ already }) => already)).toEqual([]);
    const inside = plan.actions.filter(
      ({ carriedOutBy }) => carriedOutBy === "delete environment:shop/staging",
    );
    expect(inside.map(({ id, after }) => [id, after]).toSorted()).toEqual([
      ["delete job:shop/staging/a", ["delete environment:shop/staging"]],
      ["delete job:shop/staging/b", ["delete environment:shop/staging"]],
    ]);
  });

  test("it is skipped when that request has failed", async () => {
    const documents = shop + job("a");
    await harness.reconcile(documents);
    const plan = await harness.plan(documents, {}, "destroy");
    await harness.api("POST", "/_emulator/faults", [{ method: "DELETE", status: 400 }]);
    const { json } = await carryOut(plan);
    expect(Object.fromEntries(json.outcomes.map(({ id, status }) => [id, status]))).toEqual({
      "delete job:shop/staging/a": "skipped",
      "delete environment:shop/staging": "failed",
      "delete project:shop": "skipped",
    });
  });
});
