import { expect, test } from "vitest";
import type { CycleEnd } from "../../../reconciler/decide/index.ts";
import { CommitStatuses } from "../../../reconciler/notify/commit-statuses.ts";
import { github } from "../../../adapters/forge/github.ts";
import { tell } from "../../../reconciler/show/telling.ts";
import { forgeToken, repository, startGitHub } from "../../fixtures/forges/server.ts";
import { quickClock } from "../../fixtures/quick-clock.ts";

const commit = "a".repeat(40);
const end = (given: object, of = commit): CycleEnd =>
  ({ commit: of, spent: 1, resources: 3, changes: [], outcomes: [], problems: [], ...given }) as never;

async function start() {
  const forge = await startGitHub();
  const warnings: object[] = [];
  const make = () =>
    new CommitStatuses({
      forge: () =>
        Promise.resolve(
          github.connect(repository, {
            apiUrl: forge.url,
            token: forgeToken,
            environment: {},
            clock: quickClock(),
            longestWait: 0,
          }),
        ),
      log: { warn: (fields) => void warnings.push(fields) },
    });
  const statuses = (of = commit) =>
    (forge.statuses.get(of) ?? []).map(({ context, state, description }) => [context, state, description]);
  return { forge, make, warnings, statuses };
}

const ended = (teller: CommitStatuses, cycle: CycleEnd) =>
  teller.ended(
    cycle,
    tell(cycle, ({ message }) => message),
  );

test("the newest commit gets a status with one sentence, on transitions only", async () => {
  const { forge, make, statuses } = await start();
  const teller = make();
  for (let cycle = 0; cycle < 5; cycle += 1) await ended(teller, end({ type: "in_step" }));
  expect(statuses()).toEqual([["infrasync/reconcile", "success", "In step."]]);
  // Drift is not the fault of the commit.
  await ended(teller, end({ type: "drift" }));
  expect(forge.writes()).toHaveLength(1);
  await ended(teller, end({ type: "blocked" }));
  await ended(teller, end({ type: "blocked" }));
  expect(statuses()[0]).toEqual([
    "infrasync/reconcile",
    "failure",
    "A part of the commit is not applied: it is impossible, or a consent is missing.",
  ]);
  await ended(teller, end({ type: "partly", waiting: { "shop/production": "suspended" } }));
  expect(statuses()[0]?.[1]).toBe("pending");
  expect(forge.writes()).toHaveLength(3);
  const ill = [
    {
      address: "container:shop/staging/api",
      health: "failed",
      lines: ["image not found"],
      said: "image not found",
    },
  ];
  await ended(teller, end({ type: "in_step", environments: [{ health: ill, changes: [] }] }));
  expect(statuses()[0]).toEqual([
    "infrasync/reconcile",
    "failure",
    "The commit is applied; api failed: image not found.",
  ]);
  const next = "b".repeat(40);
  await ended(teller, end({ type: "invalid" }, next));
  expect(statuses(next)).toMatchObject([
    ["infrasync/reconcile", "failure", expect.stringContaining("mistakes")],
  ]);
});

test("a commit that a person has rolled back in an environment is no success", async () => {
  const { make, statuses } = await start();
  const rolledBack = {
    commit: "c".repeat(40),
    by: { id: "user:anna", name: "anna" },
    at: "2026-12-01T08:00:00.000Z",
  };
  const environment = { environment: "shop/production", health: [], changes: [], rolledBack };
  await ended(make(), end({ type: "in_step", environments: [environment] }));
  expect(statuses()).toEqual([
    [
      "infrasync/reconcile",
      "failure",
      "In step, but for 1 environment; shop/production is rolled back to ccccccc at 2026-12-01T08:00:00.000Z by anna.",
    ],
  ]);
});

test("a commit status is pending while an environment is not read", async () => {
  const { make, statuses } = await start();
  await ended(make(), end({ type: "in_step", unread: 1, environments: [{ state: "unread", health: [] }] }));
  expect(statuses()).toMatchObject([["infrasync/reconcile", "pending", expect.any(String)]]);
});

test("a commit that waits and is overtaken gets the state of the one that has taken its place", async () => {
  const { forge, make, statuses } = await start();
  const teller = make();
  const waits = { type: "partly", waiting: { "shop/production": "suspended" } };
  const [next, last] = ["b".repeat(40), "c".repeat(40)];
  await ended(teller, end(waits));
  await ended(teller, end(waits, next));
  // While that one waits too, nothing is known of the first.
  expect(statuses()).toHaveLength(1);
  await ended(teller, end({ type: "in_step" }, last));
  const overtaken = ["infrasync/reconcile", "success", "Commit ccccccc has taken its place. In step."];
  expect([statuses()[0], statuses(next)[0]]).toEqual([overtaken, overtaken]);
  expect(statuses(last)).toMatchObject([["infrasync/reconcile", "success", "In step."]]);
  const told = forge.writes().length;
  await ended(teller, end({ type: "blocked" }, last));
  expect(forge.writes()).toHaveLength(told + 1);
});

test("what the forge refuses of an overtaken commit is tried again, and nothing else", async () => {
  const { forge, make, statuses } = await start();
  const teller = make();
  const next = "b".repeat(40);
  await ended(teller, end({ type: "unaffordable" }));
  forge.faults.push({ match: /^POST .*aaaa/, status: 403, body: { message: "Resource not accessible" } });
  for (let cycle = 0; cycle < 3; cycle += 1) await ended(teller, end({ type: "in_step" }, next));
  expect(statuses().map(([, state]) => state)).toEqual(["success", "pending"]);
  expect(statuses(next)).toHaveLength(1);
});

test("after a restart nothing is told again", async () => {
  const { forge, make } = await start();
  await ended(make(), end({ type: "in_step" }));
  await ended(make(), end({ type: "in_step" }));
  expect(forge.writes()).toHaveLength(1);
});

test("a cycle without a finding sets no status", async () => {
  const { forge, make } = await start();
  const teller = make();
  await ended(teller, end({ type: "overtaken" }));
  await ended(teller, end({ type: "interrupted" }));
  await teller.failed();
  expect(forge.requests).toEqual([]);
});

test("a forge that refuses stops nothing, is told once, and is tried again", async () => {
  const { forge, make, warnings, statuses } = await start();
  const teller = make();
  forge.faults.push(
    ...[1, 2].map(() => ({ match: /^POST/, status: 403, body: { message: "Resource not accessible" } })),
  );
  await ended(teller, end({ type: "in_step" }));
  await ended(teller, end({ type: "in_step" }));
  expect(warnings).toEqual([
    { commit, reason: expect.stringContaining("cannot be set: GitHub answers 403") },
  ]);
  await ended(teller, end({ type: "in_step" }));
  expect(statuses()).toHaveLength(1);
});
