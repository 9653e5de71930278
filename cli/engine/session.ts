import { type Client, createClient, systemClock, type Wait } from "../../core/api/index.ts";
import { type Run, type RunSettings, startRun } from "../../core/run/index.ts";
import type { SecretSources } from "../../core/secrets/index.ts";
import { findOrganization, type Organization } from "../../core/organization.ts";
import type { Log } from "../../reconciler/index.ts";
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
  const log = await openLog(settings, console);
  const client = clientFor(settings, console, log, (wait) => status.waiting(wait));
  const { clock = systemClock } = console.io;
  const run = startRun(client, { ...runSettings(settings, console, secrets), clock });
  console.atEnd(() => log?.info({ ...run.client.spent }, "spent"));
  return run;
}

/** A client for the server of the settings. */
export function clientFor(
  settings: Settings,
  { io }: Pick<Console, "io">,
  log: Pick<Log, "debug" | "info"> | undefined,
  onWait: (wait: Wait) => void = () => undefined,
): Client {
  const { baseUrl, token, tokenScheme, insecureHttp, onQuota, quotaPatience } = settings;
  const { clock = systemClock, env, signal } = io;
  const clientSettings = {
    baseUrl,
    token,
    insecureHttp,
    onQuota,
    quotaPatience,
    environment: env,
    signal,
    onWait(wait: Wait) {
      log?.info({ ...wait }, "waiting");
      onWait(wait);
    },
    ...(tokenScheme && { scheme: tokenScheme }),
    ...(log && { logger: log }),
  };
  return createClient(clientSettings, clock);
}

/** The settings of a run: its limits, and where its secrets come from. */
export function runSettings(
  { maxRequests, cloneTimeout }: Settings,
  { io }: Console,
  { environment = io.env, allowCommands = false, files = "anywhere" }: Partial<SecretSources>,
): Pick<RunSettings, "signal" | "maxRequests" | "limits" | "secrets"> {
  return {
    signal: io.signal,
    ...(maxRequests !== undefined && { maxRequests }),
    limits: { clone: cloneTimeout },
    secrets: { environment, allowCommands, files },
  };
}
