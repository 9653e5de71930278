import { type Client, createClient, systemClock } from "../../core/api/index.ts";
import { defaultLimits, Looks, type OperationContext } from "../../core/steps/index.ts";
import { findOrganization, type Organization } from "../../core/organization.ts";
import type { Console } from "../terminal/console.ts";
import { openLog } from "./log.ts";
import type { RemoteSettings } from "../settings/index.ts";
import type { Status } from "../terminal/status.ts";

/** A connection to the API, for one run. */
export interface Session {
  client: Client;
  organization: Organization;
  /** What changes are carried out with. */
  operations: OperationContext;
}

/** Connects, and finds the organization: one request, none where its id is set. */
export async function openSession(
  settings: RemoteSettings,
  console: Console,
  status: Status,
): Promise<Session> {
  const client = await connect(settings, console, status);
  const organization = await findOrganization(client, settings.organization);
  return { client, organization, operations: operationsOf(client, settings, console) };
}

/** Makes the client; sends nothing. */
export async function connect(settings: RemoteSettings, console: Console, status: Status): Promise<Client> {
  const { baseUrl, token, tokenScheme, insecureHttp, onQuota, maxRequests } = settings;
  const log = await openLog(settings, console);
  const client = createClient({
    baseUrl,
    token,
    insecureHttp,
    onQuota,
    environment: console.io.env,
    signal: console.io.signal,
    onWait(wait) {
      log?.info({ ...wait }, "waiting");
      status.waiting(wait);
    },
    ...(tokenScheme && { scheme: tokenScheme }),
    ...(maxRequests !== undefined && { maxRequests }),
    ...(log && { logger: log }),
  });
  console.atEnd(() => log?.info({ ...client.spent }, "spent"));
  return client;
}

/** What changes are carried out with, over one client. */
export function operationsOf(
  client: Client,
  { cloneTimeout }: RemoteSettings,
  console: Console,
): OperationContext {
  return {
    client,
    clock: systemClock,
    looks: new Looks(client, systemClock),
    limits: { ...defaultLimits, ...(cloneTimeout !== undefined && { clone: cloneTimeout }) },
    signal: console.io.signal,
  };
}
