import type { Desired } from "../desired.ts";
import { type Organization, unknownOrganization } from "../organization.ts";
import { type Goal, type Plan, planPass, type Policy } from "../plan/index.ts";
import type { OperationContext } from "../steps/index.ts";

/**
 * Makes a plan: asks the planner what it needs, reads what of that is not known, a level at a time and each level in
 * parallel, and starts the planner again until it needs nothing. Where nothing is known, a no-op plan of E
 * environments in P projects reads E + P + 1 lists.
 */
export async function makePlan(
  { client, live }: Pick<OperationContext, "client" | "live">,
  organization: Organization,
  goal: Goal,
  resources: readonly Desired[],
  policy: Policy,
): Promise<Plan> {
  live.forgetStatuses();
  for (;;) {
    const { actions, problems, notes, needs } = planPass(
      goal,
      resources,
      { organization, ...live.known() },
      policy,
    );
    if (!needs) {
      return { goal, organization, actions, problems, notes, spent: client.spent.total };
    }
    const isThere = await live.read(client, organization.id, needs);
    if (!isThere) throw unknownOrganization(organization);
  }
}
