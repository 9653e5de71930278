import type { Static } from "typebox";
import type { Budget, Client } from "../../api/index.ts";
import type { budgetForm } from "./forms.ts";
import { inForm } from "./members.ts";

export function encodeBudget(budget: Budget): Static<typeof budgetForm> {
  const { resetAt, isResetSenseless, spenders, ...others } = budget;
  return {
    ...inForm(others),
    ...(resetAt && { resets_at: resetAt.toISOString() }),
    ...(spenders && {
      spenders: spenders.map(({ who, requests }) => ({ ...(who !== undefined && { who }), requests })),
    }),
    ...(isResetSenseless && { reset_is_senseless: true as const }),
  };
}

/** Whose requests and quota a document tells. */
export type SpendingClient = Pick<Client, "spent" | "budget">;

/** The last members of a document: what the run has sent, and the quota after it. */
export function spendingOf({ spent, budget }: SpendingClient) {
  return { requests: spent.total, budget: encodeBudget(budget) };
}
