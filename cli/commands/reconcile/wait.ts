import { systemClock } from "../../../core/api/index.ts";
import { InvalidInputError, type Problem } from "../../../core/problem.ts";
import { durationOf } from "../../../core/schema/duration.ts";
import type { FleetStatus, ServiceStatus } from "../../../reconciler/index.ts";
import { exitCodes, interruptionCode } from "../../exit-codes.ts";
import type { Console } from "../../terminal/console.ts";
import type { Door } from "./door.ts";
import { askStatus, renderStatus } from "./status.ts";
import type { UserActionFlags } from "./user-action.ts";

/** What is waited for; absent: everything, at whatever commit is in force. */
export interface Awaited {
  /** `shop/production`. */
  environment?: string | undefined;
  /** The beginning of the id of a commit, or all of it. */
  commit?: string | undefined;
}

/** Milliseconds between two looks. */
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
const reached: ReadonlySet<string> = new Set(["in_step", "unwatched"]);

/** Waits until a running service has what is asked for in step, its deployments included, or has failed. */
export async function waitForService(
  door: Door,
  environment: string | undefined,
  flags: Pick<UserActionFlags, "to" | "for">,
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
  if (problems.length > 0 || limit === undefined) throw new InvalidInputError(problems);
  const awaited = { environment, commit: flags.to };
  const end = clock.now() + limit;
  let status = await askStatus(door);
  for (;;) {
    const outcome = outcomeOf(status, awaited);
    if (outcome !== "waiting" || clock.now() >= end || signal.aborted) {
      renderStatus(status, console);
      if (signal.aborted) return interruptionCode(signal);
      return { reached: exitCodes.done, failed: exitCodes.failed, waiting: exitCodes.changes }[outcome];
    }
    await clock.sleep(pause, signal);
    // A service that is replaced meanwhile answers again.
    status = await askStatus(door).catch((error: unknown) => {
      if (clock.now() >= end) throw error;
      return status;
    });
  }
}

/** Whether a service has what is awaited. A failure of an earlier commit is none of the awaited one. */
export function outcomeOf(
  status: ServiceStatus | FleetStatus,
  { environment, commit }: Awaited,
): "reached" | "failed" | "waiting" {
  const isFleet = status.format === "infrasync-fleet-status";
  const isKnown = isFleet
    ? !status.unread && !status.database
    : status.checked_at !== undefined && !status.in_doubt && !status.stale && !status.failure;
  if (!isKnown) return "waiting";
  if (isFleet) {
    if (status.sources.some(({ state }) => failures.has(state))) return "failed";
    return status.sources.length > 0 && status.sources.every(({ state }) => reached.has(state))
      ? "reached"
      : "waiting";
  }
  const isAt = (id: string | undefined) =>
    commit === undefined || id?.startsWith(commit.toLowerCase()) === true;
  const chosen = status.environments.filter(
    ({ name }) => environment === undefined || name.toLowerCase() === environment.toLowerCase(),
  );
  if (isAt(status.commit) && (status.not_applied || status.problems.length > 0)) return "failed";
  if (isAt(status.commit) && chosen.some(({ state }) => failures.has(state))) return "failed";
  const isReached =
    chosen.length > 0 && chosen.every(({ state, applied }) => reached.has(state) && isAt(applied));
  return isReached ? "reached" : "waiting";
}
