import type { Budget, Spent } from "../../core/api/index.ts";
import { type Cost, hasChanges, type Plan, uncheckedText } from "../../core/planning/plan/index.ts";
import { counted, timeLeft } from "./text.ts";

/** What a plan has not read, what it has from earlier runs, and its requests: a line each. */
export function footOfPlan(plan: Plan, cost: Cost, budget: Budget, now: number): string[] {
  return [...unreadInPlan(plan), ...cacheInPlan(plan), requestsOfPlan(plan, cost, budget, now)];
}

/** The requests that a plan has sent, those that it will send, and the rest of the quota. */
function requestsOfPlan(plan: Plan, { planning, applying }: Cost, budget: Budget, now: number): string {
  const spent = [
    ...(planning > 0 ? [`${planning} spent on planning`] : []),
    ...(hasChanges(plan) ? [`${applying} to apply`] : []),
  ];
  return [requests(spent, budget, now), ...(hasChanges(plan) ? shortageOf(applying, budget, now) : [])].join(
    " ",
  );
}

/** A line that says where a plan has not looked, so that something may be set, run or fail there. */
function unreadInPlan(plan: Plan): string[] {
  const { goal, unread = [] } = plan;
  const unchecked = uncheckedText(unread);
  return goal === "destroy" || unchecked === undefined ? [] : [`${unchecked} (use --strict).`];
}

/** A line that counts the cached lists of a plan; no line if there are none. */
function cacheInPlan({ cached, at }: Plan): string[] {
  if (!cached) return [];
  const { resources, of, oldest } = cached;
  const minutes = Math.max(0, Math.round((at - oldest) / 60_000));
  const age = minutes === 0 ? "less than a minute" : `${minutes} min`;
  return [
    `Cached ${age} ago: variables, secrets, domains and settings of ${resources} of ${counted(of, "resource")} (use --fresh to read them again).`,
  ];
}

const window = 3_600_000;

/** How long an apply has to wait for the quota, where the plan needs more requests than are left. */
function shortageOf(applying: number, { limit, remaining, resetAt }: Budget, now: number): string[] {
  const missing = applying - (remaining ?? Infinity);
  if (missing <= 0) return [];
  // Each later window has as many requests as the first.
  const others = limit === undefined || limit === 0 ? 0 : Math.ceil(missing / limit) - 1;
  const until = resetAt && new Date(resetAt.getTime() + others * window);
  const time = until ? ` about ${timeLeft(until, now)}` : "";
  return [
    `The quota has fewer requests left: an apply with --on-quota wait waits${time} for the reset, and with --on-quota fail it does not start.`,
  ];
}

/** The requests that a run has sent, by purpose, and the rest of the quota. */
export function requestsOfRun({ total, byOperation }: Spent, budget: Budget, now: number): string {
  const groups = Map.groupBy(Object.entries(byOperation), ([operation]) => purposeOf(operation));
  const parts = [...groups].map(([purpose, operations]) =>
    counted(
      operations.reduce((sum, [, count]) => sum + count, 0),
      purpose,
    ),
  );
  return requests([`${total} spent (${parts.join(", ")})`], budget, now);
}

const purposes: Record<string, string> = { GET: "read", POST: "create", PUT: "update", DELETE: "delete" };

/** The purpose of a request: `read` for `GET /job/{id}`. */
function purposeOf(operation: string): string {
  const [method = ""] = operation.split(" ");
  if (method === "POST" && /\/(?:(?:re)?deploy|stop|restart-service|cancelDeployment)$/.test(operation))
    return "operation";
  return operation.endsWith("/clone") ? "clone" : (purposes[method] ?? method);
}

function requests(parts: string[], budget: Budget, now: number): string {
  return `Requests: ${[parts.join(", "), ...left(budget, now)].join("; ")}.`;
}

function left({ limit, remaining, resetAt, isResetSenseless }: Budget, now: number): string[] {
  if (remaining === undefined) return [];
  const of = limit === undefined ? "" : ` of ${limit}`;
  const resets = resetAt === undefined ? "" : `, resets in ${timeLeft(resetAt, now)}`;
  const remark = isResetSenseless ? `, ${senselessReset}` : "";
  return [`${remaining}${of} left${resets}${remark}`];
}

/** Shown when `X-RateLimit-Reset` is not a Unix time in seconds within the next hour. */
export const senselessReset = "and the reset time of the server is invalid";
