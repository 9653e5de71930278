import { InvalidInputError, type Problem } from "../../../core/problem.ts";
import type { ServiceStatus } from "../../../reconciler/index.ts";
import { exitCodes } from "../../exit-codes.ts";
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
  else console.data(renderServiceStatus(status, console.dataColors));
  return exitCodes.done;
}

async function ask({ url, token }: ServiceAddress): Promise<ServiceStatus> {
  const answer = await fetch(`${url}/status.json`, {
    headers: await authorization(token),
    redirect: "error",
    signal: AbortSignal.timeout(answerTimeout),
  }).catch(() => undefined);
  if (answer?.status === 401) throw unauthorized(url);
  const status: unknown = answer?.ok ? await answer.json().catch(() => undefined) : undefined;
  if (!isStatus(status)) throw unreachable(url);
  return status;
}

function isStatus(value: unknown): value is ServiceStatus {
  return (
    typeof value === "object" &&
    value !== null &&
    "format" in value &&
    value.format === "infrasync-reconcile-status"
  );
}
