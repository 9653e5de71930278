import { healthStates } from "../../core/deployments/index.ts";
import { encodeService, encodeUnread } from "../../core/outputs/forms/index.ts";
import { type EnvironmentState, type ServiceHealth, syncStates } from "../decide/index.ts";
import {
  type CycleResult,
  type Describe,
  type EntryOf,
  type Journal,
  type JournalEntry,
  lastOf,
  reasonsOf,
} from "../journal/index.ts";
import { type Pause, environmentKeyOf, type Suspension, suspendedNow } from "../policy/index.ts";
import type { EnvironmentServices } from "../view/index.ts";
import { type ConsoleIds, consoleUrl } from "./console-url.ts";
import { type PreviewOfRequest, previewStates } from "../previews/index.ts";
import { namesOf } from "./visible-status.ts";
import type { EnvironmentStatus, PreviewStatus } from "./status-form.ts";

/** What the states of environments are made of beside what a cycle has found. */
export interface StatusContext {
  current: Journal["current"];
  /** Of the journal, the newest first. */
  entries: readonly JournalEntry[];
  services: CycleResult["services"];
  describe: Describe;
  /** The pattern of pages of the console; undefined: no links. */
  console: string | undefined;
  /** Milliseconds since 1970. */
  now: number;
}

/** The states of environments after a cycle, the worst first. */
export function environmentStatuses(
  states: readonly EnvironmentState[],
  context: StatusContext,
): EnvironmentStatus[] {
  return worstFirst(
    states.map((status) => statusOf(status, context)),
    syncStates,
  );
}

/** Sorts by states, the worst first, and by names. */
export function worstFirst<Shown extends { name: string; state: string }>(
  shown: readonly Shown[],
  states: readonly string[],
): Shown[] {
  return shown.toSorted(
    (left, right) =>
      states.indexOf(left.state) - states.indexOf(right.state) || left.name.localeCompare(right.name),
  );
}

function statusOf(
  status: EnvironmentState,
  { current, entries, services, describe, console, now }: StatusContext,
): EnvironmentStatus {
  const { environment, state, applied, reason, until, plan, unapprovable, rolledBack, knowledge } = status;
  const { health, changes, unmanaged, unread = [], driftLoops } = status;
  const known = lastOf(current, "passing", environment) ?? lastOf(current, "state", environment);
  const reverted = entries.find((entry) => entry.type === "reverted" && entry.environment === environment);
  const its = services?.get(environmentKeyOf(namesOf(environment)));
  return {
    name: environment,
    state,
    since: iso(known?.since ?? now),
    applied,
    reason,
    until: until === undefined ? undefined : iso(until),
    plan: unapprovable === undefined ? plan : undefined,
    requested: undefined,
    rolled_back: rolledBack,
    suspended: suspendedBy(status.suspensions),
    known_since: knowledge && iso(knowledge.since),
    stale: knowledge !== undefined && now > knowledge.staleAt,
    stale_at: knowledge && iso(knowledge.staleAt),
    reasons: reasonsOf(status, describe),
    changes,
    unmanaged,
    unread: unread.length > 0 ? encodeUnread(unread) : undefined,
    drift_loops: driftLoops.length > 0 ? driftLoops : undefined,
    reverted: reverted?.type === "reverted" ? revertedBy(reverted) : undefined,
    console_url: its && consoleUrl(console, idsOf(its)),
    services: servicesOf(health, its, console),
  };
}

function revertedBy({ at, changes }: EntryOf<"reverted">): EnvironmentStatus["reverted"] {
  return { at: iso(at), changes: changes.map((change) => ({ ...change, cause: "drift" })) };
}

function idsOf({ organizationId, projectId, environment }: EnvironmentServices): ConsoleIds {
  return { organization: organizationId, project: projectId, environment: environment.id };
}

/** The services that run in an environment, and their health, the worst first. */
function servicesOf(
  health: readonly ServiceHealth[],
  running: EnvironmentServices | undefined,
  console: string | undefined,
): EnvironmentStatus["services"] {
  const byAddress = new Map(health.map((each) => [each.address, each]));
  const live = (running?.services ?? []).map((service) => ({
    ...encodeService(service),
    console_url: running && consoleUrl(console, { ...idsOf(running), service: service.id }),
  }));
  const there = new Set(live.map(({ address }) => address));
  const others = health.flatMap(({ address }) => (there.has(address) ? [] : [{ address, state: "" }]));
  const rank = (address: string) => {
    const its = byAddress.get(address)?.health;
    return its === undefined ? healthStates.length : healthStates.indexOf(its);
  };
  return [...live, ...others]
    .map((service) => {
      const { health: its, state = "", started, lines } = byAddress.get(service.address) ?? {};
      return {
        deployed_at: started,
        ...service,
        state: service.state === "" ? state : service.state,
        health: its,
        lines: lines && [...lines],
      };
    })
    .toSorted(
      (left, right) => rank(left.address) - rank(right.address) || left.address.localeCompare(right.address),
    );
}

function suspendedBy(suspensions: readonly Suspension[] | undefined): EnvironmentStatus["suspended"] {
  return suspensions?.map(({ until, reason, pause }) => ({
    ...(until !== Infinity && { until: iso(until) }),
    reason,
    ...(pause && { by: { ...pause.by }, environments: pause.pattern }),
  }));
}

export function suspensionsOf({ suspended = [] }: Pick<EnvironmentStatus, "suspended">): Suspension[] {
  return suspended.map(({ until, reason, by, environments: pattern = "" }) => ({
    until: until === undefined ? Infinity : Date.parse(until),
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
  previews: readonly PreviewOfRequest[],
  before: readonly PreviewStatus[],
  now: number,
): PreviewStatus[] {
  const known = new Map(before.map((each) => [each.name, each]));
  return previews
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
