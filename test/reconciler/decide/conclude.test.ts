import { expect, test } from "vitest";
import { newest, settle, type World } from "./world.ts";

const a = "update job:shop/staging/a";
const b = "update job:shop/staging/b";
const inProduction = "update job:shop/production/a";
const both = [a, inProduction];
const waiting = "{ environments: { shop/production: { on_commit: report } } }";
const undoing: Partial<World> = { applied: "all", operator: { onDrift: "apply" } };
const change = (address: string, fields = "cpu 750 -> 500", cause = "commit") => ({
  action: "update",
  address,
  cause,
  fields: [fields],
});

/** The environments, by a member that they have. */
function having(
  { environmentStates = [] }: ReturnType<typeof settle>,
  member: "applied" | "reverted",
): string[] {
  return environmentStates.filter((one) => one[member] !== undefined).map(({ environment }) => environment);
}

test.each<[name: string, world: World, words: object]>([
  ["everything is synced", { plan: [], applied: "all" }, { type: "synced", resources: 0 }],
  [
    "an environment has not been read",
    { plan: [], applied: "all", unread: ["shop/staging"] },
    {
      type: "synced",
      resources: 0,
      environments: expect.arrayContaining([expect.objectContaining({ state: "unread" })]),
    },
  ],
  [
    "a commit waits in one environment: nothing of it is drift",
    { plan: [...both, "none job:shop/staging/b"], policy: waiting },
    {
      type: "partly",
      changes: [],
      outcomes: [expect.objectContaining({ id: a })],
      waiting: [expect.objectContaining({ changes: [change("job:shop/production/a")] })],
    },
  ],
  [
    "drift is left in one environment: it does not wait",
    { plan: both, ...undoing, policy: "{ environments: { shop/production: { on_drift: report } } }" },
    {
      type: "undone",
      changes: [expect.objectContaining(change("job:shop/production/a", "cpu 500 -> 750", "drift"))],
      outcomes: [expect.objectContaining({ id: a })],
    },
  ],
  [
    "a wave of a commit is left: only that waits",
    { plan: [a, b], waves: { "job:shop/staging/a": [1, 2], "job:shop/staging/b": [2, 2] } },
    {
      type: "partly",
      changes: [],
      outcomes: [expect.objectContaining({ id: a })],
      waiting: [expect.objectContaining({ changes: [change("job:shop/staging/b")] })],
    },
  ],
  [
    "an unchanged resource counts as a resource, and has no outcome",
    { plan: ["none job:shop/staging/a", "none job:shop/staging/b"], applied: "all" },
    { type: "synced", resources: 2 },
  ],
  [
    "a branch drops the applied commit: all that it would change is held",
    { plan: [a, "delete job:shop/staging/b", "none job:shop/production/a"], dropped: true },
    {
      type: "held",
      changes: [
        change("job:shop/staging/a"),
        { action: "delete", address: "job:shop/staging/b", cause: "commit" },
      ],
    },
  ],
])("%s", (_name, world, words) => {
  expect(settle(world).words).toMatchObject(words);
});

test.each(["declined", "interrupted"] as const)("a cycle that was %s knows nothing new", (ending) => {
  const found = settle({ plan: both, requested: { "shop/staging": "approve" }, ending });
  expect(found).not.toHaveProperty("environmentStates");
  expect(found).not.toHaveProperty("healthy");
  expect(found.settled).toEqual([]);
});

test("an environment has the commit when all of it has been carried out there", () => {
  const failed = settle({ plan: both, fails: ["job:shop/staging/a"] });
  expect([...failed.done]).toEqual(["shop", "shop/production"]);
  expect(having(failed, "applied")).toEqual(["shop", "shop/production"]);
  expect(failed.healthy?.map(({ name }) => name)).toEqual(["shop", "shop/production"]);
  const drifted = settle({ plan: both, applied: "all" });
  expect([...drifted.done]).toEqual(["shop", "shop/staging", "shop/production"]);
  const mistaken = settle({ plan: [], applied: "all", mistakes: true });
  expect(mistaken.environmentStates?.map(({ applied }) => applied)).not.toContain(newest);
});

test("with on_commit: off, a commit that changes nothing in an environment counts as applied there", () => {
  const off = "{ on_commit: off }";
  expect(settle({ plan: [], policy: off }).isApplied).toBe(true);
  expect([...settle({ plan: [a], policy: off }).done]).toEqual(["shop", "shop/production"]);
});

test("only drift is undone: changes of a commit and failures are not", () => {
  const mixed = settle({
    plan: [...both, "none job:shop/staging/b"],
    applied: ["shop/staging"],
    operator: { onDrift: "apply" },
  });
  expect(mixed.undone.map(({ id }) => id)).toEqual([a]);
  expect(having(mixed, "reverted")).toEqual(["shop/staging"]);
  const failed = settle({ plan: both, ...undoing, fails: ["job:shop/staging/a"] });
  expect(failed.undone.map(({ id }) => id)).toEqual([inProduction]);
});

test("a request of a person stays until its environment has been read and has its turn", () => {
  const unread = settle({ plan: both, unread: ["shop/staging"], requested: { "shop/staging": "sync" } });
  expect(unread.settled).toEqual([]);
  const atWork = settle({ plan: both, atWork: ["shop/staging"], requested: { "shop/staging": "sync" } });
  expect(atWork.settled).toEqual([]);
  const done = settle({ plan: both, requested: { "shop/staging": "sync" } });
  expect(done.settled).toMatchObject([{ environment: { name: "shop/staging" }, isCarriedOut: true }]);
});

test.each<[name: string, world: World, reason: string]>([
  [
    "the quota is used up",
    { plan: both, ending: "unaffordable" },
    "the quota is too low: it takes 7 requests",
  ],
  [
    "the share of the quota is used up while another environment waits",
    { plan: both, affordable: 0, policy: waiting },
    "the quota is too low: it takes 2 requests",
  ],
])("a commit that was not tried says why: %s", (_name, world, reason) => {
  const { environmentStates = [] } = settle(world);
  expect(environmentStates.find(({ environment }) => environment === "shop/staging")).toMatchObject({
    reason,
  });
});

test("a drift loop is named beside drift that is left", () => {
  const found = settle({
    plan: [a, b],
    fought: ["job:shop/staging/a"],
    applied: "all",
    operator: { onDrift: "apply" },
    affordable: 0,
  });
  expect(found.environmentStates?.flatMap(({ driftLoops }) => driftLoops)).toMatchObject([
    { address: "job:shop/staging/a" },
  ]);
  expect(found.words).not.toHaveProperty("waiting");
  const drift = settle({ plan: [a], applied: "all" });
  expect(drift.words.type).toBe("drift");
  expect(drift.environmentStates?.flatMap(({ driftLoops }) => driftLoops)).toEqual([]);
});

test.each<[name: string, world: World, state: string, fields: string | undefined]>([
  ["a blocked commit", { plan: [a], unconsented: ["job:shop/staging/a"] }, "blocked", "cpu 750 -> 500"],
  [
    "drift that cannot be undone",
    { plan: [a], unconsented: ["job:shop/staging/a"], ...undoing },
    "blocked",
    "cpu 500 -> 750",
  ],
  ["drift that is reported", { plan: [a], applied: "all" }, "drift", "cpu 500 -> 750"],
  ["a held commit", { plan: [a, "delete job:shop/production/a"], dropped: true }, "held", "cpu 750 -> 500"],
  ["a commit that was not tried", { plan: [a], affordable: 0 }, "waiting", "cpu 750 -> 500"],
  ["a commit that was carried out", { plan: [a] }, "synced", undefined],
])("an environment shows its differences that are left: %s", (_name, world, state, fields) => {
  const { environmentStates = [] } = settle(world);
  const environmentState = environmentStates.find(({ environment }) => environment === "shop/staging");
  expect([environmentState?.state, environmentState?.changes.flatMap((one) => one.fields ?? [])]).toEqual([
    state,
    fields === undefined ? [] : [fields],
  ]);
  expect(environmentState?.plan !== undefined).toBe(fields !== undefined);
});

test("pruned resources are not live any more, and the others are", () => {
  const unmanaged = ["job:shop/staging/old", "variable A of job:shop/staging/old", "job:shop/staging/older"];
  const plan = ["delete job:shop/staging/old"];
  const { environmentStates = [] } = settle({ plan, unmanaged: { "shop/staging": unmanaged } });
  expect(environmentStates.flatMap((environmentState) => environmentState.unmanaged ?? [])).toEqual([
    "job:shop/staging/older",
  ]);
});
