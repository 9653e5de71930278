import {
  type Client,
  type ClientSettings,
  createClient,
  HiddenTexts,
  type Ledger,
  systemClock,
  type Wait,
} from "../../core/api/index.ts";
import { cachedPages, PartsCache, type ReadCount, type SharedFile } from "../../core/state/live/index.ts";
import { type Run, type RunSettings, startRun } from "../../core/execution/session/index.ts";
import type { SecretSources } from "../../core/secrets/index.ts";
import { findOrganization, type Organization } from "../../core/state/organization.ts";
import { joinLedger, personAt, usualShares, withoutLedger } from "../../adapters/database/join.ts";
import type { Log } from "../../reconciler/index.ts";
import type { Console } from "../terminal/console.ts";
import { escapeControl } from "../../core/values/text.ts";
import { openLog } from "./log.ts";
import { openShownValues } from "./one-time-values.ts";
import type { Settings } from "../settings/index.ts";
import { ownCacheFolder } from "../../core/files/own-folder.ts";
import { withStatus } from "../progress/with-status.ts";
import type { Status } from "../progress/status.ts";

/** Where the secrets of a run come from, the file for those that the API shows once, and the name of the program in events. */
type RunFlags = Partial<SecretSources> & {
  secretsOut?: string | undefined;
  program?: ClientSettings["program"];
  /** No parts are taken from earlier runs: a run that deletes reads all that it deletes anyway, and needs no events for it. */
  withoutCache?: boolean;
};

/** A run, and the organization that it works on. */
export interface Session {
  organization: Organization;
  run: Run;
}

/** Connects and finds the organization: one request, or none when the settings have its id. */
export async function openSession(
  settings: Settings,
  console: Console,
  status: Status,
  flags: RunFlags = {},
): Promise<Session> {
  const run = await connect(settings, console, status, flags);
  return { run, organization: await findOrganization(run.client, settings.organization) };
}

/** Opens a session and works with it; the status line says that it reads, until the work changes that. */
export function withSession<Result>(
  { settings, console, flags }: { settings: Settings; console: Console; flags?: RunFlags },
  work: (session: Session, status: Status) => Promise<Result>,
): Promise<Result> {
  return withStatus(console, async (status) => {
    status.reading();
    const session = await openSession(settings, console, status, flags);
    const result = await work(session, status);
    const { client, live } = session.run;
    await live.parts.save({ organizationId: session.organization.id, end: client.serverTime, isOver: true });
    return result;
  });
}

/** Milliseconds for which a list waits for others that need it too: deletions under one parent end one after the other. */
const gathering = 50;

/** Makes a client and starts a run on it, without sending a request. */
export async function connect(
  settings: Settings,
  console: Console,
  status: Status,
  flags: RunFlags = {},
): Promise<Run> {
  const shown = await openShownValues(flags.secretsOut, console);
  const log = await openLog(settings, console);
  const client = clientFor(settings, console, {
    log,
    onWait: (wait) => status.waiting(wait),
    ...(flags.program && { program: flags.program }),
  });
  const { clock = systemClock } = console.io;
  const onRead = (count: ReadCount) => status.read(count);
  const cache = partsCache(settings, console);
  const run = startRun(client, {
    gathering,
    ...runSettings(settings, console, flags),
    ...shown,
    cache: flags.withoutCache ? undefined : cache,
    creations: cache?.creations,
    clock,
    onRead,
    onDeployment: (services) => status.deploying(services),
    onWait: (wait) => status.waiting(wait),
  });
  console.atEnd(() => log?.info({ ...run.client.spent }, "spent"));
  return run;
}

/** The parts that earlier runs have read with this token; undefined where no folder can have them. */
export function partsCache(
  { token, baseUrl, maxAge, fresh, cache }: Settings,
  console: Pick<Console, "io" | "note">,
  shared?: SharedFile,
): PartsCache | undefined {
  const folder = ownCacheFolder("parts", cache, console.io.env, console.io.user);
  const onDamage = (report: string) => console.note(report);
  if (folder !== undefined)
    return new PartsCache({ folder, token, baseUrl, maxAge, fresh, shared, onDamage });
  if (cache !== undefined)
    console.note(
      `Nothing is cached in ${escapeControl(cache)}: it has to be a folder, no link, and yours alone.`,
    );
  return undefined;
}

export interface ClientUse extends Pick<ClientSettings, "mostTries" | "requestTimeout"> {
  log?: Pick<Log, "debug" | "info"> | undefined;
  onWait?: (wait: Wait) => void;
  beforeWrite?: (() => Promise<void>) | undefined;
  /** The name of the client in the events of the organization; default: `infrasync`. */
  program?: ClientSettings["program"];
  /** The ledger of the client's requests; default: the ledger that the environment names, with the purpose of a person. */
  ledger?: Ledger | undefined;
  /** What its messages do not show; default: what no output shows. */
  hidden?: HiddenTexts;
}

export function clientFor(
  settings: Settings,
  console: Pick<Console, "io"> & Partial<Pick<Console, "note">>,
  {
    log,
    onWait = () => undefined,
    beforeWrite,
    program,
    ledger = personalLedger(settings, console),
    hidden = new HiddenTexts(console.io.hidden),
    ...tries
  }: ClientUse = {},
): Client {
  const { baseUrl, token, tokenScheme, insecureHttp, onQuota, quotaPatience, fixedSpending } = settings;
  const { clock = systemClock, env, signal, user } = console.io;
  const folder = ownCacheFolder("parts", settings.cache, env, user);
  const clientSettings = {
    ...tries,
    baseUrl,
    token,
    insecureHttp,
    onQuota,
    onQuotaIn: fixedSpending?.onQuota,
    quotaPatience,
    environment: env,
    hidden,
    signal,
    onWait(wait: Wait) {
      log?.info({ ...wait }, "waiting");
      onWait(wait);
    },
    ...(tokenScheme && { scheme: tokenScheme }),
    ...(log && { logger: log }),
    ...(beforeWrite && { beforeWrite }),
    ...(program && { program }),
    ...(ledger && { ledger }),
    ...(folder !== undefined && {
      pages: cachedPages(folder, settings, console.note && ((report) => console.note?.(report))),
    }),
  };
  return createClient(clientSettings, clock);
}

function personalLedger(
  { baseUrl, token }: Settings,
  console: Pick<Console, "io"> & Partial<Pick<Console, "note">>,
): Ledger | undefined {
  const { env } = console.io;
  return joinLedger({
    baseUrl,
    token,
    who: `infrasync (${personAt(env)})`,
    shares: usualShares,
    environment: env,
    onAway: (reason) => console.note?.(`Note: ${withoutLedger(reason)}.`),
  });
}

/** The settings of a run: its limits, and where its secrets come from. */
export function runSettings(
  { maxRequests, cloneTimeout, allowEnv }: Settings,
  { io }: Console,
  {
    environment = io.env,
    variables = allowEnv,
    allowCommands = false,
    files = "anywhere",
    folder,
  }: Partial<SecretSources>,
): Pick<RunSettings, "signal" | "maxRequests" | "limits" | "secrets"> {
  return {
    signal: io.signal,
    maxRequests,
    limits: { clone: cloneTimeout },
    secrets: { environment, allowCommands, files, variables, folder },
  };
}
