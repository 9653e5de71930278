import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { HealthState } from "../../../core/deployments/index.ts";
import { parseAnyAddress } from "../../../core/model/addresses/address.ts";
import { modeOf, readPolicy, rulesFor } from "../../../reconciler/policy/index.ts";
import { environmentOf } from "../../../reconciler/policy/environments.ts";
import { tries } from "../../fixtures/random-cases.ts";
import { newest, settle, type World } from "./world.ts";

const a = "update job:shop/staging/a";
const b = "update job:shop/staging/b";
const inProduction = "update job:shop/production/a";
const deletion = "delete job:shop/staging/a";
const both = [a, inProduction];

/** A cycle in a word: what was sent, how it has ended, and how the environments stand that are not in step. */
function cycle(world: World) {
  const { sent, words, states } = settle(world);
  const environmentState = Object.entries(states).filter(([, state]) => state !== "synced");
  return { sent, end: words.type, stands: Object.fromEntries(environmentState) };
}

const rules = (text: string) => `environments: { shop/production: { ${text} } }`;

describe("a policy says what becomes of a commit, and of drift", () => {
  test.each<[name: string, world: Partial<World>, sent: string[], end: string, production: string]>([
    ["a commit is applied", {}, both, "applied", "synced"],
    ["a commit is reported", { policy: rules("on_commit: report") }, [a], "partly", "waiting"],
    ["a commit is ignored", { policy: rules("on_commit: off") }, [a], "applied", "unwatched"],
    [
      "a commit is reported, as the operator wants it",
      { operator: { onCommit: "report" } },
      [],
      "partly",
      "waiting",
    ],
    [
      "a commit cannot allow what the operator forbids",
      { operator: { onCommit: "report" }, policy: "on_commit: apply" },
      [],
      "partly",
      "waiting",
    ],
    ["what has not been read yet waits", { unread: ["shop/production"] }, [a], "partly", "unread"],
    ["and is no drift", { applied: "all", unread: ["shop/production"] }, [], "drift", "unread"],
    ["drift is reported", { applied: "all" }, [], "drift", "drift"],
    [
      "drift is not undone by a commit alone",
      { applied: "all", policy: "on_drift: apply" },
      [],
      "drift",
      "drift",
    ],
    ["drift is undone", { applied: "all", operator: { onDrift: "apply" } }, both, "undone", "synced"],
    [
      "drift is undone elsewhere",
      { applied: "all", operator: { onDrift: "apply" }, policy: rules("on_drift: report") },
      [a],
      "undone",
      "drift",
    ],
    [
      "drift is ignored",
      { applied: "all", operator: { onDrift: "apply" }, policy: rules("on_drift: off") },
      [a],
      "undone",
      "unwatched",
    ],
    ["drift is ignored everywhere", { applied: "all", policy: "on_drift: off" }, [], "synced", "unwatched"],
    [
      "where it is applied already, a difference is drift",
      { applied: ["shop/production"] },
      [a],
      "applied",
      "drift",
    ],
    [
      "where it is applied already, drift is undone",
      { applied: ["shop/production"], operator: { onDrift: "apply" } },
      both,
      "partly",
      "synced",
    ],
  ])("%s", (_name, world, sent, end, production) => {
    const settled = cycle({ plan: both, ...world });
    expect(settled).toMatchObject({ sent, end });
    expect(settled.stands["shop/production"] ?? "synced").toBe(production);
  });
});

describe("the clock opens and closes", () => {
  const office = 'windows: [{ allow: "0 8 * * 1-5", duration: 9h }]';
  const audit = "suspend: { until: 2026-11-23T14:00:00Z, reason: an audit }";
  test.each<[rule: string, now: string, isOpen: boolean, until?: string]>([
    [office, "2026-11-23T12:00:00Z", true],
    [office, "2026-11-23T18:00:00Z", false, "2026-11-24T08:00:00.000Z"],
    [office, "2026-11-28T12:00:00Z", false, "2026-11-30T08:00:00.000Z"],
    [
      'windows: [{ deny: "0 11 * * *", duration: 2h }]',
      "2026-11-23T12:00:00Z",
      false,
      "2026-11-23T13:00:00.000Z",
    ],
    ['windows: [{ deny: "0 11 * * *", duration: 2h }]', "2026-11-23T13:00:00Z", true],
    [audit, "2026-11-23T13:59:59Z", false, "2026-11-23T14:00:00.000Z"],
    [audit, "2026-11-23T14:00:00Z", true],
  ])("%s at %s", (rule, now, isOpen, until) => {
    const world = { plan: both, policy: rules(rule), now };
    expect(cycle(world)).toEqual({
      sent: isOpen ? both : [a],
      end: isOpen ? "applied" : "partly",
      stands: isOpen ? {} : { "shop/production": "waiting" },
    });
    const { environmentStates = [] } = settle(world);
    const found = environmentStates.find(({ environment }) => environment === "shop/production")?.until;
    expect(found === undefined ? undefined : new Date(found).toISOString()).toBe(until);
    // Drift is held by the same clock, and reported.
    const drift = cycle({ ...world, applied: "all", operator: { onDrift: "apply" } });
    expect(drift).toEqual({
      sent: isOpen ? both : [a],
      end: "undone",
      stands: isOpen ? {} : { "shop/production": "drift" },
    });
  });
});

describe("a hold keeps back what it is about, and nothing else", () => {
  test.each<[name: string, world: World, expected: ReturnType<typeof cycle>]>([
    [
      "the server is still at work in an environment",
      { plan: both, atWork: ["shop/production"] },
      { sent: [a], end: "partly", stands: { "shop/production": "waiting" } },
    ],
    [
      "a commit that drops the applied one and deletes",
      { plan: [deletion, inProduction], dropped: true },
      { sent: [], end: "held", stands: { "shop/production": "held", "shop/staging": "held" } },
    ],
    [
      "a commit that drops the applied one and deletes nothing",
      { plan: both, dropped: true },
      { sent: both, end: "applied", stands: {} },
    ],
    [
      "a commit that drops the applied one, and of which nobody knows whether it deletes",
      { plan: both, dropped: true, mistaken: ["job:shop/staging/a"] },
      { sent: [], end: "blocked", stands: { "shop/production": "blocked", "shop/staging": "blocked" } },
    ],
    [
      "a newest commit with mistakes, where the last good one is not applied yet",
      { plan: both, mistakes: true, applied: ["shop/production"], operator: { onDrift: "apply" } },
      { sent: [inProduction], end: "invalid", stands: { "shop/staging": "waiting" } },
    ],
    [
      "a repository that cannot be read: drift from the last good commit is undone",
      { plan: both, isAway: true, applied: ["shop/production"], operator: { onDrift: "apply" } },
      { sent: [inProduction], end: "partly", stands: { "shop/staging": "waiting" } },
    ],
    [
      "an environment that needs a project which has to wait",
      {
        plan: ["create project:shop", "create environment:shop/staging", inProduction],
        needs: { "create environment:shop/staging": "create project:shop" },
        policy: "{ on_commit: report, environments: { shop/*: { on_commit: apply } } }",
      },
      { sent: [inProduction], end: "partly", stands: { shop: "waiting", "shop/staging": "waiting" } },
    ],
    [
      "a pruned project whose environment has to wait by the policy",
      {
        plan: ["delete environment:shop/old", a],
        policy: "environments: { shop/old: { on_commit: report } }",
      },
      { sent: [a], end: "partly", stands: { shop: "waiting" } },
    ],
    [
      "an environment without a document is pruned with what its project changes",
      { plan: ["update project:shop", "delete environment:shop/old", a] },
      { sent: ["update project:shop", "delete environment:shop/old", a], end: "applied", stands: {} },
    ],
    [
      "drift of a project is undone while an environment in it waits for the consent to prune it",
      {
        plan: ["update project:shop", "delete environment:shop/old"],
        unconsented: ["environment:shop/old"],
        applied: "all",
        operator: { onDrift: "apply" },
      },
      { sent: ["update project:shop"], end: "blocked", stands: { shop: "blocked" } },
    ],
  ])("%s", (_name, world, expected) => {
    expect(cycle(world)).toEqual(expected);
  });
});

describe("how services fare after their deployments", () => {
  const undoing: Partial<World> = { applied: "all", operator: { onDrift: "apply" } };
  const health = (state: HealthState) => ({ "job:shop/staging/a": state });
  test.each<[name: string, world: World, expected: ReturnType<typeof cycle>]>([
    [
      "an environment with a failed deployment is not synced",
      { plan: [], applied: "all", health: health("failed") },
      { sent: [], end: "synced", stands: { "shop/staging": "unhealthy" } },
    ],
    [
      "nor is one whose deployment takes too long",
      { plan: [], applied: "all", health: health("slow") },
      { sent: [], end: "synced", stands: { "shop/staging": "unhealthy" } },
    ],
    [
      "the state is unread while the health of services is unknown",
      { plan: [], applied: "all", healthUnread: ["shop/staging"] },
      { sent: [], end: "synced", stands: { "shop/staging": "unread" } },
    ],
    [
      "a deployment goes on",
      { plan: [], applied: "all", health: health("deploying") },
      { sent: [], end: "synced", stands: { "shop/staging": "deploying" } },
    ],
    [
      "a deployment has ended well",
      { plan: [], applied: "all", health: health("healthy") },
      { sent: [], end: "synced", stands: {} },
    ],
    [
      "a deployment that this cycle has begun takes the place of a failed one",
      { plan: [a, "deploy job:shop/staging/a"], health: health("failed") },
      { sent: [a, "deploy job:shop/staging/a"], end: "applied", stands: { "shop/staging": "deploying" } },
    ],
    [
      "drift is undone beside a failed deployment",
      { plan: [b], ...undoing, health: health("failed") },
      { sent: [b], end: "undone", stands: { "shop/staging": "unhealthy" } },
    ],
    [
      "nobody looks where the policy says off",
      {
        plan: [],
        applied: "all",
        policy: "{ on_commit: off, on_drift: off }",
        health: { "job:shop/production/a": "failed" },
      },
      {
        sent: [],
        end: "synced",
        stands: { shop: "unwatched", "shop/staging": "unwatched", "shop/production": "unwatched" },
      },
    ],
  ])("%s", (_name, world, expected) => {
    expect(cycle(world)).toEqual(expected);
  });

  test("a commit is applied also where a deployment has failed: what is done does not depend on health", () => {
    const { done, isApplied } = settle({ plan: [], applied: [], health: health("failed") });
    expect([isApplied, done.has("shop/staging")]).toEqual([true, true]);
  });
});

describe("a commit is applied wave by wave", () => {
  const waves: World["waves"] = { "job:shop/staging/a": [1, 2], "job:shop/staging/b": [2, 2] };
  const gone = "delete job:shop/staging/old";
  const ofA = (health: HealthState) => ({ "job:shop/staging/a": health });
  test.each<[name: string, world: World, sent: string[], staging: string, reason?: string]>([
    ["the first wave", { plan: [a, b] }, [a], "waiting", "wave 2 of 2 follows when wave 1 is healthy"],
    [
      "an environment without a wave goes with the first wave",
      { plan: ["create environment:shop/staging", a, b] },
      ["create environment:shop/staging", a],
      "waiting",
    ],
    [
      "the second is not sent while the first is deployed",
      { plan: [b], health: ofA("deploying") },
      [],
      "waiting",
      "wave 2 of 2 is not sent: a is being deployed",
    ],
    [
      "a failed wave stops the rest",
      { plan: [b], health: ofA("failed") },
      [],
      "unhealthy",
      "wave 2 of 2 is not sent: a failed",
    ],
    [
      "the second wave is not sent while the health of the first is unknown",
      { plan: [b], healthUnread: ["shop/staging"] },
      [],
      "waiting",
      "wave 2 of 2 is not sent: the health of its services has not been read, because the quota's share for drift checks is spent",
    ],
    ["a change of what has failed is sent", { plan: [a, b], health: ofA("failed") }, [a], "unhealthy"],
    ["the second follows a healthy first", { plan: [b], health: ofA("healthy") }, [b], "synced"],
    ["other environments do not wait", { plan: [a, b, inProduction] }, [a, inProduction], "waiting"],
    [
      "drift is undone at once",
      { plan: [a, b], applied: "all", operator: { onDrift: "apply" } },
      [a, b],
      "synced",
    ],
    ["a failed change of the first wave", { plan: [a, b], fails: ["job:shop/staging/a"] }, [a], "failed"],
    ["without waves all goes at once", { plan: [a, b], waves: {} }, [a, b], "synced"],
    ["what no document declares goes last", { plan: [a, b, gone] }, [a], "waiting"],
    ["and goes with the last wave", { plan: [b, gone], health: ofA("healthy") }, [b, gone], "synced"],
  ])("%s", (_name, world, sent, staging, reason) => {
    const given = { waves, ...world };
    const found = cycle(given);
    expect(found.sent.toSorted()).toEqual(sent.toSorted());
    expect(found.stands["shop/staging"] ?? "synced").toBe(staging);
    const { environmentStates = [], done, isApplied } = settle(given);
    const isWhole = staging === "synced";
    if (!given.applied) expect([done.has("shop/staging"), isApplied]).toEqual([isWhole, isWhole]);
    if (reason !== undefined)
      expect(environmentStates.find(({ environment }) => environment === "shop/staging")).toMatchObject({
        reason,
      });
  });
});

describe("a commit comes to an environment after another one", () => {
  const policy = rules("promote: { after: shop/staging, healthy_for: 10m }");
  const waiting = { "shop/production": "waiting" };
  test.each<[name: string, world: Partial<World>, sent: string[], stands: object, reason?: string]>([
    [
      "the other one has the commit in the same cycle",
      {},
      [a],
      waiting,
      "it follows shop/staging, which is not synced and healthy with this commit",
    ],
    [
      "it is healthy, and not for long enough",
      { plan: [inProduction], healthySince: { "shop/staging": "2026-11-23T11:50:01Z" } },
      [],
      waiting,
      "it follows shop/staging, which has to be healthy for 10m",
    ],
    [
      "it has been healthy for long enough",
      { plan: [inProduction], healthySince: { "shop/staging": "2026-11-23T11:50:00Z" } },
      [inProduction],
      {},
    ],
    [
      "drift does not wait for it",
      { plan: [inProduction], applied: "all", operator: { onDrift: "apply" } },
      [inProduction],
      {},
    ],
    [
      "an environment does not wait for itself",
      { policy: "environments: { shop/*: { promote: { after: shop/production, healthy_for: 10m } } }" },
      [inProduction],
      { "shop/staging": "waiting" },
    ],
    [
      "nobody describes the other one",
      { policy: rules("promote: { after: shop/gone, healthy_for: 10m }") },
      [a],
      waiting,
      "it follows shop/gone, which no document declares",
    ],
  ])("%s", (_name, given, sent, stands, reason) => {
    const world = { plan: both, policy, ...given };
    const found = cycle(world);
    expect([found.sent, found.stands]).toEqual([sent, stands]);
    const { environmentStates = [] } = settle(world);
    if (reason !== undefined)
      expect(environmentStates.find(({ environment }) => environment === "shop/production")).toMatchObject({
        reason,
      });
  });
});

describe("a missing value blocks its environment, and leaves the others synced", () => {
  const undoing: Partial<World> = { applied: "all", operator: { onDrift: "apply" } };
  test.each<[name: string, world: World, expected: ReturnType<typeof cycle>]>([
    [
      "a mistake that live state shows",
      { plan: both, mistaken: ["job:shop/staging/a"] },
      { sent: [inProduction], end: "blocked", stands: { "shop/staging": "blocked" } },
    ],
    [
      "a mistake in drift that is only reported",
      { plan: both, mistaken: ["job:shop/staging/a"], applied: "all" },
      { sent: [], end: "blocked", stands: { "shop/staging": "blocked", "shop/production": "drift" } },
    ],
    [
      "a mistake where nobody looks",
      { plan: both, mistaken: ["job:shop/production/a"], applied: "all", policy: rules("on_drift: off") },
      { sent: [], end: "drift", stands: { "shop/staging": "drift", "shop/production": "unwatched" } },
    ],
    [
      "a consent of a commit, which is applied in an environment as a whole or not at all",
      { plan: [...both, b], unconsented: ["job:shop/staging/a"] },
      { sent: [inProduction], end: "blocked", stands: { "shop/staging": "blocked" } },
    ],
    [
      "a consent of drift, of which the rest is undone",
      { plan: [...both, b], unconsented: ["job:shop/staging/a"], ...undoing },
      { sent: [inProduction, b], end: "blocked", stands: { "shop/staging": "blocked" } },
    ],
    [
      "documents that the operator has chosen, which are not divided",
      { plan: both, unconsented: ["job:shop/staging/a"], isTargeted: true },
      { sent: [], end: "blocked", stands: { "shop/staging": "blocked", "shop/production": "blocked" } },
    ],
    [
      "a secret that cannot be read",
      { plan: both, unreadable: ["job:shop/staging/a"] },
      { sent: [inProduction], end: "blocked", stands: { "shop/staging": "blocked" } },
    ],
    [
      "a secret that cannot be read, in drift",
      { plan: both, unreadable: ["job:shop/staging/a"], ...undoing },
      { sent: [inProduction], end: "blocked", stands: { "shop/staging": "blocked" } },
    ],
    [
      "a secret that two environments need",
      {
        plan: ["update project:shop", a, inProduction],
        needs: { [a]: "update project:shop" },
        unreadable: ["project:shop"],
      },
      { sent: [inProduction], end: "blocked", stands: { shop: "blocked", "shop/staging": "blocked" } },
    ],
    [
      "a cap that all deletions together exceed",
      { plan: [deletion, "delete job:shop/production/a", inProduction.replace("/a", "/b")], cap: 1 },
      { sent: [], end: "blocked", stands: { "shop/staging": "blocked", "shop/production": "blocked" } },
    ],
    [
      "a cap, which leaves what deletes nothing",
      { plan: [deletion, "delete job:shop/staging/b", inProduction], cap: 1 },
      { sent: [inProduction], end: "blocked", stands: { "shop/staging": "blocked" } },
    ],
    [
      "a cap does not count what has to wait",
      { plan: [deletion, "delete job:shop/production/a"], cap: 1, policy: rules("on_commit: report") },
      { sent: [deletion], end: "partly", stands: { "shop/production": "waiting" } },
    ],
    [
      "the limit of a day",
      { plan: [deletion, inProduction], day: { deleted: 10, limit: 10 } },
      { sent: [inProduction], end: "blocked", stands: { "shop/staging": "blocked" } },
    ],
    [
      "a deletion while nobody knows what was deleted in the last day",
      { plan: [deletion, inProduction], uncounted: true },
      { sent: [inProduction], end: "blocked", stands: { "shop/staging": "blocked" } },
    ],
    [
      "the limit of a day that is not reached",
      { plan: [deletion], day: { deleted: 9, limit: 10 } },
      { sent: [deletion], end: "applied", stands: {} },
    ],
    [
      "a field that somebody else sets again and again",
      { plan: [...both, b], fought: ["job:shop/staging/a"], ...undoing },
      { sent: [inProduction, b], end: "undone", stands: { "shop/staging": "drift_loop" } },
    ],
    [
      "a drift loop about all that differs",
      { plan: [a], fought: ["job:shop/staging/a"], ...undoing },
      { sent: [], end: "drift", stands: { "shop/staging": "drift_loop" } },
    ],
    [
      "a drift loop about what another environment needs",
      {
        plan: ["update project:shop", a, inProduction],
        needs: { [a]: "update project:shop" },
        fought: ["project:shop"],
        ...undoing,
      },
      { sent: [inProduction], end: "undone", stands: { shop: "drift_loop", "shop/staging": "drift_loop" } },
    ],
    [
      "a drift loop does not hold a commit",
      { plan: [a], fought: ["job:shop/staging/a"] },
      { sent: [a], end: "applied", stands: {} },
    ],
  ])("%s", (_name, world, expected) => {
    const settled = cycle(world);
    expect({ ...settled, sent: settled.sent.toSorted() }).toEqual({
      ...expected,
      sent: expected.sent.toSorted(),
    });
  });
});

describe("a failure says what became of each environment", () => {
  test.each<[name: string, world: World, expected: object]>([
    [
      "a change that fails",
      { plan: both, fails: ["job:shop/staging/a"] },
      {
        words: { type: "incomplete" },
        states: { "shop/staging": "failed", "shop/production": "synced" },
        isApplied: false,
      },
    ],
    [
      "a change that fails beside a policy that lets the commit wait",
      { plan: [...both, b], fails: ["job:shop/staging/a"], policy: rules("on_commit: report") },
      {
        words: { type: "partly", stopped: { type: "incomplete" } },
        states: { "shop/staging": "failed", "shop/production": "waiting" },
      },
    ],
    [
      "drift that cannot be undone",
      { plan: both, fails: ["job:shop/staging/a"], applied: "all", operator: { onDrift: "apply" } },
      {
        words: { type: "undone", stopped: { type: "incomplete" } },
        undone: [{ id: inProduction }],
        isApplied: true,
      },
    ],
    [
      "the server takes long",
      { plan: both, goesOn: ["job:shop/staging/a"] },
      {
        words: { type: "partly", waiting: [{ environment: "shop/staging" }] },
        states: { "shop/staging": "waiting", "shop/production": "synced" },
        isApplied: false,
      },
    ],
    [
      "the share of the quota is too small",
      { plan: both, affordable: 1 },
      {
        words: { type: "unaffordable" },
        states: { "shop/staging": "waiting", "shop/production": "waiting" },
        sent: [],
      },
    ],
    [
      "the share of the quota just suffices",
      { plan: [a], affordable: 2 },
      { states: { "shop/staging": "synced" }, sent: [a] },
    ],
    [
      "the share of the quota lacks one request",
      { plan: [a], affordable: 1 },
      { words: { type: "unaffordable" }, sent: [] },
    ],
    [
      "the share of the quota is too small for what the policy permits",
      { plan: both, affordable: 0, policy: rules("on_commit: report") },
      { words: { type: "unaffordable", stopped: { requests: 2 } }, sent: [] },
    ],
    [
      "the quota is used up",
      { plan: both, ending: "unaffordable" },
      { words: { type: "unaffordable", stopped: { requests: 7 } } },
    ],
    [
      "the branch has moved on",
      { plan: both, ending: "declined" },
      { words: { type: "overtaken" }, states: {}, done: new Set(["shop"]) },
    ],
    [
      "the service is to end",
      { plan: both, ending: "interrupted" },
      { words: { type: "interrupted" }, states: {} },
    ],
  ])("%s", (_name, world, expected) => {
    expect(settle(world)).toMatchObject(expected);
  });
});

test("being synced is remembered by environment, and for the whole once all environments are synced", () => {
  expect(settle({ plan: [] })).toMatchObject({ words: { type: "synced" }, isApplied: true, plans: 1 });
  expect(settle({ plan: both })).toMatchObject({
    isApplied: true,
    plans: 1,
    environmentStates: [{ applied: newest }, {}, {}],
  });
  const partly = settle({ plan: both, policy: rules("on_commit: report") });
  expect([partly.isApplied, [...partly.done]]).toEqual([false, ["shop", "shop/staging"]]);
  const mistaken = settle({ plan: both, mistakes: true, applied: "all" });
  expect(mistaken.isApplied).toBe(false);
  // What is off is not in step with the commit.
  expect(settle({ plan: both, policy: rules("on_commit: off") }).isApplied).toBe(false);
});

describe("in any world", () => {
  const names = [
    "job:shop/staging/a",
    "job:shop/staging/b",
    "job:shop/production/a",
    "environment:shop/production",
    "project:shop",
  ];
  const some = fc.subarray(names);
  const mode = fc.constantFrom("off" as const, "report" as const, "apply" as const);
  const worlds = fc.record({
    plan: fc
      .uniqueArray(fc.tuple(fc.constantFrom("update", "delete", "create"), fc.constantFrom(...names)), {
        selector: ([, address]) => address,
      })
      .map((all) => all.map((each) => each.join(" "))),
    policy: fc
      .tuple(mode, mode, mode, mode)
      .map(
        ([commit, drift, its, more]) =>
          `{ on_commit: ${commit}, on_drift: ${drift}, environments: { shop/production: { on_commit: ${its}, on_drift: ${more} } } }`,
      ),
    operator: fc.record({ onCommit: mode, onDrift: mode }),
    applied: fc.oneof(fc.constant("all" as const), fc.subarray(["shop", "shop/staging", "shop/production"])),
    mistaken: some,
    unconsented: some,
    unreadable: some,
    fought: some,
    cap: fc.integer({ min: 0, max: 3 }),
    mistakes: fc.boolean(),
    dropped: fc.boolean(),
    isTargeted: fc.boolean(),
    fails: some,
  });

  test("only what the policy permits is sent, and nothing that is held, capped, fought over or lacks something", () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const { sent, done, states } = settle(world);
        const { policy } = readPolicy(Buffer.from(world.policy), "policy.yaml");
        const isApplied = (name: string) => world.applied === "all" || world.applied.includes(name);
        const isDropped =
          world.dropped && !world.mistakes && world.plan.some((each) => each.startsWith("delete"));
        for (const text of sent) {
          const [, address = ""] = text.split(" ");
          const { names: itsNames, name } = environmentOf(parseAnyAddress(address));
          const rulesHere = rulesFor(itsNames, policy, world.operator, 0);
          expect(modeOf(rulesHere, !isApplied(name))).toBe("apply");
          for (const lacking of [world.mistaken, world.unconsented, world.unreadable])
            expect(lacking).not.toContain(address);
          if (isApplied(name))
            expect(text.startsWith("update") && world.fought.includes(address)).toBe(false);
          else expect([world.mistakes, isDropped]).toEqual([false, false]);
        }
        expect(sent.filter((each) => each.startsWith("delete")).length).toBeLessThanOrEqual(world.cap);
        // What counts as done has nothing left of the commit.
        for (const key of done)
          if (!isApplied(key))
            for (const failed of world.fails)
              expect(
                sent.some((each) => each.endsWith(` ${failed}`) && environmentOf(failed).name === key),
              ).toBe(false);
        expect(Object.keys(states)).toHaveLength(3);
      }),
      { numRuns: tries(500) },
    );
  });

  test("an approval of a plan is carried out at once, unless its environment says what forbids or delays it", () => {
    const seen = { done: 0, forbidden: 0, delayed: 0 };
    const waves = { "job:shop/staging/a": [1, 2], "job:shop/staging/b": [2, 2] } as const;
    const more = fc.record({
      affordable: fc.constantFrom(1, 3, Infinity),
      atWork: fc.subarray(["shop/staging", "shop/production"], { maxLength: 1 }),
      isAway: fc.boolean(),
      waves: fc.constantFrom({}, waves),
      isNeeded: fc.boolean(),
    });
    fc.assert(
      fc.property(worlds, more, (one, { isNeeded, ...other }) => {
        const [needy, needed] = ["update job:shop/staging/b", "update job:shop/production/a"] as const;
        const needs = isNeeded && one.plan.includes(needed) ? { [needy]: needed } : {};
        const world: World = { ...one, ...other, needs, unreadable: [], fails: [] };
        const first = settle(world);
        if (first.sent.length > 0) return;
        for (const { environment, plan, unapprovable, delay } of first.environmentStates ?? []) {
          if (plan === undefined) continue;
          const { sent, settled } = settle({ ...world, requested: { [environment]: "approve" } });
          const isDone = settled.some(({ isCarriedOut }) => isCarriedOut);
          const its = world.plan.filter(
            (text) => environmentOf(text.split(" ")[1] ?? "").name === environment,
          );
          const isWhole = its.length > 0 && its.every((text) => sent.includes(text));
          if (unapprovable === undefined && delay === undefined) expect(isDone).toBe(true);
          else expect(isWhole).toBe(false);
          seen[unapprovable !== undefined ? "forbidden" : delay === undefined ? "done" : "delayed"] += 1;
        }
      }),
      { numRuns: tries(500) },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(5);
  });

  test("a block of one environment changes nothing in another", () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const apart = { ...world, cap: Infinity, dropped: false, isTargeted: false };
        const inStaging = (all: readonly string[]) => all.filter((each) => each.includes("shop/staging"));
        const alone = {
          ...apart,
          plan: inStaging(apart.plan),
          mistaken: inStaging(apart.mistaken),
          unconsented: inStaging(apart.unconsented),
          unreadable: inStaging(apart.unreadable),
          fought: inStaging(apart.fought),
        };
        expect(inStaging(settle(apart).sent).toSorted()).toEqual(settle(alone).sent.toSorted());
      }),
      { numRuns: tries(300) },
    );
  });
});
