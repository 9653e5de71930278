import { digestOfActions } from "../../core/outputs/forms/digest.ts";
import { type Action, isChange, type Plan } from "../../core/planning/plan/index.ts";
import { consentedTo, type Proposal, withProblems } from "../../core/execution/session/index.ts";
import type { Problem } from "../../core/problems/problem.ts";
import { namesPlan } from "../requests/index.ts";
import { holderOf, type EnvironmentView } from "./view.ts";

/** A proposal, and the environments whose changes a person has approved exactly. */
export interface ApprovedProposal extends Proposal {
  approved: ReadonlySet<EnvironmentView>;
}

export function changesIn(
  environment: EnvironmentView,
  environments: readonly EnvironmentView[],
  { actions }: Pick<Plan, "actions">,
): Action[] {
  return actions.filter(isChange).filter(({ address }) => holderOf(environments, address) === environment);
}

/** The digest of the changes and losses of a plan in an environment, which an approval names. */
export function digestIn(plan: Plan, actions: readonly Action[]): string {
  return digestOfActions({ ...plan, actions });
}

/** A proposal with the approvals of people: only here are they matched with a plan. @param limits further problems that forbid it */
export function withApprovals(
  proposal: Proposal,
  environments: readonly EnvironmentView[],
  limits: readonly Problem[],
): ApprovedProposal {
  const approved = new Set<EnvironmentView>();
  let consented = proposal;
  for (const environment of environments) {
    const { requested } = environment;
    if (requested?.type !== "approve") continue;
    const actions = changesIn(environment, environments, proposal.plan);
    if (!namesPlan(requested.plan, digestIn(proposal.plan, actions))) continue;
    consented = consentedTo(consented, actions);
    approved.add(environment);
  }
  return { ...withProblems(consented, limits), approved };
}
