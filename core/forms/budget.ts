import type { Static } from "typebox";
import type { Budget } from "../api/index.ts";
import type { budgetForm, NoOthers } from "./forms.ts";

export type BudgetForm = Static<typeof budgetForm>;

/** The rest of the quota in its JSON form. */
export function encodeBudget(budget: Budget): BudgetForm {
  const { limit, remaining, resetAt, isResetSenseless, ...others } = budget;
  return {
    ...(limit !== undefined && { limit }),
    ...(remaining !== undefined && { remaining }),
    ...(resetAt && { resets_at: resetAt.toISOString() }),
    ...(isResetSenseless && { reset_is_senseless: true as const }),
    ...(others satisfies NoOthers),
  };
}
