import { concerns } from "../../planning/concerns/index.ts";
import {
  type DeploymentOrder,
  type OrderOptions,
  type OrderOutcome,
  requestsOf,
} from "../../deployments/index.ts";
import { carryOut } from "../../deployments/writes.ts";
import type { Run } from "../../operations/index.ts";
import type { Organization } from "../../state/organization.ts";
import {
  defaultPolicy,
  forbidden,
  type Operation,
  type Policy,
  startPlanning,
} from "../../planning/plan/index.ts";
import { type ApprovedPlan, takeApproved } from "./approve.ts";
import { type Proposal, proposalOf } from "./propose.ts";

/** Proposes to deploy, stop, restart or cancel live services, whose lists are known. Sends nothing. */
export function proposeOperation(
  { client, live }: Pick<Run, "client" | "live">,
  organization: Organization,
  { orders, chosenBy }: Pick<Operation, "orders" | "chosenBy">,
  rules: Pick<Policy, "protect" | "protectedElsewhere" | "policies" | "before">,
): Proposal {
  const { serverTime: now } = client;
  const planning = startPlanning(
    [],
    { organization, now, ...live.known() },
    { ...defaultPolicy, ...rules },
    concerns,
  );
  // One request reads the statuses before each.
  const requests = orders.reduce((sum, order) => sum + 1 + requestsOf(order).length, 0);
  const actions: [] = [];
  const operation = { orders, chosenBy, requests };
  const whole = {
    planning,
    goal: "reconcile" as const,
    actions,
    lostResources: [],
    ...(orders.length > 0 && { operation }),
  };
  const problems = forbidden(whole);
  const { notes } = planning.findings;
  const spent = client.spent.total;
  return proposalOf({
    goal: whole.goal,
    organization,
    actions,
    problems,
    notes,
    at: now,
    spent,
    whole: () => whole,
  });
}

/** Executes approved orders, independently. Never throws for a failed order: its outcome has the error. */
export async function operate(
  approved: ApprovedPlan,
  run: Run,
  options: OrderOptions,
): Promise<OrderOutcome[]> {
  const orders: readonly DeploymentOrder[] = takeApproved(approved).whole?.().operation?.orders ?? [];
  return carryOut(run, orders, options);
}
