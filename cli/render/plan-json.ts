import type { Budget } from "../../core/api/budget.ts";
import { countActions, countLosses, hasChanges, type Plan } from "../../core/plan/action.ts";
import { problemsJson } from "./problems.ts";
import { withAdvice } from "./remedies.ts";

/** The version of the JSON forms of plans and reports; it grows when a member goes or changes its meaning. */
export const formatVersion = 1;

/** A plan for programs. */
export function planJson(plan: Plan, budget: Budget): object {
  const { goal, organization, actions, problems, notes, cost } = plan;
  return {
    format: "infrasync-plan-view",
    version: formatVersion,
    goal,
    organization,
    has_changes: hasChanges(plan),
    /** Whether apply would carry it out. */
    applicable: problems.length === 0,
    /** `lost`: what goes with something that is deleted or replaced, and has no action of its own. */
    counts: { ...countActions(actions), lost: countLosses(actions) },
    actions,
    problems: problemsJson(problems),
    notes: notes.map(({ remedies, ...note }) => ({ ...note, message: withAdvice({ ...note, remedies }) })),
    cost,
    budget: budgetJson(budget),
  };
}

/** What is left of the quota, for programs. */
export function budgetJson({ limit, remaining, resetAt, isResetSenseless }: Budget): object {
  return {
    ...(limit !== undefined && { limit }),
    ...(remaining !== undefined && { remaining }),
    ...(resetAt && { resets_at: resetAt.toISOString() }),
    ...(isResetSenseless && { reset_is_senseless: true }),
  };
}
