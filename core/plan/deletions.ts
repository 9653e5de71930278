import type { Plan } from "./action.ts";
import { isCounted, lossesOf, titleOf } from "./caused-losses.ts";

/** What a plan deletes or replaces, as the caps count it: `job:shop/staging/a`; `by`: the id of the action. */
export function deletionsOf({ actions }: Pick<Plan, "actions">): { title: string; by: string }[] {
  return lossesOf(actions)
    .filter(isCounted)
    .map((caused) => ({ title: titleOf(caused), by: caused.action.id }));
}
