import { expect, test } from "vitest";
import type { Outcome } from "../../../core/execution/execute/index.ts";
import { isPassing, environmentStateOf } from "../../../reconciler/decide/environment-state.ts";
import type { Verdict } from "../../../reconciler/decide/verdict.ts";
import { whileAtWork } from "../../../reconciler/policy/index.ts";

test.each([
  ["waiting", whileAtWork, true],
  ["waiting", "the next cycle applies it", true],
  ["waiting", "a person has to approve it", false],
  ["waiting", undefined, false],
  ["drift", whileAtWork, false],
] as const)("whether an environment waits for nobody: %s, %s", (state, reason, passes) => {
  expect(isPassing({ state, reason })).toBe(passes);
});

const address = (name: string) => ({ kind: "job", names: ["shop", "staging", name] });
const deployed = {
  type: "deploy",
  address: address("a"),
  status: "done",
  goesOn: true,
} as unknown as Outcome;
const failed = { type: "update", address: address("b"), status: "failed" } as unknown as Outcome;

/** What follows for an environment from a commit, or from drift. */
const verdict = (isCommit: boolean, does: Verdict["does"]) =>
  ({
    environment: { name: "shop/staging", health: [], rules: {} },
    does,
    isCommit,
    actions: [],
    left: new Set(),
    problems: [],
    driftLoops: [],
  }) as unknown as Verdict;

test.each([
  ["the worse", "report", [deployed, failed], "failed"],
  ["the other", "block", [deployed], "blocked"],
] as const)(
  "deployments that one part of a cycle has begun are told whichever part stands worse: %s",
  (_part, onDrift, outcomes, state) => {
    const commit = verdict(true, "apply");
    const environmentState = environmentStateOf(
      [commit, verdict(false, onDrift)],
      (each) => ({ goesOn: false, ...(each === commit && { outcomes }) }),
      undefined,
      undefined,
      () => undefined,
    );
    expect(environmentState).toMatchObject({ state, health: [{ health: "deploying" }] });
  },
);
