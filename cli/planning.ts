import type { Desired } from "../core/desired.ts";
import { parsePattern } from "../core/pattern.ts";
import type { Goal, Plan, Policy } from "../core/plan/index.ts";
import { makePlan } from "../core/planning.ts";
import { InvalidInputError } from "../core/problem.ts";
import type { PlanFlags } from "./flags.ts";
import type { Session } from "./session.ts";
import type { LocalSettings } from "./settings/index.ts";

/** What a plan may do, from flags and settings. */
function policyOf(flags: PlanFlags, { protect, caps, strict }: LocalSettings): Policy {
  return {
    targets: (flags.target ?? []).map(parsePattern),
    prune: flags.prune ?? false,
    allowReplace: (flags.allowReplace ?? []).map(parsePattern),
    protect,
    caps,
    strict,
  };
}

/**
 * Makes a plan. Missing consents are left in it; what makes a plan impossible is thrown.
 *
 * @throws InvalidInputError
 */
export async function planFor(
  goal: Goal,
  resources: readonly Desired[],
  session: Session,
  flags: PlanFlags,
  settings: LocalSettings,
): Promise<Plan> {
  const plan = await makePlan(
    session.client,
    session.organization,
    goal,
    resources,
    policyOf(flags, settings),
  );
  if (plan.problems.some(({ blocks }) => blocks === undefined)) throw new InvalidInputError(plan.problems);
  return plan;
}
