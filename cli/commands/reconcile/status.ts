import { InvalidInputError, type Problem } from "../../../core/problem.ts";
import type { FleetStatus, ServiceStatus } from "../../../reconciler/index.ts";
import { escapeControl } from "../../../core/text.ts";
import { CommandError, exitCodes } from "../../exit-codes.ts";
import { renderFleetStatus } from "../../render/fleet-status.ts";
import { renderServiceStatus } from "../../render/service-status.ts";
import type { Console } from "../../terminal/console.ts";
import {
  authorization,
  noAddress,
  answerTimeout,
  type ServiceAddress,
  unauthorized,
  unreachable,
} from "./service-address.ts";

/** Asks the service that runs at the address of the page how it stands, and shows that. */
export async function showServiceStatus(
  address: ServiceAddress | undefined,
  problems: readonly Problem[],
  console: Console,
): Promise<number> {
  if (problems.length > 0) throw new InvalidInputError(problems);
  if (!address) throw noAddress();
  const status = await ask(address);
  if (console.json) console.document({ ok: true, ...status });
  else if (status.format === "infrasync-fleet-status")
    console.data(renderFleetStatus(status, console.dataColors));
  else console.data(renderServiceStatus(status, console.dataColors));
  return exitCodes.done;
}

async function ask(address: ServiceAddress): Promise<ServiceStatus | FleetStatus> {
  const { url, token } = address;
  const answer = await fetch(`${url}/status.json`, {
    headers: await authorization(token),
    redirect: "error",
    signal: AbortSignal.timeout(answerTimeout),
  }).catch(() => undefined);
  if (answer?.status === 401) throw unauthorized(address);
  const status: unknown = answer?.ok ? await answer.json().catch(() => undefined) : undefined;
  if (answer?.status === 404 && url.includes("/sources/")) throw noSource(url);
  if (!isStatus(status)) throw unreachable(url);
  return status;
}

/** Of a service with many sources. */
function noSource(url: string): CommandError {
  const name = url.slice(url.lastIndexOf("/") + 1);
  return new CommandError("unreachable", exitCodes.failed, {
    message: `no source ${escapeControl(decodeURIComponent(name))} runs at this service`,
    advice: "infrasync reconcile status names its sources",
  });
}

function isStatus(value: unknown): value is ServiceStatus | FleetStatus {
  return (
    typeof value === "object" &&
    value !== null &&
    "format" in value &&
    (value.format === "infrasync-reconcile-status" || value.format === "infrasync-fleet-status")
  );
}
