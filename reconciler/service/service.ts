import { ApiError } from "../../core/api/index.ts";
import { InvalidInputError } from "../../core/problems/problem.ts";
import { traced, type Work } from "../../core/values/trace.ts";
import { commitStateOf, type CycleResult, type Describe, failureOf, type Journal } from "../journal/index.ts";
import type { Reconciler } from "./cycle.ts";
import { GitError } from "../../adapters/git/index.ts";
import type { Log } from "../log.ts";
import { rest, type RestParts } from "./rest.ts";
import type { Observer } from "../show/index.ts";
import type { RateBudget } from "../watch/index.ts";

/** Options of a service. Times are in milliseconds. */
export interface ServiceSettings extends RestParts {
  reconciler: Pick<Reconciler, "cycle" | "hasNews"> & Partial<Pick<Reconciler, "over">>;
  /** Its name among many; default: there are no others. */
  source?: string | undefined;
  /** Says when live resources are read; default: after each interval. */
  rateBudget?: Partial<Pick<RateBudget, "nextLiveRead" | "attention" | "reasonForInterval">>;
  log: Log;
  /** Ends the service: the cycle under way finishes its writes and is reported. */
  signal: AbortSignal;
  /** Aborted when nothing that the service waits for can come any more: it ends after the report of its cycle. */
  standstill?: AbortSignal | undefined;
  describe: Describe;
  journal: Journal;
  observers?: readonly Observer[];
  /** Counts a cycle, of which the observers have heard. @param duration milliseconds, without the observers */
  onCycle?(result: "done" | "failed", duration: number): void;
}

/** The longest wait after changes that have failed, unless the interval is longer. */
const longestWait = 900_000;
/** The same after a cycle that could conclude nothing: an outage ends without notice, and drift must not last much longer. */
const longestOutageWait = 120_000;
/** The same for the first try after a file that could not be read: somebody may mend it now, and a try sends no request. */
const soon = 30_000;

/** Runs cycles until the signal. No failure ends it: the wait doubles with each in a row. @returns why it has ended */
export async function serve(settings: ServiceSettings): Promise<"stopped" | "standstill"> {
  const { reconciler, clock, signal, standstill, describe, journal, observers = [], log } = settings;
  const onRepositoryRead = async (error: unknown) => {
    const failure = error === undefined ? undefined : failureOf(error, describe);
    await journal.repositoryRead(failure);
  };
  let failures = 0;
  let last = "";
  let isPaceSaid = false;
  while (!signal.aborted) {
    for (const each of observers) each.checking?.();
    const started = clock.now();
    const { result, error } = await settled(settings);
    const duration = clock.now() - started;
    if (!result && signal.aborted) break;
    failures = !result || mayBeMendedByTime(result) ? failures + 1 : 0;
    const resetAt = error instanceof ApiError ? error.resetAt : undefined;
    const longest = result ? longestWait : longestOutageWait;
    const interval = Math.min(settings.interval, error instanceof InvalidInputError ? soon : Infinity);
    const wait = waitFor(interval, failures, longest, (resetAt?.getTime() ?? 0) - clock.now());
    const rested = clock.now() + wait;
    const until = () =>
      (failures === 0 ? settings.rateBudget?.attention : undefined) ??
      Math.max(rested, settings.rateBudget?.nextLiveRead ?? 0);
    const next = until();
    const slow = isPaceSaid ? undefined : settings.rateBudget?.reasonForInterval;
    if (slow !== undefined) {
      isPaceSaid = true;
      log.info({}, slow);
    }
    if (!result) {
      last = "";
      const failure = failureOf(error, describe);
      await journal.failed(failure, failures);
      for (const each of observers) await each.failed?.(failure, failures, next);
    } else {
      await journal.ended(result);
      const { sentence = "nothing is known yet" } = commitStateOf(journal.current) ?? {};
      const level = sentence === last ? "debug" : "info";
      log[level]({ commit: result.commit, requests: result.spent }, sentence);
      last = sentence;
      for (const each of observers) await each.ended(result, next);
      await onRepositoryRead(result.repositoryFailure);
    }
    settings.onCycle?.(result ? "done" : "failed", duration);
    if (standstill?.aborted) {
      log.error({ code: "standstill" }, "the service was waiting for an event that will not happen");
      return "standstill";
    }
    if (failures > 0 && !signal.aborted)
      log.info({ seconds: Math.round(wait / 1000) }, "waiting before the next try");
    // A new commit may mend the failure, and does not wait for the next try; a repository that fails is left alone.
    const isUnread = error instanceof GitError;
    const isAway = isUnread || result?.repositoryFailure !== undefined;
    const resting: RestParts = { ...settings, onRepositoryRead, isAway };
    await rest(resting, isUnread ? rested : Math.min(rested, clock.now() + settings.interval), until);
  }
  await reconciler.over?.();
  log.info({ signal: String(signal.reason) }, "stopped");
  return "stopped";
}

async function settled({
  reconciler,
  source,
}: Pick<ServiceSettings, "reconciler" | "source">): Promise<{ result?: CycleResult; error?: unknown }> {
  try {
    const attributes: Work["attributes"] = { ...(source !== undefined && { "infrasync.source": source }) };
    return await traced("cycle", attributes, async () => {
      const result = await reconciler.cycle();
      Object.assign(attributes, { "infrasync.commit": result.commit, "infrasync.requests": result.spent });
      return { result };
    });
  } catch (error) {
    return { error };
  }
}

/** The wait before the next cycle. @param longest unless the interval, or the time until the quota is reset, is longer */
export function waitFor(interval: number, failures: number, longest: number, untilReset = 0): number {
  const doubled = interval * 2 ** Math.min(failures, 20);
  return Math.max(Math.min(doubled, Math.max(interval, longest)), untilReset);
}

/** Whether a later cycle may succeed although nothing has changed in the repository. */
function mayBeMendedByTime({ stopped }: CycleResult): boolean {
  return stopped?.type === "incomplete" || stopped?.type === "unaffordable";
}
