import { expect, test } from "vitest";
import type { Rollout } from "../../../reconciler/decide/index.ts";
import { settle, type World } from "./world.ts";

const noon = Date.parse("2026-11-23T12:00:00Z");
const healthy = { commit: "a".repeat(40), tree: "b".repeat(40), digest: "earlier" };
const started = { digest: "shop/staging", at: noon - 120_000 };
const rollout: Rollout = { started, healthy };
const failed: World = {
  plan: [],
  applied: "all",
  policy: "on_failure: rollback",
  rollouts: { "shop/staging": rollout },
  health: { "job:shop/staging/a": "failed" },
};
const withRollout = (more: Partial<Rollout>): World => ({
  ...failed,
  rollouts: { "shop/staging": { ...rollout, ...more } },
});

test("a failed deployment of a commit is rolled back to the last healthy commit, where the policy says so", () => {
  expect(settle(failed).rollbacks).toMatchObject([
    { environment: { name: "shop/staging" }, to: healthy, reasons: ["a failed"] },
  ]);
});

test.each<[string, World]>([
  ["the policy does not say so", { ...failed, policy: "{}" }],
  [
    "one of two patterns says report",
    {
      ...failed,
      policy: "environments: { shop/*: { on_failure: rollback }, '*/staging': { on_failure: report } }",
    },
  ],
  ["commits wait there", { ...failed, policy: "{ on_failure: rollback, on_commit: report }" }],
  ["it is rolled back already", { ...failed, rolledBack: ["shop/staging"] }],
  ["these documents were rolled back before", withRollout({ givenUp: "shop/staging" })],
  [
    "the same documents were healthy before",
    withRollout({ healthy: { ...healthy, digest: "shop/staging" } }),
  ],
  ["nothing was healthy before", { ...failed, rollouts: { "shop/staging": { started } } }],
  ["the documents were not written there", withRollout({ started: { digest: "other", at: noon } })],
  [
    "the deployment began long before the commit",
    withRollout({ started: { digest: "shop/staging", at: noon + 600_000 } }),
  ],
  ["it only takes long", { ...failed, health: { "job:shop/staging/a": "slow" } }],
  ["another environment has failed", { ...failed, health: { "job:shop/production/a": "failed" } }],
])("nothing is rolled back when %s", (_, world) => {
  expect(settle(world).rollbacks).toEqual([]);
});

test("a commit does not come after an environment that is rolled back", () => {
  const { states } = settle({
    plan: ["update job:shop/production/a"],
    applied: ["shop", "shop/staging"],
    policy: "environments: { shop/production: { promote: { after: shop/staging, healthy_for: 10m } } }",
    healthySince: { "shop/staging": "2026-11-23T11:00:00Z" },
    rolledBack: ["shop/staging"],
  });
  expect(states).toMatchObject({ "shop/production": "waiting" });
});
