import { createClient, systemClock, type Wait } from "../../core/api/index.ts";
import { startRun } from "../../core/run/index.ts";
import type { OperationContext } from "../../core/steps/index.ts";
import { findOrganization, type Organization } from "../../core/organization.ts";
import type { Console } from "../terminal/console.ts";
import { openLog } from "./log.ts";
import type { Settings } from "../settings/index.ts";
import type { Status } from "../progress/status.ts";

/** A connection to the server, and the organization that a command works on. */
export interface Session {
  organization: Organization;
  operations: OperationContext;
}

/** Connects and finds the organization: one request, or none when the settings have its id. */
export async function openSession(settings: Settings, console: Console, status: Status): Promise<Session> {
  const operations = await connect(settings, console, status);
  return { operations, organization: await findOrganization(operations.client, settings.organization) };
}

/** Makes a client and starts a run on it, without sending a request. */
export async function connect(
  settings: Settings,
  console: Console,
  status: Status,
): Promise<OperationContext> {
  const { baseUrl, token, tokenScheme, insecureHttp, onQuota, maxRequests, cloneTimeout } = settings;
  const { clock = systemClock, env, signal } = console.io;
  const log = await openLog(settings, console);
  const clientSettings = {
    baseUrl,
    token,
    insecureHttp,
    onQuota,
    environment: env,
    signal,
    onWait(wait: Wait) {
      log?.info({ ...wait }, "waiting");
      status.waiting(wait);
    },
    ...(tokenScheme && { scheme: tokenScheme }),
    ...(log && { logger: log }),
  };
  const run = startRun(createClient(clientSettings, clock), {
    clock,
    signal,
    ...(maxRequests !== undefined && { maxRequests }),
    limits: { clone: cloneTimeout },
  });
  console.atEnd(() => log?.info({ ...run.client.spent }, "spent"));
  return run;
}
