import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { proposeSaved, startRun } from "../../../../../core/index.ts";
import { digestOfActions } from "../../../../../core/outputs/forms/index.ts";
import { Harness, summary } from "../../../../fixtures/harness.ts";
import { allow, openPolicy } from "../../../../fixtures/policy.ts";
import { manifests } from "../../../../fixtures/random-documents.ts";
import { tries } from "../../../../fixtures/random-cases.ts";
import { applySaved, saved } from "../../../../fixtures/saved-plans.ts";

const server = await Harness.start();
afterAll(() => server[Symbol.asyncDispose]());

test("any saved plan is the same plan while nothing has changed, and once it is applied there is nothing left to do", async () => {
  await fc.assert(
    fc.asyncProperty(manifests, manifests, fc.boolean(), async (before, after, destroys) => {
      await server.api("POST", "/_emulator/reset");
      await server.reconcile(before);
      const policy = { ...openPolicy, ...allow("**"), prune: true };
      const [documents, goal] = destroys ? [before, "destroy" as const] : [after, "reconcile" as const];
      const plan = await saved(server, documents, policy, goal);
      fc.pre(plan.plan.problems.length === 0);
      const again = await proposeSaved(startRun(server.client), plan, policy);
      expect(again.plan.problems).toEqual([]);
      expect(digestOfActions(again.plan)).toBe(plan.actionsDigest);
      expect(await applySaved(server, plan, policy)).toEqual({ ended: "applied", why: [] });
      expect(summary(await server.plan(documents, policy, goal))).toEqual([]);
    }),
    { numRuns: tries(6) },
  );
});
