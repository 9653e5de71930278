import { type Action, countActions, hasChanges, type Plan } from "../core/plan/index.ts";

const past: Record<Exclude<Action["type"], "none">, string> = {
  create: "created",
  clone: "cloned",
  update: "changed",
  replace: "replaced",
  delete: "deleted",
  deploy: "deployed",
};

/** What a plan has done: `2 created, 1 changed`. */
export function countsOf(plan: Plan): string {
  if (!hasChanges(plan)) return "";
  const counts = countActions(plan.actions);
  return Object.entries(past)
    .flatMap(([type, word]) => {
      const count = counts[type as keyof typeof past];
      return count > 0 ? [`${count} ${word}`] : [];
    })
    .join(", ");
}
