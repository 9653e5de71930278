import fc from "fast-check";
import picocolors from "picocolors";
import { afterAll, expect, test } from "vitest";
import { planJson } from "../../../cli/render/json.ts";
import { renderPlan } from "../../../cli/render/plan.ts";
import { planMarkdown } from "../../../cli/render/plan-markdown.ts";
import { decodePlan } from "../../../core/outputs/forms/decode-plan.ts";
import type { PlanForm } from "../../../core/outputs/forms/index.ts";
import { costOf } from "../../../core/planning/plan/index.ts";
import { digestOfActions } from "../../../core/outputs/forms/digest.ts";
import { Harness } from "../../fixtures/harness.ts";
import { allow } from "../../fixtures/policy.ts";
import { tries } from "../../fixtures/random-cases.ts";
import { manifests } from "../../fixtures/random-documents.ts";

const server = await Harness.start();
afterAll(() => server[Symbol.asyncDispose]());

test("any plan reads the same in text and Markdown when it is made of its JSON form", async () => {
  await fc.assert(
    fc.asyncProperty(
      manifests,
      manifests,
      fc.boolean(),
      fc.boolean(),
      async (before, after, prune, destroys) => {
        await server.api("POST", "/_emulator/reset");
        await server.reconcile(before);
        const policy = { ...allow("**"), prune, deploy: true };
        const [documents, goal] = destroys ? [before, "destroy" as const] : [after, "reconcile" as const];
        const plan = await server.plan(documents, policy, goal);
        const { unmanaged = [], waveOf = () => undefined } = plan;
        const form = JSON.parse(JSON.stringify(planJson(plan, {}))) as PlanForm;
        const read = { ...decodePlan(form, plan.at), unmanaged, waveOf };
        const view = { colors: picocolors.createColors(true), budget: {}, now: 0 };
        const saved = { cost: costOf(plan), digest: digestOfActions(plan) };
        // What is asked of a person names the flags together, and a plan that is refused is not saved.
        const made = { ...plan, problems: [] };
        const kept = { ...read, problems: [] };
        expect(await renderPlan(kept, { ...view, saved })).toBe(await renderPlan(made, view));
        expect(planMarkdown(kept, { ...view, saved })).toBe(planMarkdown(made, view));
      },
    ),
    { numRuns: tries(10) },
  );
});
