import type { Budget } from "../../core/api/budget.ts";
import type { Spent } from "../../core/api/spending.ts";
import type { Plan } from "../../core/plan/action.ts";
import { hasChanges } from "../../core/plan/action.ts";
import { counted, timeLeft } from "./text.ts";

/** What a plan has cost, will cost, and what is left for it. */
export function requestsOfPlan(plan: Plan, budget: Budget, now: number): string {
  const { planning, applying } = plan.cost;
  const spent = [
    ...(planning > 0 ? [`${planning} spent on planning`] : []),
    ...(hasChanges(plan) ? [`${applying} to apply`] : []),
  ];
  return requests(spent, budget, now);
}

/** What a run has cost, by operation, and what is left. */
export function requestsOfRun(spent: Spent, budget: Budget, now: number): string {
  const operations = Object.entries(spent.byOperation).toSorted(([, one], [, other]) => other - one);
  return [
    requests([`${spent.total} spent`], budget, now),
    ...operations.map(([operation, count]) => `  ${String(count).padStart(4)}  ${operation}`),
  ].join("\n");
}

function requests(parts: string[], budget: Budget, now: number): string {
  return `Requests: ${[parts.join(", "), ...left(budget, now)].join("; ")}.`;
}

function left({ limit, remaining, resetAt }: Budget, now: number): string[] {
  if (remaining === undefined) return [];
  const of = limit === undefined ? "" : ` of ${limit}`;
  const resets = resetAt === undefined ? "" : `, resets in ${timeLeft(resetAt, now)}`;
  return [`${remaining}${of} left${resets}`];
}

/** `12 requests`. */
export function countedRequests(count: number): string {
  return counted(count, "request");
}
