import { expect, test } from "vitest";
import pino from "pino";
import { type CycleResult, Journal } from "../../../reconciler/journal/index.ts";
import { CommitStatuses } from "../../../reconciler/notify/commit-statuses.ts";
import { github } from "../../../adapters/forge/github.ts";
import { endWith, environmentState } from "../show/page-fixture.ts";
import type { EnvironmentState } from "../../../reconciler/decide/environment-state.ts";
import { gitHostToken, repository, startGitHub } from "../../fixtures/forges/server.ts";
import { quickClock } from "../../fixtures/quick-clock.ts";

const commit = "a".repeat(40);
const end = (
  state: EnvironmentState["state"],
  more: Partial<EnvironmentState> = {},
  of = commit,
): CycleResult => ({ ...endWith(environmentState("shop/staging", state, more)), commit: of });
const problem = { code: "replacement" as const, message: "it must be replaced" };

async function start() {
  const forge = await startGitHub();
  const warnings: object[] = [];
  const make = () => {
    const journal = new Journal({
      clock: quickClock(),
      log: pino({ enabled: false }),
      describe: ({ message }) => message,
    });
    const made = new CommitStatuses({
      forge: () =>
        Promise.resolve(
          github.connect(repository, {
            apiUrl: forge.url,
            token: gitHostToken,
            environment: {},
            clock: quickClock(),
            longestWait: 0,
          }),
        ),
      log: { warn: (fields) => void warnings.push(fields) },
      journal,
    });
    return { ended: async (cycle: CycleResult) => journal.ended(cycle).then(() => made.ended()) };
  };
  const statuses = (of = commit) =>
    (forge.statuses.get(of) ?? []).map(({ context, state, description }) => [context, state, description]);
  return { forge, make, warnings, statuses };
}

const ended = (statuses: { ended(cycle: CycleResult): Promise<void> }, cycle: CycleResult) =>
  statuses.ended(cycle);

test("the newest commit gets a status with one sentence, on transitions only", async () => {
  const { forge, make, statuses } = await start();
  const teller = make();
  for (let cycle = 0; cycle < 5; cycle += 1) await ended(teller, end("synced"));
  expect(statuses()).toEqual([["infrasync/reconcile", "success", "The commit is applied in 1 environment."]]);
  // Drift is not the fault of the commit.
  await ended(teller, end("drift"));
  expect(forge.writes()).toHaveLength(1);
  await ended(teller, end("blocked", { problems: [problem] }));
  await ended(teller, end("blocked", { problems: [problem] }));
  expect(statuses()[0]).toEqual([
    "infrasync/reconcile",
    "failure",
    "shop/staging is blocked; it must be replaced.",
  ]);
  await ended(teller, end("waiting", { reason: "suspended" }));
  expect(statuses()[0]?.[1]).toBe("pending");
  expect(forge.writes()).toHaveLength(3);
  const address = "container:shop/staging/api";
  const health = [
    { address, health: "failed" as const, lines: ["image not found"], said: "image not found" },
  ];
  await ended(teller, end("unhealthy", { health }));
  expect(statuses()[0]).toEqual([
    "infrasync/reconcile",
    "failure",
    "shop/staging is unhealthy; api failed: image not found.",
  ]);
  const next = "b".repeat(40);
  await ended(teller, { ...end("synced", {}, next), mistakes: [problem] });
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
  await ended(make(), end("rolled_back", { rolledBack }));
  expect(statuses()).toEqual([
    [
      "infrasync/reconcile",
      "failure",
      "shop/staging is rolled back to ccccccc at 2026-12-01T08:00:00.000Z by anna.",
    ],
  ]);
});

test("a commit status is pending while an environment is not read", async () => {
  const { make, statuses } = await start();
  await ended(make(), end("unread"));
  expect(statuses()).toMatchObject([["infrasync/reconcile", "pending", expect.any(String)]]);
});

test("a commit that waits and is overtaken gets the state of the one that has taken its place", async () => {
  const { forge, make, statuses } = await start();
  const teller = make();
  const [next, last] = ["b".repeat(40), "c".repeat(40)];
  await ended(teller, end("waiting"));
  await ended(teller, end("waiting", {}, next));
  // While that one waits too, nothing is known of the first.
  expect(statuses()).toHaveLength(1);
  await ended(teller, end("synced", {}, last));
  const overtaken = [
    "infrasync/reconcile",
    "success",
    "Commit ccccccc is newer. The commit is applied in 1 environment.",
  ];
  expect([statuses()[0], statuses(next)[0]]).toEqual([overtaken, overtaken]);
  expect(statuses(last)).toMatchObject([
    ["infrasync/reconcile", "success", "The commit is applied in 1 environment."],
  ]);
  const reported = forge.writes().length;
  await ended(teller, end("blocked", {}, last));
  expect(forge.writes()).toHaveLength(reported + 1);
});

test("what the Git host refuses of an overtaken commit is tried again, and nothing else", async () => {
  const { forge, make, statuses } = await start();
  const teller = make();
  const next = "b".repeat(40);
  await ended(teller, end("waiting"));
  forge.faults.push({ match: /^POST .*aaaa/, status: 403, body: { message: "Resource not accessible" } });
  for (let cycle = 0; cycle < 3; cycle += 1) await ended(teller, end("synced", {}, next));
  expect(statuses().map(([, state]) => state)).toEqual(["success", "pending"]);
  expect(statuses(next)).toHaveLength(1);
});

test("after a restart nothing is told again", async () => {
  const { forge, make } = await start();
  await ended(make(), end("synced"));
  await ended(make(), end("synced"));
  expect(forge.writes()).toHaveLength(1);
});

test("a cycle without a finding sets no status", async () => {
  const { forge, make } = await start();
  const teller = make();
  for (const type of ["overtaken", "interrupted"] as const)
    await ended(teller, { commit, mistakes: [], spent: 1, stopped: { type } });
  expect(forge.requests).toEqual([]);
});

test("a Git host that refuses stops nothing, is told once, and is tried again", async () => {
  const { forge, make, warnings, statuses } = await start();
  const teller = make();
  forge.faults.push(
    ...[1, 2].map(() => ({ match: /^POST/, status: 403, body: { message: "Resource not accessible" } })),
  );
  await ended(teller, end("synced"));
  await ended(teller, end("synced"));
  expect(warnings).toEqual([
    { commit, reason: expect.stringContaining("cannot be set: GitHub answers 403") },
  ]);
  await ended(teller, end("synced"));
  expect(statuses()).toHaveLength(1);
});
