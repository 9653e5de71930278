import { actionTypes, allActionTypes, countActions, isChange, type Plan } from "../../core/plan/index.ts";

/** What a plan has done: `2 created, 1 updated`. */
export function countsOf(plan: Plan): string {
  const counts = countActions(plan.actions);
  return allActionTypes
    .filter((type) => isChange({ type }) && counts[type] > 0)
    .map((type) => `${counts[type]} ${actionTypes[type].past}`)
    .join(", ");
}
