import { describe, expect, test } from "vitest";
import { settle, type World } from "./world.ts";

const reported: World = {
  plan: ["update job:shop/staging/a", "update job:shop/production/a"],
  policy: "environments: { 'shop/*': { on_commit: report, on_drift: report } }",
  operator: { onDrift: "apply" },
};

/** What has become of the requests: `shop/staging: done`. */
function settledIn(world: World): string[] {
  return settle(world).settled.map(
    ({ environment, isCarriedOut }) => `${environment.name}: ${isCarriedOut ? "done" : "over"}`,
  );
}

test("of what a person has requested where nothing differs, the reason says so", () => {
  const { settled } = settle({ ...reported, plan: [], requested: { "shop/staging": "sync" } });
  expect(settled).toMatchObject([{ isCarriedOut: false, reasons: ["there was nothing to do"] }]);
});

describe("sync", () => {
  test("applies the commit in just that environment, where the policy only reports it", () => {
    const { sent, states } = settle({ ...reported, requested: { "shop/staging": "sync" } });
    expect(sent).toEqual(["update job:shop/staging/a"]);
    expect(states).toMatchObject({ "shop/staging": "synced", "shop/production": "waiting" });
  });

  test("undoes drift that is only reported, also what somebody else sets again and again", () => {
    const world: World = {
      ...reported,
      operator: {},
      applied: "all",
      fought: ["job:shop/staging/a"],
      requested: { "shop/staging": "sync" },
    };
    expect(settle(world).sent).toEqual(["update job:shop/staging/a"]);
    expect(settle({ ...world, requested: {} }).sent).toEqual([]);
  });

  test("is over once its turn has come, whatever became of it", () => {
    expect(settledIn({ ...reported, requested: { "shop/staging": "sync" } })).toEqual(["shop/staging: done"]);
    const requested = { "shop/staging": "sync" } as const;
    expect(settledIn({ ...reported, plan: [], requested })).toEqual(["shop/staging: over"]);
    expect(settledIn({ ...reported, requested, unconsented: ["job:shop/staging/a"] })).toEqual([
      "shop/staging: over",
    ]);
  });

  test.each([
    ["the branch has moved on", { ending: "declined" }],
    ["the quota does not suffice", { ending: "unaffordable" }],
    ["the server is still at work there", { atWork: ["shop/staging"] }],
  ] as const)("waits while %s", (_why, world) => {
    expect(settledIn({ ...reported, ...world, requested: { "shop/staging": "sync" } })).toEqual([]);
  });

  test.each([
    ["a suspension", "suspend: { until: 2026-12-01T00:00:00Z, reason: inventory }"],
    ["a window", "windows: [{ deny: '0 0 * * *', duration: 1d }]"],
    ["a policy that says off", "on_commit: off"],
  ])("does not lift %s", (_what, rules) => {
    const world: World = {
      plan: ["update job:shop/staging/a"],
      policy: `environments: { shop/staging: { ${rules} } }`,
      requested: { "shop/staging": "sync" },
    };
    expect(settle(world)).toMatchObject({ sent: [], settled: [{ isCarriedOut: false }] });
  });

  test.each([
    ["the consent to a loss", { unconsented: ["job:shop/staging/a"] }, "blocked"],
    ["a cap that suffices", { cap: 0 }, "blocked"],
    ["a commit that follows the applied one", { dropped: true }, "held"],
    ["a newest commit without mistakes", { mistakes: true }, "waiting"],
  ] as const)("does not do without %s", (_what, world, state) => {
    const { sent, states } = settle({
      ...reported,
      ...world,
      plan: ["delete job:shop/staging/a"],
      requested: { "shop/staging": "sync" },
    });
    expect({ sent, state: states["shop/staging"] }).toEqual({ sent: [], state });
  });
});

describe("an approval", () => {
  const lossy: World = {
    plan: ["replace job:shop/staging/a", "replace job:shop/production/a"],
    unconsented: ["job:shop/staging/a", "job:shop/production/a"],
    requested: { "shop/staging": "approve" },
  };

  test("is the consent to what just this environment loses, and applies it at once", () => {
    const { sent, states, settled } = settle({
      ...lossy,
      policy: "environments: { 'shop/*': { on_commit: report } }",
    });
    expect(sent).toEqual(["replace job:shop/staging/a"]);
    expect(states["shop/production"]).toBe("waiting");
    expect(settled).toMatchObject([{ requested: { by: { id: "user:anna" } }, isCarriedOut: true }]);
  });

  test("of another plan counts for nothing, and is over", () => {
    const world: World = { ...lossy, requested: { "shop/staging": "approve another" } };
    expect(settle(world)).toMatchObject({
      sent: [],
      states: { "shop/staging": "blocked" },
      settled: [{ isCarriedOut: false }],
    });
  });

  test("counts for drift too", () => {
    expect(settle({ ...lossy, applied: "all" }).sent).toEqual(["replace job:shop/staging/a"]);
  });

  test("releases an environment that is held, and leaves the others held", () => {
    const { sent, states } = settle({ ...lossy, unconsented: [], dropped: true });
    expect(sent).toEqual(["replace job:shop/staging/a"]);
    expect(states["shop/production"]).toBe("held");
  });

  test.each([
    ["a cap", { cap: 0, plan: ["delete job:shop/staging/a"] }],
    ["the limit of the day", { day: { deleted: 1, limit: 1 }, plan: ["delete job:shop/staging/a"] }],
    ["what live state forbids", { mistaken: ["job:shop/staging/a"] }],
  ] as const)("does not lift %s, and waits for its time", (_what, world) => {
    const { sent, states } = settle({ ...lossy, ...world });
    expect({ sent, state: states["shop/staging"] }).toEqual({ sent: [], state: "blocked" });
  });

  test("waits for the end of a suspension, and is kept until then", () => {
    const policy =
      "environments: { shop/staging: { suspend: { until: 2026-12-01T00:00:00Z, reason: inventory } } }";
    const { sent, settled } = settle({ ...lossy, policy });
    expect({ sent, settled }).toEqual({ sent: [], settled: [] });
  });
});

describe("before anybody approves it, a plan says", () => {
  const [deletion, elsewhere] = ["delete job:shop/staging/a", "delete job:shop/production/a"] as const;
  const inStaging = (world: Partial<World>) =>
    settle({ ...reported, plan: [deletion], ...world }).environmentStates?.find(
      ({ environment }) => environment === "shop/staging",
    );

  test.each<[string, Partial<World>, string]>([
    ["a cap", { cap: 0 }, "1 would be deleted"],
    ["the limit of the day", { day: { deleted: 1, limit: 1 } }, "1 a day are allowed"],
    [
      "what live state shows",
      { plan: [deletion, "update job:shop/staging/b"], mistaken: ["job:shop/staging/b"] },
      "there is no such registry",
    ],
    [
      "a dropped commit that also deletes elsewhere",
      {
        dropped: true,
        plan: ["update job:shop/staging/a", elsewhere],
        needs: { "update job:shop/staging/a": elsewhere },
        policy: "{}",
      },
      "it drops the applied commit",
    ],
    [
      "a dropped commit whose deletions a mistake elsewhere hides",
      { dropped: true, plan: ["update job:shop/staging/a", elsewhere], mistaken: ["job:shop/production/a"] },
      "a problem in another environment forbids it",
    ],
    [
      "with --target, a missing consent elsewhere",
      { isTargeted: true, plan: [deletion, elsewhere], unconsented: ["job:shop/production/a"] },
      "a problem in another environment forbids it",
    ],
    [
      "a suspension of the policy",
      {
        policy:
          "environments: { shop/staging: { suspend: { until: 2026-12-01T00:00:00Z, reason: inventory } } }",
      },
      "suspended by the policy",
    ],
  ])("that %s forbids it", (_what, world, why) => {
    expect(inStaging(world)).toMatchObject({ unapprovable: expect.stringContaining(why) as string });
  });

  test.each<[string, Partial<World>, string | undefined]>([
    ["nothing", {}, undefined],
    ["a loss that the approval consents to", { unconsented: ["job:shop/staging/a"] }, undefined],
    ["the quota", { affordable: 0 }, "the quota is too low: it takes 5 requests"],
    ["the server", { atWork: ["shop/staging"] }, "an earlier change is still in progress on the server"],
    ["the repository", { isAway: true }, "the repository cannot be read"],
    ["a commit without mistakes", { mistakes: true }, "the newest commit has mistakes"],
    [
      "a change elsewhere",
      { plan: [deletion, elsewhere], needs: { [deletion]: elsewhere } },
      "it needs shop/production, which is not applied",
    ],
  ])("that it waits for %s", (_what, world, delay) => {
    const { unapprovable, delay: its } = inStaging(world) ?? {};
    expect([unapprovable, its]).toEqual([undefined, delay]);
  });
});

test("the plan of an environment has a digest, with which it can be approved", () => {
  const digests = settle(reported).environmentStates?.map(({ plan = "" }) => plan.length);
  expect(digests).toEqual([0, 64, 64]);
});

test("an approval of another plan ends because the plan has changed, also while the environment is suspended", () => {
  const suspended = "suspend: { until: 2026-12-01T00:00:00Z, reason: inventory }";
  const { settled } = settle({
    ...reported,
    policy: `environments: { shop/staging: { ${suspended} } }`,
    requested: { "shop/staging": "approve another" },
  });
  expect(settled).toMatchObject([{ isCarriedOut: false, reasons: ["the plan has changed"] }]);
});
