import { createClient, systemClock, type Wait } from "../../core/api/index.ts";
import { type Run, startRun } from "../../core/run/index.ts";
import { findOrganization, type Organization } from "../../core/organization.ts";
import type { SecretSources } from "../../core/secrets/index.ts";
import type { Console } from "../terminal/console.ts";
import { openLog } from "./log.ts";
import type { Settings } from "../settings/index.ts";
import type { Status } from "../progress/status.ts";

/** A run, and the organization that it works on. */
export interface Session {
  organization: Organization;
  operations: Run;
}

/** Connects and finds the organization: one request, or none when the settings have its id. */
export async function openSession(
  settings: Settings,
  console: Console,
  status: Status,
  secrets: Partial<SecretSources> = {},
): Promise<Session> {
  const run = await connect(settings, console, status, secrets);
  return { operations: run, organization: await findOrganization(run.client, settings.organization) };
}

/** Makes a client and starts a run on it, without sending a request. */
export async function connect(
  settings: Settings,
  console: Console,
  status: Status,
  secrets: Partial<SecretSources> = {},
): Promise<Run> {
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
    secrets: { environment: secrets.environment ?? env, allowCommands: secrets.allowCommands ?? false },
  });
  console.atEnd(() => log?.info({ ...run.client.spent }, "spent"));
  return run;
}
