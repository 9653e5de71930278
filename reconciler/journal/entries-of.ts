import { isDeepStrictEqual } from "node:util";
import { isPassing, rollbackText, type EnvironmentState } from "../decide/index.ts";
import { suspensionText } from "../policy/index.ts";
import type { PreviewCheck } from "../previews/index.ts";
import { type StartedChange, madeBy } from "./started-changes.ts";
import type { CycleResult } from "./cycle-result.ts";
import { type Describe, type FailureOfCycle, problemLines, reasonsOf } from "./describe.ts";
import type { LastingState, NewEntry } from "./entry.ts";
import { type Current, lastOf } from "./table.ts";

/** So many cycles in a row have to fail before that is an outage: one that fails is mended by the next, as a rule. */
const failuresOfOutage = 3;

/** The state before an event. */
export interface Knowledge {
  current: Current;
  /** Milliseconds since 1970. */
  now: number;
}

/** What a cycle has done and found; pure. @param started changes of unknown outcome @param unread failed reads of the repository in a row */
export function entriesOf(
  cycle: CycleResult,
  known: Knowledge & { started: readonly StartedChange[]; unread: number },
  describe: Describe,
): { entries: NewEntry[]; started: StartedChange[] } {
  const { commit, mistakes, stopped, repositoryFailure: failure, environments, ended = [] } = cycle;
  const { current } = known;
  const { made, started } = madeBy(cycle, known.started);
  const isPutOff = stopped?.type === "overtaken" || stopped?.type === "interrupted";
  return {
    started,
    entries: [
      ...(failure ? [] : recovery(known)),
      ...made,
      ...ended,
      ...(isPutOff ? [{ type: stopped.type, commit }] : []),
      ...commitEntries(current, commit, problemLines(mistakes, describe)),
      ...(environments?.flatMap((status) => [
        ...stateEntries(status, commit, known, describe),
        ...pauseEntries(status, current),
        ...ageEntries(status, known),
      ]) ?? []),
      ...(environments && lastOf(current, "comparison")?.commit !== commit
        ? [{ type: "compared" as const, commit }]
        : []),
      ...repositoryEntries(failure && describe(failure), known),
      ...(failure && known.unread >= failuresOfOutage ? outage(describe(failure), known) : []),
    ],
  };
}

export function withoutGone(current: Current, { environments }: CycleResult): Current {
  if (!environments) return current;
  const there = new Set(environments.map(({ environment }) => environment));
  return Object.fromEntries(
    Object.entries(current).filter(
      ([, entry]) =>
        entry.type === "conflict" || !("environment" in entry) || there.has(entry.environment ?? ""),
    ),
  );
}

function commitEntries(current: Current, commit: string, reasons: string[]): NewEntry[] {
  const last = lastOf(current, "commit");
  if (reasons.length === 0) return last ? [{ type: "fixed", commit }] : [];
  const isSame = last?.commit === commit && isDeepStrictEqual(last.reasons, reasons);
  return isSame ? [] : [{ type: "mistakes", commit, reasons, isStill: last !== undefined }];
}

function stateEntries(
  status: EnvironmentState,
  commit: string,
  { current, now }: Knowledge,
  describe: Describe,
): NewEntry[] {
  const { environment, state, reason, rolledBack, health } = status;
  const last = lastOf(current, "state", environment);
  const passing = lastOf(current, "passing", environment);
  const type = lastingState(status, last?.type);
  const changes = status.changes.map(({ cause: _cause, takes: _takes, keep: _keep, ...change }) => change);
  const isPartly = status.changes.some(({ cause }) => cause === "commit");
  const reasons = [
    ...(rolledBack && state === "rolled_back" ? [rollbackText(rolledBack)] : []),
    ...(reason === undefined ? [] : [reason]),
    ...reasonsOf(status, describe),
  ];
  if (type === undefined) {
    const isSame = passing?.state === state;
    if (isSame && isDeepStrictEqual(passing.reasons, reasons)) return [];
    return [{ type: "passing", environment, since: isSame ? passing.since : now, state, reasons }];
  }
  const passed: NewEntry[] = passing ? [{ type: "passed", environment }] : [];
  const before = last && [last.type, last.changes, last.reasons, last.isPartly === true];
  if (isDeepStrictEqual(before, [type, changes, reasons, isPartly])) return passed;
  const since = last?.type === type ? last.since : now;
  const logs = health.flatMap(({ address, lines = [] }) => (lines.length > 0 ? [{ address, lines }] : []));
  return [
    ...passed,
    {
      type,
      environment,
      commit,
      since,
      changes,
      reasons,
      ...(isPartly && { isPartly }),
      ...(logs.length > 0 && { logs }),
      ...(last && { from: last.type }),
    },
  ];
}

/** The state that an entry tells; undefined: it passes by itself, or nobody looks, which ends neither a failure nor a rollback. */
function lastingState(status: EnvironmentState, last: LastingState | undefined): LastingState | undefined {
  const { state } = status;
  if (state === "deploying" || state === "unread" || isPassing(status)) return undefined;
  const isSettled = last === "synced" || last === "unhealthy" || last === "rolled_back" || last === undefined;
  return state === "unwatched" && isSettled ? undefined : state;
}

function pauseEntries(
  { environment, suspensions: [first] = [] }: EnvironmentState,
  current: Current,
): NewEntry[] {
  const last = lastOf(current, "pause", environment);
  if (!first) return last ? [{ type: "resumed", environment }] : [];
  const reason = suspensionText(first);
  if (last?.reason === reason) return [];
  return [{ type: "paused", environment, reason, ...(first.pause && { by: first.pause.by }) }];
}

function ageEntries({ environment, knowledge }: EnvironmentState, { current, now }: Knowledge): NewEntry[] {
  const isStale = knowledge !== undefined && now > knowledge.staleAt;
  const wasStale = lastOf(current, "age", environment) !== undefined;
  if (isStale === wasStale) return [];
  return [{ type: isStale ? "stale" : "read", environment }];
}

/** A cycle has failed. @param failures how many have failed in a row */
export function failureEntries(
  { code, reason }: FailureOfCycle,
  failures: number,
  known: Knowledge,
): NewEntry[] {
  const { current, now } = known;
  const last = lastOf(current, "cycle");
  return [
    ...(last?.reason === reason
      ? []
      : [{ type: "failing" as const, code, reason, since: last?.since ?? now }]),
    ...(failures >= failuresOfOutage ? outage(reason, known) : []),
  ];
}

function outage(reason: string, { current, now }: Knowledge): NewEntry[] {
  const isKnown = lastOf(current, "service") !== undefined;
  return isKnown ? [] : [{ type: "outage", reason, since: lastOf(current, "cycle")?.since ?? now }];
}

function recovery({ current }: Knowledge): NewEntry[] {
  const failing = lastOf(current, "cycle");
  const out = lastOf(current, "service");
  const since = out?.since ?? failing?.since;
  return since === undefined ? [] : [{ type: "recovered", since, isOutage: out !== undefined }];
}

/** The repository was read, or not. @param reason why it could not be read; undefined: it could */
export function repositoryEntries(reason: string | undefined, { current, now }: Knowledge): NewEntry[] {
  const last = lastOf(current, "repository");
  if (reason === undefined) return last ? [{ type: "repository_back", since: last.since }] : [];
  return last?.reason === reason ? [] : [{ type: "repository_away", reason, since: last?.since ?? now }];
}

/** There was a look at the pull requests. */
export function previewEntries(check: PreviewCheck, { current }: Knowledge): NewEntry[] {
  if ("failure" in check) return [];
  const contested = check.previews.filter(({ isContested }) => isContested);
  const there = new Set(contested.map(({ environment }) => environment));
  return [
    ...Object.values(current).flatMap((entry): NewEntry[] =>
      entry.type === "conflict" && !there.has(entry.environment)
        ? [{ type: "conflict_ended", environment: entry.environment }]
        : [],
    ),
    ...contested.flatMap(({ environment, reason = "" }): NewEntry[] =>
      lastOf(current, "preview", environment) ? [] : [{ type: "conflict", environment, reason }],
    ),
  ];
}

/** Sources have stopped, and this is not yet acknowledged. @param all with the times at which they have stopped */
export function stoppedEntries(
  all: readonly { name: string; at: number; left?: readonly string[] | undefined }[],
  { current }: Knowledge,
): NewEntry[] {
  return all.flatMap(({ name, at, left }): NewEntry[] =>
    lastOf(current, "source", name)?.since === at ? [] : [{ type: "stopped", name, since: at, left }],
  );
}
