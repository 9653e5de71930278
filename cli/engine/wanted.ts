import type { Desired } from "../../core/desired.ts";
import type { Goal, Plan, Policy } from "../../core/plan/index.ts";
import { defaultCaps } from "../../core/plan/policy.ts";
import { makePlan } from "../../core/run/index.ts";
import { InvalidInputError, type Problem } from "../../core/problem.ts";
import type { PlanFlags } from "../flags.ts";
import type { Session } from "./session.ts";
import type { StatedSettings } from "../settings/index.ts";
import { readPattern } from "../settings/patterns.ts";

/** What a plan is made from. */
export interface Wanted {
  resources: readonly Desired[];
  policy: Policy;
}

/** What a plan may do, from flags and settings. Patterns that are wrong are among the problems then. */
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
    protect,
    caps: { ...defaultCaps, ...maxDeletes },
    strict,
  };
}

/**
 * Makes a plan. Missing consents are left in it; what makes a plan impossible is thrown.
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
