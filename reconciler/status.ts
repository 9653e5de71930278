import type { Activity, BoardView } from "./board.ts";
import type { StandingState } from "./standing.ts";

/** The state of a service for programs, as `GET /status.json` answers it. Times are ISO 8601. */
export interface ServiceStatus {
  format: "infrasync-reconcile-status";
  version: 1;
  now: string;
  source: { repository: string; branch: string; path: string };
  commit?: string;
  checked_at?: string;
  stale: boolean;
  activity: { type: Activity["type"]; since: string; until?: string };
  in_step: number;
  environments: EnvironmentStatus[];
  problems: readonly string[];
  failure?: { reason: string; since: string; failures: number };
  budget: { limit?: number; remaining?: number; reset_at?: string; spent_in_hour: number; forecast?: number };
}

/** How an environment stands. */
export interface EnvironmentStatus {
  name: string;
  state: StandingState;
  since: string;
  applied?: string;
  reason?: string;
  until?: string;
  reasons: readonly string[];
  changes: { action: string; address: string; fields?: string[]; by?: string }[];
}

/** The state of a service in the form for programs. */
export function statusOf(view: BoardView): ServiceStatus {
  const { now, source, commit, checkedAt, staleAt, activity, environments, problems, failure } = view;
  const { limit, remaining, resetAt } = view.budget;
  return {
    format: "infrasync-reconcile-status",
    version: 1,
    now: iso(now),
    source: { ...source },
    ...(commit !== undefined && { commit }),
    ...(checkedAt !== undefined && { checked_at: iso(checkedAt) }),
    stale: now > staleAt,
    activity: {
      type: activity.type,
      since: iso(activity.since),
      ...("until" in activity && { until: iso(activity.until) }),
    },
    in_step: environments.filter(({ state }) => state === "in_step").length,
    environments: environments.map(
      ({ environment, state, since, applied, reason, until, reasons, changes }) => ({
        name: environment,
        state,
        since: iso(since),
        ...(applied !== undefined && { applied }),
        ...(reason !== undefined && { reason }),
        ...(until !== undefined && { until: iso(until) }),
        reasons,
        changes: changes.map(({ keep: _keep, ...change }) => change),
      }),
    ),
    problems,
    ...(failure && { failure: { ...failure, since: iso(failure.since) } }),
    budget: {
      ...(limit !== undefined && { limit }),
      ...(remaining !== undefined && { remaining }),
      ...(resetAt && { reset_at: resetAt.toISOString() }),
      spent_in_hour: view.spentInHour,
      ...(view.forecast !== undefined && { forecast: view.forecast }),
    },
  };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
