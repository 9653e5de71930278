import type { Desired } from "../manifest/index.ts";
import type { Organization } from "../organization.ts";
import { type Cost, costOf, type Goal, type Plan, type Policy } from "../plan/index.ts";
import type { InvalidInputError, Problem } from "../problem.ts";
import { staleProblems } from "../saved-plan/index.ts";
import type { OperationContext } from "../steps/index.ts";
import { makePlan } from "./plan.ts";

/** Why nothing is sent: the code of the error, and everything that was found. */
export interface Refusal {
  code: InvalidInputError["code"];
  problems: readonly Problem[];
}

/** A plan and what forbids it. Nothing has been sent but reads. */
export interface Proposal {
  plan: Plan;
  /** Why the plan cannot be carried out at all: a mistake that live state shows, or a stale plan. */
  refusal?: Refusal;
  /** The consents that the plan lacks. */
  missingConsents: readonly Problem[];
  cost: Cost;
}

/** Reads live state and proposes a plan. */
export async function propose(
  run: Pick<OperationContext, "client" | "live">,
  organization: Organization,
  goal: Goal,
  resources: readonly Desired[],
  policy: Policy,
): Promise<Proposal> {
  const plan = await makePlan(run, organization, goal, resources, policy);
  const isPossible = plan.problems.every(({ blocks }) => blocks === "apply");
  return isPossible
    ? proposalOf(plan)
    : { ...proposalOf(plan), refusal: { code: "invalid_input", problems: plan.problems } };
}

/** Reads what a saved plan changes, and proposes the plan as it is. */
export async function proposeSaved(
  run: Pick<OperationContext, "client" | "live">,
  plan: Plan,
): Promise<Proposal> {
  const stale = plan.problems.length > 0 ? [] : await staleProblems(run, plan);
  return stale.length === 0
    ? proposalOf(plan)
    : { ...proposalOf(plan), refusal: { code: "stale_plan", problems: stale } };
}

function proposalOf(plan: Plan): Proposal {
  const missingConsents = plan.problems.filter(({ blocks }) => blocks === "apply");
  return { plan, missingConsents, cost: costOf(plan) };
}
