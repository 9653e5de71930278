import { digestOfActions } from "../../core/outputs/forms/digest.ts";
import { type Action, isChange, type Plan } from "../../core/planning/plan/index.ts";
import { consentedTo, type Proposal, withProblems } from "../../core/execution/session/index.ts";
import type { Problem } from "../../core/problems/problem.ts";
import { holderOf, type ShareView } from "./view.ts";

/** A proposal, and the shares whose changes a person has approved exactly. */
export interface ApprovedProposal extends Proposal {
  approved: ReadonlySet<ShareView>;
}

export function changesIn(
  share: ShareView,
  shares: readonly ShareView[],
  { actions }: Pick<Plan, "actions">,
): Action[] {
  return actions.filter(isChange).filter(({ address }) => holderOf(shares, address) === share);
}

/** The digest of the changes and losses of a plan in a share, which an approval names. */
export function digestIn(plan: Plan, actions: readonly Action[]): string {
  return digestOfActions({ ...plan, actions });
}

/** A proposal with the approvals of people: only here are they matched with a plan. @param limits further problems that forbid it */
export function withApprovals(
  proposal: Proposal,
  shares: readonly ShareView[],
  limits: readonly Problem[],
): ApprovedProposal {
  const approved = new Set<ShareView>();
  let consented = proposal;
  for (const share of shares) {
    const { requested } = share;
    if (requested?.type !== "approve") continue;
    const given = consentedTo(consented, changesIn(share, shares, proposal.plan), requested.plan);
    if (!given) continue;
    consented = given;
    approved.add(share);
  }
  return { ...withProblems(consented, limits), approved };
}
