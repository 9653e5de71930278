import { toleratedDifference } from "../../core/api/index.ts";
import type { BoardView, PreviewView } from "./board-view.ts";
import { doubtOf, isStale } from "./glance.ts";
import { logged } from "./telling.ts";
import type { PreviewStatus, ServiceStatus } from "./status-form.ts";

/** The state of a service in the form for programs. */
export function statusOf(view: BoardView): ServiceStatus {
  const { now, source, commit, checkedAt, staleAt, activity, environments, problems, failure } = view;
  const { limit, remaining, resetAt } = view.budget;
  const doubt = doubtOf(view);
  return {
    format: "infrasync-reconcile-status",
    version: 1,
    now: iso(now),
    source: { ...source },
    commit,
    ...(view.isNotApplied && { not_applied: true as const }),
    ...(checkedAt !== undefined && { checked_at: iso(checkedAt) }),
    stale: now > staleAt,
    activity: {
      type: activity.type,
      since: iso(activity.since),
      ...("until" in activity && { until: iso(activity.until) }),
      ...("reason" in activity && { reason: activity.reason }),
    },
    ...(doubt && { in_doubt: { because: doubt.because, since: iso(doubt.since) } }),
    in_step: environments.filter(({ state }) => state === "in_step").length,
    environments: environments.map(
      ({
        environment,
        state,
        since,
        applied,
        reason,
        until,
        reasons,
        changes,
        health,
        plan,
        asked,
        rolledBack,
        suspensions,
        knowledge,
        setBack,
        undescribed = [],
      }) => ({
        name: environment,
        state,
        since: iso(since),
        ...(applied !== undefined && { applied }),
        ...(reason !== undefined && { reason }),
        ...(until !== undefined && { until: iso(until) }),
        ...(plan !== undefined && { plan }),
        ...(asked && { asked: { type: asked.type, by: asked.by } }),
        ...(rolledBack && { rolled_back: { ...rolledBack } }),
        ...(suspensions && {
          suspended: suspensions.map(({ until: end, reason: why, pause }) => ({
            until: iso(end),
            reason: why,
            ...(pause && { by: { ...pause.by }, environments: pause.pattern }),
          })),
        }),
        ...(knowledge && { known_since: iso(knowledge.since) }),
        stale: now > staleAt || isStale({ knowledge }, now),
        reasons: [...reasons],
        changes: logged(changes),
        undescribed: [...undescribed],
        ...(setBack && { set_back: { at: iso(setBack.at), changes: logged(setBack.changes) } }),
        services: health.map(({ begun, lines, ...service }) => ({
          ...service,
          ...(begun !== undefined && { since: begun }),
          ...(lines && { lines: [...lines] }),
        })),
      }),
    ),
    ...(view.previews.length > 0 && { previews: view.previews.map(previewOf) }),
    ...(view.previewFailure && {
      preview_failure: { ...view.previewFailure, since: iso(view.previewFailure.since) },
    }),
    ...(Math.abs(view.clockAhead) > toleratedDifference && {
      clock_ahead_seconds: Math.round(view.clockAhead / 1000),
    }),
    problems: [...problems],
    ...(view.idle.length > 0 && { notes: [...view.idle] }),
    ...(failure && { failure: { ...failure, since: iso(failure.since) } }),
    budget: {
      limit,
      remaining,
      ...(resetAt && { reset_at: resetAt.toISOString() }),
      spent_in_hour: view.spentInHour,
      forecast: view.forecast,
      ...(view.allowance && {
        looking: view.allowance.looking,
        applying: view.allowance.applying,
        interval_seconds: Math.round(view.allowance.interval / 1000),
        period_seconds: Math.round(view.allowance.period / 1000),
      }),
    },
  };
}

function previewOf({
  environment,
  number,
  pullRequest,
  commit,
  state,
  since,
  reason,
}: PreviewView): PreviewStatus {
  return {
    name: environment,
    pull_request: { number, ...pullRequest },
    commit,
    state,
    since: iso(since),
    reason,
  };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
