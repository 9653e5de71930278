import { toleratedDifference } from "../../core/api/index.ts";
import type { BoardView, EnvironmentView, PreviewView } from "./board-view.ts";
import { doubtOf, isStale } from "./glance.ts";
import { logged } from "./telling.ts";
import type { EnvironmentStatus, PreviewStatus, ServiceStatus } from "./status-form.ts";

/** The state of a service in the form for programs. */
export function statusOf(view: BoardView): ServiceStatus {
  const { now, staleAt, activity, environments, previews, allowance } = view;
  const { limit, remaining, resetAt } = view.budget;
  return {
    format: "infrasync-reconcile-status",
    version: 1,
    now: iso(now),
    source: { ...view.source },
    commit: view.commit,
    not_applied: view.isNotApplied || undefined,
    checked_at: view.checkedAt === undefined ? undefined : iso(view.checkedAt),
    stale: now > staleAt,
    activity: {
      type: activity.type,
      since: iso(activity.since),
      until: "until" in activity ? iso(activity.until) : undefined,
      reason: "reason" in activity ? activity.reason : undefined,
    },
    in_doubt: dated(doubtOf(view)),
    in_step: environments.filter(({ state }) => state === "in_step").length,
    environments: environments.map((each) => environmentOf(each, now > staleAt || isStale(each, now))),
    previews: previews.length > 0 ? previews.map(previewOf) : undefined,
    preview_failure: dated(view.previewFailure),
    clock_ahead_seconds:
      Math.abs(view.clockAhead) > toleratedDifference ? Math.round(view.clockAhead / 1000) : undefined,
    problems: [...view.problems],
    notes: view.idle.length > 0 ? [...view.idle] : undefined,
    failure: dated(view.failure),
    budget: {
      limit,
      remaining,
      reset_at: resetAt?.toISOString(),
      spent_in_hour: view.spentInHour,
      forecast: view.forecast,
      ...(allowance && {
        looking: allowance.looking,
        applying: allowance.applying,
        interval_seconds: Math.round(allowance.interval / 1000),
        period_seconds: Math.round(allowance.period / 1000),
      }),
    },
  };
}

function environmentOf(view: EnvironmentView, stale: boolean): EnvironmentStatus {
  const { state, applied, reason, until, plan, asked, rolledBack, knowledge, setBack } = view;
  return {
    name: view.environment,
    state,
    since: iso(view.since),
    applied,
    reason,
    until: until === undefined ? undefined : iso(until),
    plan,
    asked: asked && { type: asked.type, by: asked.by },
    rolled_back: rolledBack,
    suspended: view.suspensions?.map(({ until: end, reason: why, pause }) => ({
      until: iso(end),
      reason: why,
      ...(pause && { by: { ...pause.by }, environments: pause.pattern }),
    })),
    known_since: knowledge && iso(knowledge.since),
    stale,
    reasons: [...view.reasons],
    changes: logged(view.changes),
    undescribed: [...(view.undescribed ?? [])],
    set_back: setBack && { at: iso(setBack.at), changes: logged(setBack.changes) },
    services: view.health.map(({ begun, lines, ...service }) => ({
      ...service,
      since: begun,
      lines: lines && [...lines],
    })),
  };
}

function previewOf({ environment, number, pullRequest, since, ...preview }: PreviewView): PreviewStatus {
  const { commit, state, reason } = preview;
  return {
    name: environment,
    pull_request: { number, ...pullRequest },
    commit,
    state,
    since: iso(since),
    reason,
  };
}

/** Something with its time as ISO 8601. */
export function dated<Thing extends { since: number }>(
  thing: Thing | undefined,
): (Omit<Thing, "since"> & { since: string }) | undefined {
  return thing && { ...thing, since: iso(thing.since) };
}

/** A time in milliseconds since 1970 as ISO 8601. */
export function iso(time: number): string {
  return new Date(time).toISOString();
}
