import type { Desired } from "../../core/manifest/desired.ts";
import type { Goal, Plan, Policy } from "../../core/plan/index.ts";
import { defaultCaps } from "../../core/plan/policy.ts";
import { makePlan } from "../../core/run/index.ts";
import { InvalidInputError, type Problem } from "../../core/problem.ts";
import type { PlanFlags } from "../flags.ts";
import type { Session } from "./session.ts";
import type { StatedSettings } from "../settings/index.ts";
import { readPattern } from "../settings/patterns.ts";

/** The resources and the policy of a plan. */
export interface Wanted {
  resources: readonly Desired[];
  policy: Policy;
}

/** The policy of a plan, from flags and settings. Adds wrong patterns to `problems`. */
export function policyOf(
  flags: PlanFlags,
  { protect, maxDeletes, strict }: StatedSettings,
  problems: Problem[],
): Policy {
  const read = (patterns: readonly string[] = []) =>
    patterns.flatMap((pattern) => readPattern(pattern, problems));
  return {
    targets: read(flags.target),
    prune: flags.prune ?? false,
    allowReplace: read(flags.allowReplace),
    rotateSecrets: read(flags.rotateSecrets),
    protect,
    caps: { ...defaultCaps, ...maxDeletes },
    strict,
    deploy: flags.deploy ?? false,
  };
}

/**
 * Makes a plan. Missing consents stay in the plan as problems; problems that make planning impossible are thrown.
 *
 * @throws InvalidInputError
 */
export async function planWanted(
  goal: Goal,
  { resources, policy }: Wanted,
  { operations, organization }: Session,
): Promise<Plan> {
  const plan = await makePlan(operations, organization, goal, resources, policy);
  if (plan.problems.some(({ blocks }) => blocks === undefined)) throw new InvalidInputError(plan.problems);
  return plan;
}
