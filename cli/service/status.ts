import { InvalidInputError, type Problem } from "../../core/problems/problem.ts";
import type { FleetStatus, ServiceStatus } from "../../reconciler/index.ts";
import { CommandError, exitCodes } from "../exit-codes.ts";
import { renderFleetStatus } from "../render/fleet-status.ts";
import { renderServiceStatus } from "../render/service-status.ts";
import { fitted } from "../render/width.ts";
import type { Console } from "../terminal/console.ts";
import { type ServiceEndpoint, messageIn, startOne } from "./endpoint.ts";
import { flagsToService } from "./user-action.ts";

/** Shows the status of a running service. @param isRequested whether the exit code depends on the status */
export async function showServiceStatus(
  endpoint: ServiceEndpoint,
  isRequested: boolean,
  problems: readonly Problem[],
  console: Console,
): Promise<number> {
  if (problems.length > 0) throw new InvalidInputError(problems);
  const status = await askStatus(endpoint);
  renderStatus(status, console);
  return isRequested ? statusExitCode(status) : exitCodes.done;
}

/** The status of a running service. @param contains the commit whose progress to tell @throws CommandError */
export async function askStatus(
  endpoint: ServiceEndpoint,
  contains?: string,
): Promise<ServiceStatus | FleetStatus> {
  const answer = await endpoint({ type: "status", contains });
  const { body: status } = answer;
  if (!isStatus(status)) {
    const message = messageIn(answer);
    throw new CommandError("unreachable", message === undefined ? exitCodes.failed : exitCodes.invalid, {
      message: message ?? "the server at this URL is not an infrasync service",
      advice: startOne,
    });
  }
  return status;
}

export function renderStatus(status: ServiceStatus | FleetStatus, console: Console): void {
  if (console.json) console.document({ ok: true, ...status });
  else if (status.format === "infrasync-fleet-status")
    console.data(renderFleetStatus(status, console.dataColors));
  else
    console.data(
      fitted(renderServiceStatus(status, console.dataColors, flagsToService(console)), console.dataWidth),
    );
}

const failures: ReadonlySet<string> = new Set(["down", "unknown", "failed", "unhealthy", "unread"]);

/** The exit code of a status: everything synced, a difference or a wait, or a failed or unknown state. */
export function statusExitCode(status: ServiceStatus | FleetStatus): number {
  const isFleet = status.format === "infrasync-fleet-status";
  const all = isFleet ? status.sources : status.environments;
  const isUnknown = isFleet && status.sources.some(({ in_doubt: doubt, failure }) => doubt ?? failure);
  if (!isKnown(status) || isUnknown || all.some(({ state }) => failures.has(state))) return exitCodes.failed;
  const isOther = status.problems.length > 0 || all.some(({ state }) => state !== "synced");
  return isOther ? exitCodes.changes : exitCodes.done;
}

/** Whether a service knows how it stands. */
export function isKnown(status: ServiceStatus | FleetStatus): boolean {
  return status.format === "infrasync-fleet-status"
    ? !status.unread && !status.database
    : status.checked_at !== undefined && !status.in_doubt && !status.stale && !status.failure;
}

function isStatus(value: unknown): value is ServiceStatus | FleetStatus {
  return (
    typeof value === "object" &&
    value !== null &&
    "format" in value &&
    (value.format === "infrasync-reconcile-status" || value.format === "infrasync-fleet-status")
  );
}
