import { encodeUnread } from "../../core/outputs/forms/index.ts";
import { type Change, type EnvironmentState, standingStates } from "../decide/index.ts";
import { type Describe, reasonsOf } from "../journal/index.ts";
import { type Pause, type Suspension, suspendedNow } from "../policy/index.ts";
import { type PreviewOfRequest, previewStates } from "../previews/index.ts";
import { namesOf } from "./visible-status.ts";
import type { EnvironmentStatus, PreviewStatus } from "./status-form.ts";

/**
 * The states of environments after a cycle, the worst first. @param before the former states @param now milliseconds
 */
export function environmentStatuses(
  standings: readonly EnvironmentState[],
  before: readonly EnvironmentStatus[],
  describe: Describe,
  now: number,
): EnvironmentStatus[] {
  const known = new Map(before.map((each) => [each.name, each]));
  return standings
    .map((standing) => statusOf(standing, known.get(standing.environment), describe, now))
    .toSorted(
      (left, right) =>
        standingStates.indexOf(left.state) - standingStates.indexOf(right.state) ||
        left.name.localeCompare(right.name),
    );
}

function statusOf(
  standing: EnvironmentState,
  earlier: EnvironmentStatus | undefined,
  describe: Describe,
  now: number,
): EnvironmentStatus {
  const { environment, state, applied, reason, until, plan, rolledBack, knowledge } = standing;
  const { health, changes, unmanaged, unread = [], fights, setBack } = standing;
  return {
    name: environment,
    state,
    since: earlier?.state === state ? earlier.since : iso(now),
    applied,
    reason,
    until: until === undefined ? undefined : iso(until),
    plan,
    asked: undefined,
    rolled_back: rolledBack,
    suspended: suspendedBy(standing.suspensions),
    known_since: knowledge && iso(knowledge.since),
    stale: knowledge !== undefined && now > knowledge.staleAt,
    stale_at: knowledge && iso(knowledge.staleAt),
    reasons: reasonsOf(standing, describe),
    changes,
    unmanaged,
    unread: unread.length > 0 ? encodeUnread(unread) : undefined,
    fights: fights.length > 0 ? fights : undefined,
    set_back: setBack ? { at: iso(now), changes: withoutKept(setBack) } : earlier?.set_back,
    services: health.map(({ begun, lines, said: _said, isOutOfDate: _isOutOfDate, ...service }) => ({
      ...service,
      since: begun,
      lines: lines && [...lines],
    })),
  };
}

/** Changes without `keep`: they are reverted. */
function withoutKept(changes: readonly Change[]): Change[] {
  return changes.map(({ keep: _keep, ...change }) => change);
}

function suspendedBy(suspensions: readonly Suspension[] | undefined): EnvironmentStatus["suspended"] {
  return suspensions?.map(({ until, reason, pause }) => ({
    until: iso(until),
    reason,
    ...(pause && { by: { ...pause.by }, environments: pause.pattern }),
  }));
}

export function suspensionsOf({ suspended = [] }: Pick<EnvironmentStatus, "suspended">): Suspension[] {
  return suspended.map(({ until, reason, by, environments: pattern = "" }) => ({
    until: Date.parse(until),
    reason,
    ...(by && { pause: { pattern, by } }),
  }));
}

/** An environment with these pauses in place of those of its last cycle. */
export function withPauses(
  status: EnvironmentStatus,
  pauses: readonly Pause[],
  now: number,
): EnvironmentStatus {
  const { suspensions } = suspendedNow(suspensionsOf(status), namesOf(status.name), pauses, now);
  return { ...status, suspended: suspendedBy(suspensions) };
}

/** An environment at a later time. @param isWholeStale whether no comparison is recent enough */
export function atTime(status: EnvironmentStatus, now: number, isWholeStale: boolean): EnvironmentStatus {
  const { stale_at: staleAt } = status;
  return { ...status, stale: isWholeStale || (staleAt !== undefined && now > Date.parse(staleAt)) };
}

/** The states of previews, the worst first; an unchanged one keeps its time. */
export function previewStatuses(
  kept: readonly PreviewOfRequest[],
  before: readonly PreviewStatus[],
  now: number,
): PreviewStatus[] {
  const known = new Map(before.map((each) => [each.name, each]));
  return kept
    .map(({ environment, number, pullRequest, commit, state, reason }) => {
      const last = known.get(environment);
      const isSame = last?.state === state && last.commit === commit;
      return {
        name: environment,
        pull_request: { number, ...pullRequest },
        commit,
        state,
        since: isSame ? last.since : iso(now),
        reason,
      };
    })
    .toSorted(
      (left, right) =>
        previewStates.indexOf(left.state) - previewStates.indexOf(right.state) ||
        left.pull_request.number - right.pull_request.number,
    );
}

/** Milliseconds since 1970 as ISO 8601. */
export function iso(time: number): string {
  return new Date(time).toISOString();
}
