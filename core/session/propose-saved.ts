import { hasChanges, type PolicyInForce } from "../plan/index.ts";
import type { SavedPlan } from "../forms/saved-plan/file.ts";
import { scopeOf, staleProblems } from "../forms/saved-plan/stale.ts";
import type { Run } from "../operations/index.ts";
import { propose, type Proposal, proposalOf, withProblems } from "./propose.ts";

/**
 * Plans the inputs of a saved plan again, limited to the resources that it changes, and proposes the new plan. If the new
 * plan does anything else than the saved one, or to resources whose state has changed, its problems say so. Every rule is
 * checked again, with the present protections, policies and caps.
 */
export async function proposeSaved(
  run: Pick<Run, "client" | "live">,
  saved: SavedPlan,
  { protect, policies = [], caps, ownToken }: PolicyInForce,
): Promise<Proposal> {
  const { plan: before, resources, policy } = saved;
  if (!hasChanges(before)) return proposalOf(before);
  const { goal, organization, at } = before;
  const inForce = { protect, policies, caps, ...(ownToken !== undefined && { ownToken }) };
  const whole = { ...policy, ...inForce, scope: scopeOf(before) };
  const proposal = await propose(run, organization, goal, resources, whole, at);
  return withProblems(proposal, staleProblems(saved, proposal.plan, run.live.known()));
}
