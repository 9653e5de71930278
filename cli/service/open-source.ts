import { join } from "node:path";
import { type Clock, clockByServer, systemClock } from "../../core/api/index.ts";
import type { SharedFile } from "../../core/state/live/index.ts";
import { hideSecrets } from "../../core/manifests/manifest/index.ts";
import type { Repository } from "../../adapters/git/index.ts";
import {
  RateBudget,
  Audit,
  Board,
  type CommitRules,
  KnownCommits,
  type CommitSource,
  CommitStatuses,
  controlledSource,
  defaultShares,
  failureOf,
  UserActions,
  type HeldLock,
  HintBox,
  Journal,
  type Log,
  type OperatorRules,
  ownerOf,
  PreviewKeeper,
  PreviewRecord,
  Reconciler,
  Requests,
  serve,
  Memory,
  type OtherSources,
  type SourceMetrics,
  sourceMetrics,
  TokenUsers,
  type WatchedSource,
} from "../../reconciler/index.ts";
import { buildVersion } from "../version.ts";
import type { ConsentFlags, PlanFlags } from "../flags.ts";
import { carriedOutText } from "../render/saved-plan-results.ts";
import { withServiceAdvice } from "../render/remedies.ts";
import { openSocket } from "./page.ts";
import { Clients, countingRequests, programOf, spenderOf, type ClientsSettings } from "./clients.ts";
import { withCaps } from "./operator-rules.ts";
import { type ForgePlace, pagesOfCommits } from "./forge.ts";
import { lastNotification, type Notifications, notifierOf, restrictionsOfRoutes } from "./notifications.ts";
import { policyForCommit, type RepositoryPlace, secretSourcesOfCommits } from "../repository/repository.ts";
import { partsCache, runSettings } from "../session/session.ts";
import { sharesLogs } from "../repository/shares-logs.ts";
import { openShownValues } from "../session/one-time-values.ts";

/** Milliseconds for which a cycle without other work waits for the server: less than most intervals. */
const longestWait = 10_000;

/** The repository, the organization, and the limits of a source. */
export interface SourceSettings extends Pick<
  ClientsSettings,
  "settings" | "console" | "refreshesOf" | "beforeWrite"
> {
  flags: PlanFlags & ConsentFlags;
  repository: Repository;
  source: CommitSource;
  operator: OperatorRules;
  place: RepositoryPlace;
  commitRules(): Promise<CommitRules>;
  /** Undefined: nobody is notified. */
  notifications: Notifications | undefined;
  /** Undefined: the Git host is not used. */
  forge: ForgePlace | undefined;
  /** The name and team of the source, if a service has many. */
  named?: { name: string; team?: string | undefined };
  /** The sources that spend the same token; undefined: only this one. */
  tokenUsers?: TokenUsers;
  /** Undefined: there are none. */
  others?: OtherSources;
  /** The lock of the data folder; undefined: it is a temporary one. */
  lock?: HeldLock | undefined;
  /** Stores the records of the source where another worker finds them, or throws; undefined: its folder suffices. */
  keep?: (() => Promise<void>) | undefined;
  /** The shared cache of parts for other workers; undefined: none. */
  sharedParts?: SharedFile | undefined;
}

/** An open source: its view, its actions, and its loop. */
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
      console.redact(await carriedOutText(enacted, { budget: clients.budget, now: clock.now() })),
  });
  const requests = new Requests(repository.folder);
  const clients: Clients = new Clients({
    settings,
    console,
    log: countingRequests(log, () => {
      board.requested();
      metrics.requested();
    }),
    onWait: ({ until, reason }) => board.waiting(until, reason),
    member: {
      who: spenderOf(opened.named?.name),
      program: programOf(place),
      shares: place.budgetShares ?? defaultShares,
    },
    beforeWrite: opened.beforeWrite,
    refreshesOf: opened.refreshesOf,
  });
  const tokenUsers = opened.tokenUsers ?? new TokenUsers(machine);
  tokenUsers.elsewhere = (purpose) => clients.spentElsewhere(purpose);
  const rateBudget = new RateBudget({
    clock: machine,
    interval: place.interval,
    shares: place.budgetShares,
    file: join(repository.folder, "quota.json"),
    tokenUsers,
  });
  // For windows, pauses and limits.
  const clock = clockByServer(machine, () => clients.serverAhead);
  const hints = new HintBox(machine);
  const commits = new KnownCommits(
    (ids) => repository.describe(ids),
    pagesOfCommits(place.address, forge?.api, console.io),
  );
  const board: Board = new Board({
    clock: machine,
    clockAhead: () => -clients.serverAhead,
    journal,
    commits,
    pauses: () => requests.pauses,
    requestedIn: (key) => requests.requestedIn(key),
    onRefresh(by) {
      if (rateBudget.attend(by)) hints.hint();
    },
    console: () => place.consoleUrl,
    isAncestor: (older, newer) => repository.isAncestor(older, newer),
    interval: place.interval,
    source: shownSource(opened),
    describe,
    budget: () => clients.budget,
    rateBudget: () => rateBudget.view(),
  });
  const notifier =
    opened.notifications &&
    notifierOf(opened.notifications, {
      folder: repository.folder,
      clock: machine,
      journal,
      source: shownSource(opened),
      keep: opened.keep,
      log,
    });
  const metrics: SourceMetrics = sourceMetrics({
    board,
    version: buildVersion(),
    named: opened.named,
    quota: () => ({ token: clients.tokenName, budget: clients.budget }),
    deliveries: () => notifier?.deliveries,
  });
  const memory = new Memory(join(repository.folder, "state.json"));
  let reported: string | undefined;
  const openFiles = async () => {
    await opened.lock?.ensure();
    await journal.open();
    const lostSpending = await rateBudget.open(place.data !== undefined && journal.entries().length === 0);
    if (lostSpending !== undefined) log.warn({}, lostSpending);
    const damage = await memory.read();
    if (damage !== undefined) log.warn({}, damage);
    await requests.open();
    const unknown = requests.unknown && failureOf(requests.unknown, describe).reason;
    if (unknown !== undefined && unknown !== reported) log.warn({}, unknown);
    reported = unknown;
    await notifier?.open();
  };
  // What cannot be read now fails each cycle until it can be.
  await openFiles().catch(() => undefined);
  const parts = { clients, journal, requests, rateBudget, memory, openFiles, clock, board };
  const reconciler = await reconcilerOf(opened, parts, log);
  const audit = new Audit(repository.folder, clock);
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
    clock,
    linesOf: (ids, now) => commits.lines(ids, now),
    known: () => reconciler.known,
    changed() {
      board.requestTaken();
      hints.request();
    },
  });
  const statuses = forge?.commitStatuses && new CommitStatuses({ forge: () => forge.forge(), log, journal });
  const socket = await openSocket(repository.folder, controlledSource({ board, userActions }), log);
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
        rateBudget,
        log,
        clock: machine,
        signal: console.io.signal,
        standstill: console.io.standstill,
        describe,
        journal,
        observers: [board, ...(statuses ? [statuses] : [])],
        onCycle(result, duration) {
          metrics.cycleEnded(result, duration);
          void socket.ensure();
          onCycle?.();
        },
      }),
    async close() {
      rateBudget.close();
      await Promise.all([socket.close(), notifier?.close(lastNotification)]);
    },
  };
}

async function reconcilerOf(
  opened: SourceSettings,
  parts: {
    clients: Clients;
    journal: Journal;
    requests: Requests;
    rateBudget: RateBudget;
    memory: Memory;
    openFiles(): Promise<void>;
    clock: Clock;
    board: Board;
  },
  log: Log,
): Promise<Reconciler> {
  const { clients, requests, rateBudget, memory, clock, board, journal } = parts;
  const { settings, flags, repository, source, operator, place, notifications, forge, console } = opened;
  const { clock: machine = systemClock, signal, standstill } = console.io;
  const secrets = secretSourcesOfCommits(console.io, flags, settings);
  const restrictions = async () => {
    const { restrictions: ofCommits = [] } = await opened.commitRules();
    const all = [...restrictionsOfRoutes(notifications?.routes), ...ofCommits];
    // Patterns of the operator may apply to the environments of any of many sources.
    return opened.named ? all.map((each) => ({ ...each, isShared: true as const })) : all;
  };
  return new Reconciler({
    requests,
    commitRules: () => opened.commitRules(),
    cache: partsCache(settings, console, opened.sharedParts),
    others: opened.others,
    async clients() {
      await parts.openFiles();
      return clients.current();
    },
    program: programOf(place),
    clock,
    machine,
    repository,
    source,
    memory,
    organization: settings.organization,
    policyFor: async (commit) => policyForCommit(commit, flags, settings, console, await restrictions()),
    operator: withCaps(operator, settings),
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
    rateBudget,
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
          claim: opened.others?.claimPreviews,
          clock: machine,
          log,
          record: new PreviewRecord(join(repository.folder, "previews.json")),
          slowAfter: settings.waitTimeout,
          watch: {
            previewsChecked(kept) {
              board.previewsChecked(kept);
              return journal.previewsChecked(kept);
            },
          },
        })
      : undefined,
    standstill,
  });
}

function shownSource({ named, place }: SourceSettings): WatchedSource {
  return { ...named, repository: place.address.url, branch: place.branch, path: place.path };
}
