import { InvalidInputError, type Problem } from "../../../core/problem.ts";
import { readPageToken, type ServiceStatus } from "../../../reconciler/index.ts";
import { CommandError, exitCodes } from "../../exit-codes.ts";
import { renderServiceStatus } from "../../render/service-status.ts";
import type { Console } from "../../terminal/console.ts";
import type { PagePlace } from "./page.ts";

/** How long the service may take to answer, in milliseconds. */
const patience = 10_000;

/** Asks the service that runs at the address of the page how it stands, and shows that. */
export async function showServiceStatus(
  page: PagePlace | undefined,
  problems: readonly Problem[],
  console: Console,
): Promise<number> {
  if (problems.length > 0) throw new InvalidInputError(problems);
  if (!page || page.port === 0)
    throw new CommandError("usage", exitCodes.invalid, {
      message: "without an address there is no service to ask",
      advice: "give the address of its page with --listen",
    });
  const status = await ask(page);
  if (console.json) console.document({ ok: true, ...status });
  else console.data(renderServiceStatus(status, console.dataColors));
  return exitCodes.done;
}

async function ask({ host, port, access }: PagePlace): Promise<ServiceStatus> {
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const token = access.type === "token" ? await readPageToken(access.file) : undefined;
  const answer = await fetch(`${url}/status.json`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    redirect: "error",
    signal: AbortSignal.timeout(patience),
  }).catch(() => undefined);
  if (answer?.status === 401)
    throw new CommandError("unauthorized", exitCodes.failed, {
      message: `the service at ${url} wants the token of its page`,
      advice: "name its file with --ui-token-file",
    });
  const status: unknown = answer?.ok ? await answer.json().catch(() => undefined) : undefined;
  if (!isStatus(status))
    throw new CommandError("unreachable", exitCodes.failed, {
      message: `no service answers at ${url}`,
      advice: "start infrasync reconcile, or give the address of its page with --listen",
    });
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
