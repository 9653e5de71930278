import type { Desired } from "../manifest/index.ts";
import type { Organization } from "../organization.ts";
import {
  type Cost,
  costOf,
  type Goal,
  type Plan,
  type Policy,
  type PolicyInForce,
  recheckSafety,
  recheckShares,
} from "../plan/index.ts";
import type { InvalidInputError, Problem } from "../problem.ts";
import { staleProblems } from "../saved-plan/stale.ts";
import { unseenProblems } from "../saved-plan/unseen.ts";
import type { OperationContext } from "../steps/index.ts";
import { withConsents } from "./consents.ts";
import { makePlan } from "./plan.ts";

/** Why nothing is sent: the code of the error, and everything that was found. */
export interface Refusal {
  code: InvalidInputError["code"];
  problems: readonly Problem[];
}

/** A plan and what forbids it, which its problems say. Nothing has been sent but reads. */
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
  return proposalOf(withConsents(await makePlan(run, organization, goal, resources, policy), resources));
}

/**
 * Reads what a saved plan changes, and proposes the plan as it is. What it deletes is compared with the protections and
 * the caps that hold now: they may be stricter than those that held when the plan was made.
 */
export async function proposeSaved(
  run: Pick<OperationContext, "client" | "live">,
  plan: Plan,
  policy: PolicyInForce,
): Promise<Proposal> {
  const problems = [...plan.problems, ...recheckSafety(plan, policy)];
  if (problems.length > 0) return proposalOf({ ...plan, problems });
  const changed = await staleProblems(run, plan);
  const stale = changed.length > 0 ? changed : await unseenProblems(run, plan);
  if (stale.length > 0) return proposalOf({ ...plan, problems: stale });
  const { contents } = run.live.known();
  return proposalOf({ ...plan, problems: recheckShares(plan, policy, (id) => contents.get(id)) });
}

/** What a plan proposes, and what its problems forbid. */
export function proposalOf(plan: Plan): Proposal {
  const { problems } = plan;
  const missingConsents = problems.filter(({ blocks }) => blocks === "apply");
  const proposal = { plan, missingConsents, cost: costOf(plan) };
  if (missingConsents.length === problems.length) return proposal;
  const isStale = problems.some(({ code }) => code === "stale");
  return { ...proposal, refusal: { code: isStale ? "stale_plan" : "invalid_input", problems } };
}

/** A proposal with more that forbids it. */
export function withProblems({ plan }: Proposal, problems: readonly Problem[]): Proposal {
  return proposalOf({ ...plan, problems: [...plan.problems, ...problems] });
}
