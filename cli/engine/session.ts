import { createClient } from "../../core/api/index.ts";
import { startRun } from "../../core/run/index.ts";
import type { OperationContext } from "../../core/steps/index.ts";
import { findOrganization, type Organization } from "../../core/organization.ts";
import type { Console } from "../terminal/console.ts";
import { openLog } from "./log.ts";
import type { Settings } from "../settings/index.ts";
import type { Status } from "../terminal/status.ts";

/** What a run of a command works with. */
export interface Session {
  organization: Organization;
  operations: OperationContext;
}

/** Connects, and finds the organization: one request, none where its id is set. */
export async function openSession(settings: Settings, console: Console, status: Status): Promise<Session> {
  const operations = await connect(settings, console, status);
  return { operations, organization: await findOrganization(operations.client, settings.organization) };
}

/** Makes the client, and starts a run on it; sends nothing. */
export async function connect(
  settings: Settings,
  console: Console,
  status: Status,
): Promise<OperationContext> {
  const { baseUrl, token, tokenScheme, insecureHttp, onQuota, maxRequests, cloneTimeout } = settings;
  const { signal } = console.io;
  const log = await openLog(settings, console);
  const client = createClient({
    baseUrl,
    token,
    insecureHttp,
    onQuota,
    environment: console.io.env,
    signal,
    onWait(wait) {
      log?.info({ ...wait }, "waiting");
      status.waiting(wait);
    },
    ...(tokenScheme && { scheme: tokenScheme }),
    ...(log && { logger: log }),
  });
  const run = startRun(client, {
    signal,
    ...(maxRequests !== undefined && { maxRequests }),
    limits: { clone: cloneTimeout },
  });
  console.atEnd(() => log?.info({ ...run.client.spent }, "spent"));
  return run;
}
