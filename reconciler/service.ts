import { ApiError, type Clock } from "../core/api/index.ts";
import type { Outcome } from "../core/apply/index.ts";
import { formatAddress } from "../core/address.ts";
import { InvalidInputError, type Problem } from "../core/problem.ts";
import type { CycleEnd, Reconciler } from "./cycle.ts";
import { GitError } from "./git/index.ts";
import type { Log } from "./log.ts";

/** How a service runs. Times are in milliseconds. */
export interface ServiceSettings {
  reconciler: Pick<Reconciler, "cycle">;
  interval: number;
  log: Log;
  clock: Clock;
  /** Ends the service: the cycle under way finishes its writes and is reported. */
  signal: AbortSignal;
  /** Phrases an error or a problem with what would help. */
  describe(problem: Pick<Problem, "message" | "advice" | "remedies">): string;
}

/** The longest wait after failures, unless the interval is longer. */
const longestWait = 900_000;

/**
 * Runs cycles until the signal. No failure ends it: the wait doubles with each failure in a row, and the reason is in the
 * log. What stays as it was is logged at the level debug.
 */
export async function serve(settings: ServiceSettings): Promise<void> {
  const { reconciler, clock, signal } = settings;
  let failures = 0;
  let last = "";
  while (!signal.aborted) {
    let resetAt: Date | undefined;
    try {
      const end = await reconciler.cycle();
      const { level, fields, message } = told(end, settings);
      const now = JSON.stringify([message, fields]);
      const isAsBefore = level === "info" && now === last;
      settings.log[isAsBefore ? "debug" : level]({ ...fields, requests: end.spent }, message);
      last = now;
      failures = mayBeMendedByTime(end) ? failures + 1 : 0;
    } catch (error) {
      if (signal.aborted) break;
      failures += 1;
      last = "";
      resetAt = error instanceof ApiError ? error.resetAt : undefined;
      settings.log.error(
        { ...reasonOf(error, settings), failures },
        "the cycle has failed; nothing is concluded from it",
      );
    }
    const wait = waitFor(settings.interval, failures, (resetAt?.getTime() ?? 0) - clock.now());
    if (failures > 0 && !signal.aborted)
      settings.log.info({ seconds: Math.round(wait / 1000) }, "waiting before the next try");
    await clock.sleep(wait, signal);
  }
  settings.log.info({ signal: String(signal.reason) }, "stopped");
}

/**
 * The wait before the next cycle.
 *
 * @param failures how many cycles in a row have failed
 * @param untilReset until the quota of the token is reset, if that is why
 */
export function waitFor(interval: number, failures: number, untilReset = 0): number {
  const doubled = interval * 2 ** Math.min(failures, 20);
  return Math.max(Math.min(doubled, Math.max(interval, longestWait)), untilReset);
}

/** Whether a later cycle may succeed although nothing has changed in the repository. */
function mayBeMendedByTime(end: CycleEnd): boolean {
  return (
    end.type === "incomplete" ||
    end.type === "unaffordable" ||
    ("stopped" in end && end.stopped !== undefined)
  );
}

interface Told {
  level: "info" | "warn" | "error";
  fields: Record<string, unknown>;
  message: string;
}

function told(end: CycleEnd, settings: ServiceSettings): Told {
  const fields = { commit: end.commit };
  const problems = (all: readonly Problem[]) => ({
    problems: all.map((problem) => ({
      code: problem.code,
      message: settings.describe(problem),
      ...(problem.position && { file: problem.position.file, line: problem.position.line }),
    })),
  });
  switch (end.type) {
    case "in_step":
      return { level: "info", fields: { ...fields, resources: end.resources }, message: "in step" };
    case "drift":
      return {
        level: "info",
        fields: { ...fields, changes: end.changes, ...(end.fights && { fights: end.fights }) },
        message: end.fights
          ? "live resources differ from the applied commit; somebody else sets these fields again and again, so undoing them waits"
          : "live resources differ from the applied commit; nothing is changed",
      };
    case "undone":
    case "partly":
      return {
        level: end.stopped ? "warn" : "info",
        fields: { ...fields, ...byEnvironment(end, settings), changes: end.changes },
        message: messageOf(end),
      };
    case "applied":
    case "incomplete":
      return {
        level: end.type === "applied" ? "info" : "error",
        fields: {
          ...fields,
          outcomes: outcomesOf(end.report.outcomes, settings),
          ...(end.report.stopped && { stopped: end.report.stopped.reason }),
        },
        message: end.type === "applied" ? "the commit is applied" : "the commit is not applied completely",
      };
    case "invalid":
      return {
        level: "info",
        fields: {
          ...fields,
          ...problems(end.problems),
          ...byEnvironment(end, settings),
          changes: end.changes,
        },
        message: "the manifests of the commit have mistakes; the last commit without mistakes stays applied",
      };
    case "blocked":
      return {
        level: end.outcomes.length > 0 || end.stopped ? "warn" : "info",
        fields: {
          ...fields,
          ...problems(end.problems),
          ...byEnvironment(end, settings),
          changes: end.changes,
        },
        message: "a part of the commit is not applied: it is impossible, or a consent is missing",
      };
    case "held":
      return {
        level: "info",
        fields: { ...fields, applied: end.applied, changes: end.changes },
        message: "the commit is not applied: it drops the applied commit, and its plan deletes",
      };
    case "unaffordable":
      return {
        level: "warn",
        fields: { ...fields, needed: end.requests },
        message: "the commit is not applied yet: the request quota is too low",
      };
    case "overtaken":
      return { level: "info", fields, message: "the branch has moved on; planning again" };
    case "interrupted":
      return { level: "info", fields, message: "interrupted before the first write" };
    default:
      return end satisfies never;
  }
}

type Divided = Extract<CycleEnd, { type: "undone" | "partly" | "invalid" | "blocked" }>;

function messageOf({ type, waiting, stopped }: Extract<Divided, { type: "undone" | "partly" }>): string {
  if (type === "undone")
    return stopped
      ? "not all live resources could be set back to the applied commit"
      : "live resources differed from the applied commit, and are set back";
  if (stopped) return "the commit is not applied completely";
  return waiting
    ? "the commit is applied, but for the environments in which the policy lets it wait"
    : "the commit is applied";
}

/** What was done in each environment. */
function byEnvironment({ outcomes, waiting, fights, stopped }: Divided, settings: ServiceSettings): object {
  return {
    ...(outcomes && { outcomes: outcomesOf(outcomes, settings) }),
    ...(waiting && { waiting }),
    ...(fights && { fights }),
    ...(stopped && { stopped }),
  };
}

function outcomesOf(outcomes: readonly Outcome[], { describe }: ServiceSettings): object[] {
  return outcomes
    .filter(({ type }) => type !== "none")
    .map(({ address, type, status, message, remedies }) => ({
      address: formatAddress(address),
      action: type,
      status,
      ...(message !== undefined && { message: describe({ message, ...(remedies && { remedies }) }) }),
    }));
}

function reasonOf(error: unknown, { describe }: ServiceSettings): Record<string, unknown> {
  if (error instanceof GitError)
    return { code: "repository", failure: error.failure, reason: describe(error) };
  if (error instanceof ApiError) {
    const { code, summary: message, advice, remedies } = error;
    return {
      code,
      reason: describe({ message, ...(advice !== undefined && { advice }), ...(remedies && { remedies }) }),
    };
  }
  if (error instanceof InvalidInputError)
    return { code: error.code, reason: error.problems.map(describe).join("; ") };
  return { code: "failed", reason: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
