import type { Desired } from "../manifest/desired.ts";
import { resolveReferences } from "../fields/references.ts";
import type { Fields } from "../json.ts";
import { resolveDefaults } from "../parts/index.ts";
import { Answers } from "./answers.ts";
import { Expectations } from "./expectations.ts";
import { attempt, Findings, Unplannable } from "./findings.ts";
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

/**
 * Stated fields with their references looked up, and with the defaults that the API gives in place of null.
 *
 * @throws Unplannable where a reference or a default cannot be looked up, or not yet
 */
export function resolve(
  { live, findings, expectations }: Planning,
  desired: Desired,
  stated: Fields,
  current: Fields | undefined,
): Fields {
  const { kind } = desired.address;
  const { fields, missing, problems } = resolveReferences(kind.fields, stated, current, (catalogue) =>
    attempt(() => expectations.entriesOf(catalogue)),
  );
  const complete = resolveDefaults(kind, fields, live.defaults);
  for (const listing of complete.missing) findings.needDefaults(listing);
  for (const { path, message, advice } of problems)
    findings.report("reference", desired, path, message, advice);
  for (const { path, message, advice } of complete.problems)
    findings.report("invalid", desired, path, message, advice);
  const isFound = [missing, problems, complete.missing, complete.problems].every(
    ({ length }) => length === 0,
  );
  if (!isFound) throw new Unplannable();
  return kind.simplify?.(complete.fields) ?? complete.fields;
}
