import { systemClock } from "../../core/api/index.ts";
import { InvalidInputError, type Problem } from "../../core/problems/problem.ts";
import { parseReference } from "../../core/model/addresses/address.ts";
import { meantBy } from "../../core/model/addresses/meant.ts";
import { durationOf } from "../../core/model/schema/duration.ts";
import type { FleetStatus, ServiceStatus } from "../../reconciler/index.ts";
import { escapeControl } from "../../core/values/text.ts";
import { CommandError, exitCodes, interruptionCode } from "../exit-codes.ts";
import type { Console } from "../terminal/console.ts";
import type { ServiceEndpoint } from "./endpoint.ts";
import { askStatus, isKnown, renderStatus } from "./status.ts";

/** The target of a wait; absent: everything, at any commit in force. */
export interface WaitTarget {
  environment?: string | undefined;
  /** The id of a commit, or a prefix. */
  commit?: string | undefined;
}

/** Milliseconds between two questions. */
const pause = 1000;
const longest = "30m";

/** States that only a person or another commit ends. */
const failures: ReadonlySet<string> = new Set([
  "failed",
  "blocked",
  "held",
  "unhealthy",
  "rolled_back",
  "stopped",
]);
const reached: ReadonlySet<string> = new Set(["synced", "unwatched"]);

/** The time limit, and the commit. */
export interface WaitFlags {
  to?: string;
  for?: string;
}

/** Waits until a running service has synced the target, deployments included, or has failed. */
export async function waitForService(
  endpoint: ServiceEndpoint,
  environment: string | undefined,
  flags: WaitFlags,
  problems: Problem[],
  console: Console,
): Promise<number> {
  const { clock = systemClock, signal } = console.io;
  const limit = durationOf(flags.for ?? longest);
  if (limit === undefined)
    problems.push({
      code: "argument",
      message: `--for ${JSON.stringify(flags.for)} is not a time`,
      advice: "write one such as 90s, 10m or 2h",
    });
  if (flags.to !== undefined && !/^[0-9a-f]{4,64}$/i.test(flags.to))
    problems.push({
      code: "argument",
      message: `--to ${JSON.stringify(flags.to)} is not the id of a commit`,
      advice: "write the id, or at least its first 4 characters",
    });
  if (problems.length > 0 || limit === undefined) throw new InvalidInputError(problems);
  const awaited = { environment, commit: flags.to };
  const end = clock.now() + limit;
  let status = await askStatus(endpoint, awaited.commit);
  refuseUnlessOne(status, awaited);
  for (;;) {
    const outcome = outcomeOf(status, awaited);
    if (outcome === "unmanaged") throw unmanaged(awaited, status);
    if (outcome !== "waiting" || clock.now() >= end || signal.aborted) {
      renderStatus(status, console);
      if (signal.aborted) return interruptionCode(signal);
      if (outcome === "waiting")
        console.note(`Not reached within ${flags.for ?? longest}: ${wordsFor(awaited)}.`);
      return { reached: exitCodes.done, failed: exitCodes.failed, waiting: exitCodes.changes }[outcome];
    }
    await clock.sleep(pause, signal);
    // A service that is replaced meanwhile answers again.
    status = await askStatus(endpoint, awaited.commit).catch((error: unknown) => {
      if (clock.now() >= end) throw error;
      return status;
    });
  }
}

function wordsFor({ environment = "everything", commit }: WaitTarget): string {
  return `${escapeControl(environment)} is not synced with ${commit ?? "the commit in force"}`;
}

function refuseUnlessOne(status: ServiceStatus | FleetStatus, { environment, commit }: WaitTarget): void {
  if (status.format !== "infrasync-fleet-status" || (environment ?? commit) === undefined) return;
  const names = status.sources.map(({ name }) => name).join(", ");
  throw new CommandError("usage", exitCodes.invalid, {
    message: `this service has many sources: name one of them with --source (${names})`,
    advice: "to wait for all sources, leave the environment and --to out",
  });
}

function unmanaged(
  { environment = "", commit }: WaitTarget,
  status: ServiceStatus | FleetStatus,
): CommandError {
  const known = "environments" in status ? status.environments : [];
  const environments = known.map(({ name }) => ({ name, names: parseReference(name) }));
  const meant = meantBy(environment, environments, ({ name }) => name);
  const where = commit === undefined ? "the commit in force" : `the newest commit, which contains ${commit},`;
  return new CommandError("invalid_input", exitCodes.invalid, {
    message: `no document of ${where} declares ${escapeControl(environment)}`,
    advice: `${meant === undefined ? "check the name" : `did you mean ${meant}?`}; if a later commit declares it, name that commit with --to`,
  });
}

/** Whether a service has synced the target. A later commit contains the awaited one. `unmanaged`: no document declares the environment. */
export function outcomeOf(
  status: ServiceStatus | FleetStatus,
  { environment, commit }: WaitTarget,
): "reached" | "failed" | "waiting" | "unmanaged" {
  if (!isKnown(status)) return "waiting";
  if (status.format === "infrasync-fleet-status") {
    if (status.sources.some(({ state }) => failures.has(state))) return "failed";
    return status.sources.length > 0 && status.sources.every(({ state }) => reached.has(state))
      ? "reached"
      : "waiting";
  }
  const { contains } = status;
  const isNewest = commit === undefined || contains?.newest === true;
  const isAppliedIn = (name: string) => commit === undefined || contains?.applied_in.includes(name) === true;
  const chosen = status.environments.filter(
    ({ name }) => environment === undefined || name.toLowerCase() === environment.toLowerCase(),
  );
  if (isNewest && (status.not_applied || status.problems.length > 0)) return "failed";
  if (isNewest && chosen.some(({ state }) => failures.has(state))) return "failed";
  if (isNewest && environment !== undefined && chosen.length === 0) return "unmanaged";
  const isReached =
    chosen.length > 0 && chosen.every(({ state, name }) => reached.has(state) && isAppliedIn(name));
  return isReached ? "reached" : "waiting";
}
