import type { Desired } from "../manifest/desired.ts";
import { Answers } from "./answers.ts";
import { Expectations } from "./expectations.ts";
import { Findings } from "./findings.ts";
import type { LiveState } from "./given.ts";
import { type Inventory, takeInventory } from "./inventory.ts";
import type { Policy } from "./policy.ts";

/** The state of one pass of planning: its inputs, the expected resources, and the findings. */
export interface Planning {
  readonly resources: readonly Desired[];
  readonly live: LiveState;
  readonly policy: Policy;
  /** The live resources, each with all its names. */
  readonly inventory: Inventory;
  readonly expectations: Expectations;
  readonly findings: Findings;
  readonly answers: Answers;
}

export function startPlanning(resources: readonly Desired[], live: LiveState, policy: Policy): Planning {
  const findings = new Findings();
  return {
    resources,
    live,
    policy,
    inventory: takeInventory(live, resources),
    expectations: new Expectations(live, findings),
    findings,
    answers: new Answers(live),
  };
}
