import { InvalidInputError, type Problem } from "../../../core/problem.ts";
import type { FleetStatus, ServiceStatus } from "../../../reconciler/index.ts";
import { CommandError, exitCodes } from "../../exit-codes.ts";
import { renderFleetStatus } from "../../render/fleet-status.ts";
import { renderServiceStatus } from "../../render/service-status.ts";
import type { Console } from "../../terminal/console.ts";
import { type Door, messageIn } from "./door.ts";

/** Asks a running service how it stands, and shows that. */
export async function showServiceStatus(
  door: Door,
  problems: readonly Problem[],
  console: Console,
): Promise<number> {
  if (problems.length > 0) throw new InvalidInputError(problems);
  const answer = await door.ask({ type: "status" });
  const { body: status } = answer;
  if (!isStatus(status)) {
    const message = messageIn(answer);
    throw new CommandError("unreachable", message === undefined ? exitCodes.failed : exitCodes.invalid, {
      message: message ?? "what answers there is no service of infrasync",
      advice: "start infrasync reconcile, or set the address of its page with --listen or --url",
    });
  }
  if (console.json) console.document({ ok: true, ...status });
  else if (status.format === "infrasync-fleet-status")
    console.data(renderFleetStatus(status, console.dataColors));
  else console.data(renderServiceStatus(status, console.dataColors));
  return exitCodes.done;
}

function isStatus(value: unknown): value is ServiceStatus | FleetStatus {
  return (
    typeof value === "object" &&
    value !== null &&
    "format" in value &&
    (value.format === "infrasync-reconcile-status" || value.format === "infrasync-fleet-status")
  );
}
