import { countActions, hasChanges, type Plan } from "../../core/plan/index.ts";
import { pastWords } from "../../core/plan/past-words.ts";

/** What a plan has done: `2 created, 1 changed`. */
export function countsOf(plan: Plan): string {
  if (!hasChanges(plan)) return "";
  const counts = countActions(plan.actions);
  return Object.entries(pastWords)
    .flatMap(([type, word]) => {
      const count = counts[type as keyof typeof pastWords];
      return count > 0 ? [`${count} ${word}`] : [];
    })
    .join(", ");
}
