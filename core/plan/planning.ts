import type { Desired } from "../desired.ts";
import { resolveReferences } from "../fields/references.ts";
import type { Fields } from "../json.ts";
import { Answers } from "./answers.ts";
import { Expectations } from "./expectations.ts";
import { Findings, Unplannable } from "./findings.ts";
import type { LiveState } from "./given.ts";
import { type Inventory, takeInventory } from "./inventory.ts";
import type { Policy } from "./policy.ts";

/** What one pass of planning works with: what it is given, what it expects, and what it finds out. */
export interface Planning {
  readonly resources: readonly Desired[];
  readonly live: LiveState;
  readonly policy: Policy;
  /** What is live, with all that it is called. */
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

/** Stated fields with their references looked up. @throws Unplannable where that cannot be done yet, or not at all */
export function resolve(
  { live, findings }: Planning,
  desired: Desired,
  stated: Fields,
  current: Fields | undefined,
): Fields {
  const { fields, missing, problems } = resolveReferences(
    desired.address.kind.fields,
    stated,
    current,
    live.catalogues,
  );
  findings.needCatalogues(missing);
  for (const { path, message, advice } of problems)
    findings.report("reference", desired, path, message, advice);
  if (missing.length + problems.length > 0) throw new Unplannable();
  return fields;
}
