import { hostname } from "node:os";
import { join } from "node:path";
import { type Clock, clockByServer, systemClock } from "../../core/api/index.ts";
import type { SharedFile } from "../../core/state/live/index.ts";
import { hideSecrets } from "../../core/manifests/manifest/index.ts";
import type { Repository } from "../../adapters/git/index.ts";
import {
  RateBudget,
  Audit,
  Board,
  type Bounds,
  KnownCommits,
  type CommitSource,
  CommitStatuses,
  controlledSource,
  defaultShares,
  type Deleters,
  UserActions,
  HintBox,
  Journal,
  type Log,
  Notifier,
  type OperatorRules,
  ownerOf,
  type PreviewClaim,
  PreviewKeeper,
  PreviewRecord,
  Reconciler,
  Requests,
  serve,
  type SourceClaim,
  Memory,
  type SourceMemory,
  SourceMetrics,
  type ServedSocket,
  serveSocket,
  TokenUsers,
  type WatchedSource,
} from "../../reconciler/index.ts";
import { buildVersion } from "../version.ts";
import type { ConsentFlags, PlanFlags } from "../flags.ts";
import { carriedOutText } from "../render/saved-plan-results.ts";
import { withServiceAdvice } from "../render/remedies.ts";
import type { Settings } from "../settings/index.ts";
import type { Console } from "../terminal/console.ts";
import { Clients, type SharedReadsOf, programOf } from "./clients.ts";
import { withCaps } from "./operator-rules.ts";
import { type ForgePlace, pagesOfCommits } from "./forge.ts";
import { type Notifications, restrictionsOfRoutes } from "./notifications.ts";
import { policyForCommit, type RepositoryPlace, secretSourcesOfCommits } from "../repository/repository.ts";
import { keptParts, runSettings } from "../session/session.ts";
import { sharesLogs } from "../repository/shares-logs.ts";
import { openShownValues } from "../session/one-time-values.ts";

/** Milliseconds that the last notification has when a source or a service ends. */
export const lastNotification = 3000;
/** Milliseconds for which a cycle waits for the server where nothing else is left to do: less than most intervals. */
const longestWait = 10_000;

/** The repository, the organization, and the bounds of a source. */
export interface SourceSettings {
  settings: Settings;
  flags: PlanFlags & ConsentFlags;
  repository: Repository;
  source: CommitSource;
  operator: OperatorRules;
  place: RepositoryPlace;
  /** The limits of a commit. */
  bounds(): Promise<Bounds>;
  /** Undefined if nobody is notified. */
  notifications: Notifications | undefined;
  /** Undefined if nothing is done on the forge. */
  forge: ForgePlace | undefined;
  /** Where a service has many sources: the name of this one, and whose it is. */
  named?: { name: string; team?: string | undefined };
  /** The sources that spend the same token; undefined if only this one does. */
  tokenUsers?: TokenUsers;
  /** The state that it shares with sources of the same organization and token; undefined: nothing. */
  looksOf?: SharedReadsOf;
  /** What other sources want; undefined if there are none. */
  claims?: SourceClaim;
  /** Which previews other sources want; undefined if there are none. */
  claimPreviews?: PreviewClaim | undefined;
  /** Which source has deleted what; undefined if there is only this one. */
  deleters?: Deleters;
  /** What all other sources remember; undefined if there are none. */
  others?(): Promise<readonly SourceMemory[]>;
  /** Called before each request that may change something; it throws where that must not be. */
  beforeWrite?: (() => Promise<void>) | undefined;
  /** Stores what the source remembers where another worker finds it; undefined: its folder is enough. It throws where it cannot. */
  keep?: (() => Promise<void>) | undefined;
  /** Where another worker finds what this one has read of parts; undefined: nowhere. */
  keptParts?: SharedFile | undefined;
  console: Console;
}

/** A source that is open: what people see of it, how they act on it, and its loop. */
export interface OpenSource {
  board: Board;
  metrics: SourceMetrics;
  userActions: UserActions;
  hints: HintBox;
  /** Repeats the cycle until the signal of the console. @param onCycle called after each cycle */
  serve(onCycle?: () => void): Promise<"stopped" | "standstill">;
  close(): Promise<void>;
}

/** Opens a source in its data folder, which this process has locked. */
export async function openSource(opened: SourceSettings, log: Log): Promise<OpenSource> {
  const { settings, repository, place, forge, console } = opened;
  const machine = console.io.clock ?? systemClock;
  const describe: typeof withServiceAdvice = (problem) => console.redact(withServiceAdvice(problem));
  const journal = new Journal({
    folder: repository.folder,
    clock: machine,
    log,
    describe,
    keep: opened.keep,
    render: async (enacted) =>
      console.redact(await carriedOutText(enacted, { budget: clients.budget, now: parts.clock.now() })),
  });
  await journal.open();
  const requests = new Requests(repository.folder);
  await requests.open();
  const clients: Clients = new Clients(
    settings,
    console,
    countingRequests(log, () => {
      board.requested();
      metrics.requested();
    }),
    ({ until, reason }) => board.waiting(until, reason),
    {
      who: spenderOf(opened.named?.name),
      program: programOf(place),
      shares: place.budgetShares ?? defaultShares,
    },
    opened.beforeWrite,
    opened.looksOf,
  );
  const tokenUsers = opened.tokenUsers ?? new TokenUsers(machine);
  tokenUsers.elsewhere = (purpose) => clients.spentElsewhere(purpose);
  const allowance = new RateBudget({
    clock: machine,
    interval: place.interval,
    shares: place.budgetShares,
    file: join(repository.folder, "quota.json"),
    isFirst: place.data !== undefined && journal.entries().length === 0,
    tokenUsers,
  });
  const parts: SourceParts = {
    clients,
    journal,
    requests,
    allowance,
    clock: clockByServer(machine, () => clients.serverAhead),
    describe,
  };
  const hints = new HintBox(machine);
  const board = boardOf(opened, parts, () => {
    if (allowance.attend()) hints.hint();
  });
  const notifier = await openNotifier(opened, journal, log);
  const metrics = new SourceMetrics({
    board,
    version: buildVersion(),
    named: opened.named,
    quota: () => ({ token: clients.tokenName, budget: clients.budget }),
    deliveries: () => notifier?.deliveries,
  });
  const reconciler = await reconcilerOf(opened, { ...parts, board }, log);
  const audit = new Audit(repository.folder, parts.clock);
  journal.onEntries(async (entries) => {
    for (const entry of entries)
      if (entry.type === "ended")
        await audit
          .add(entry)
          .catch((error: unknown) => log.warn({ reason: String(error) }, "the audit cannot be written"));
  });
  const userActions = new UserActions({
    requests,
    audit,
    clock: parts.clock,
    folder: repository.folder,
    known: () => reconciler.known,
    wake: () => hints.request(),
    changed: (pauses, now) => board.asked(pauses, now),
  });
  const statuses = forge?.commitStatuses && new CommitStatuses({ forge: () => forge.forge(), log, describe });
  const socket: ServedSocket | void = await serveSocket(
    repository.folder,
    controlledSource({ board, userActions }),
  ).catch((error: unknown) =>
    log.warn({ reason: String(error) }, "no commands on this machine: the socket cannot be made"),
  );
  return {
    board,
    metrics,
    userActions,
    hints,
    serve: (onCycle) =>
      serve({
        reconciler,
        source: opened.named?.name,
        interval: place.interval,
        hints,
        nextLiveRead: () => allowance.nextLiveRead,
        attention: () => allowance.attention,
        reasonForInterval: () => allowance.reasonForInterval,
        log,
        clock: machine,
        signal: console.io.signal,
        standstill: console.io.standstill,
        describe,
        journal,
        observers: [board, ...(statuses ? [statuses] : [])],
        onCycle(result, duration) {
          metrics.cycleEnded(result, duration);
          onCycle?.();
        },
      }),
    async close() {
      allowance.close();
      await Promise.all([socket?.close(), notifier?.close(lastNotification)]);
    },
  };
}

/** What a source sends requests with, keeps in its folder, and goes by. */
interface SourceParts {
  clients: Clients;
  journal: Journal;
  requests: Requests;
  allowance: RateBudget;
  /** By which windows, pauses and limits go: that of the server. */
  clock: Clock;
  /** For the log, the page, notifications and commit statuses alike. */
  describe: typeof withServiceAdvice;
}

function boardOf(
  opened: SourceSettings,
  { clients, journal, requests, allowance, describe }: SourceParts,
  onLook: () => void,
): Board {
  const { repository, place, forge, console } = opened;
  return new Board({
    clock: console.io.clock ?? systemClock,
    clockAhead: () => -clients.serverAhead,
    journal,
    commits: new KnownCommits(
      (ids) => repository.describe(ids),
      pagesOfCommits(place.address, forge?.api, console.io),
    ),
    askedIn: (key) => requests.askedIn(key),
    onLook,
    isAncestor: (older, newer) => repository.isAncestor(older, newer),
    interval: place.interval,
    source: shownSource(opened),
    describe,
    budget: () => clients.budget,
    allowance: () => allowance.view(),
  });
}

async function openNotifier(
  opened: SourceSettings,
  journal: Journal,
  log: Log,
): Promise<Notifier | undefined> {
  if (!opened.notifications) return undefined;
  const notifier = new Notifier({
    ...opened.notifications,
    clock: opened.console.io.clock ?? systemClock,
    journal,
    source: shownSource(opened),
    file: join(opened.repository.folder, "notified.json"),
    keep: opened.keep,
    log,
  });
  await notifier.open();
  return notifier;
}

async function reconcilerOf(
  opened: SourceSettings,
  { clients, requests, allowance, clock, board, journal }: SourceParts & { board: Board },
  log: Log,
): Promise<Reconciler> {
  const { settings, flags, repository, source, operator, place, notifications, forge, console } = opened;
  const { clock: machine = systemClock, signal, standstill } = console.io;
  const { deleters, named: { name } = { name: "" } } = opened;
  const secrets = secretSourcesOfCommits(console.io, flags, settings);
  const restrictions = async () => {
    const { restrictions: ofCommits = [] } = await opened.bounds();
    const all = [...restrictionsOfRoutes(notifications?.routes), ...ofCommits];
    // Of many sources, each has environments that a pattern of the operator may be about.
    return opened.named ? all.map((each) => ({ ...each, isShared: true as const })) : all;
  };
  const memory = new Memory(join(repository.folder, "state.json"));
  const damage = await memory.read();
  if (damage !== undefined)
    log.warn(
      { damage },
      "the memory in state.json is damaged: what it knew is unknown now, so nothing is deleted by it",
    );
  return new Reconciler({
    requests,
    bounds: () => opened.bounds(),
    kept: keptParts(settings, console, opened.keptParts),
    claims: opened.claims,
    others: opened.others,
    deleters: deleters && ((ids) => deleters.others(name, ids)),
    deleting: deleters && ((ids) => deleters.note(name, ids)),
    clients: () => clients.current(),
    program: programOf(place),
    clock,
    machine,
    repository,
    source,
    memory,
    organization: settings.organization,
    policyFor: async (commit) => policyForCommit(commit, flags, settings, console, await restrictions()),
    operator: withCaps(operator, settings),
    pauses: repository.folder,
    slowAfter: settings.waitTimeout,
    redact: (text) => clients.redact(text),
    sharesLogs: sharesLogs(console.io),
    hideSecrets: (resources, programs = false) =>
      hideSecrets(resources, secrets, console.hidden, { programs, signal }),
    run: {
      ...runSettings(settings, console, secrets),
      ...(await openShownValues(flags.secretsOut, console)),
    },
    onQuota: settings.onQuota,
    parallelism: settings.parallelism,
    longestWait,
    allowance,
    watch: {
      async applying(plan, of) {
        await journal.begins(plan, of);
        board.applying(plan);
      },
    },
    previews: forge?.previews
      ? new PreviewKeeper({
          forge: () => forge.forge(),
          branch: place.branch,
          owner: ownerOf({ ...place, of: forge.project }),
          claim: opened.claimPreviews,
          clock: machine,
          log,
          record: new PreviewRecord(join(repository.folder, "previews.json")),
          slowAfter: settings.waitTimeout,
          watch: {
            previewsKept(kept) {
              board.previewsKept(kept);
              return journal.previewsKept(kept);
            },
          },
        })
      : undefined,
    standstill,
  });
}

/** The source as people see it. */
function shownSource({ named, place }: SourceSettings): WatchedSource {
  return { ...named, repository: place.address.url, branch: place.branch, path: place.path };
}

/** A log that counts the requests in it. */
function countingRequests(log: Log, onRequest: () => void): Log {
  return {
    ...log,
    debug(fields, message) {
      if (message === "request") onRequest();
      log.debug(fields, message);
    },
  };
}

/** The name of this source in the ledger of a token. */
function spenderOf(source: string | undefined): string {
  const service = `reconciler on ${hostname()}`;
  return source === undefined ? service : `source ${source} (${service})`;
}
