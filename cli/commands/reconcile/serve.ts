import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "../../../core/api/index.ts";
import type { Repository } from "../../../git/index.ts";
import {
  type AccessFile,
  Allowance,
  Audit,
  audiences,
  Board,
  type CommitSource,
  CommitStatuses,
  Desk,
  HintBox,
  History,
  type Holder,
  type Log,
  Metrics,
  Notifier,
  type OperatorRules,
  PreviewKeeper,
  PreviewRecord,
  Reconciler,
  Requests,
  serve,
  type ServedWebhook,
  servePage,
  serveSocket,
  serveWebhook,
  unbounded,
} from "../../../reconciler/index.ts";
import { packageVersion } from "../../version.ts";
import { exitCodes } from "../../exit-codes.ts";
import type { ConsentFlags, PlanFlags } from "../../flags.ts";
import { runsHtml } from "../../render/plan-html.ts";
import { withAdvice } from "../../render/remedies.ts";
import type { Settings } from "../../settings/index.ts";
import type { Console } from "../../terminal/console.ts";
import { type ListenAddress, refuseAddress, type PagePlace, webhookSecret } from "./page.ts";
import { Clients } from "./clients.ts";
import { withCaps } from "./operator-rules.ts";
import { openServiceLog } from "../../support/log.ts";
import { withLock } from "./lock.ts";
import { readPeople } from "./people.ts";
import type { ForgePlace } from "./forge.ts";
import type { Notifications } from "./notifications.ts";
import { policyForCommit, type RepositoryPlace, secretSourcesOfCommits } from "../../support/repository.ts";
import { readSecretText } from "../../support/secret-text.ts";
import { keptParts, runSettings } from "../../support/session.ts";
import { openShownValues } from "../../support/shown-values.ts";

/** Milliseconds that the requests under way have when the service ends, and after them the last notification: ten seconds together. */
const lastRequests = 6000;
const lastNotification = 3000;
/** Milliseconds for which a cycle waits for the server where nothing else is left to do: less than most intervals. */
const longestWait = 10_000;

/** What a service works with. */
interface Service {
  settings: Settings;
  flags: PlanFlags & ConsentFlags;
  repository: Repository;
  source: CommitSource;
  operator: OperatorRules;
  place: RepositoryPlace;
  /** Undefined: there is no page. */
  page: PagePlace | undefined;
  /** Who may act, and what a commit may do; undefined: nobody over HTTP, and anything. */
  access: AccessFile | undefined;
  /** Where webhooks are received; undefined: nowhere. */
  webhook: ListenAddress | undefined;
  /** Undefined: nobody is notified. */
  notifications: Notifications | undefined;
  /** Undefined: nothing is done on the forge. */
  forge: ForgePlace | undefined;
  console: Console;
}

/**
 * Runs the reconciler until the process is interrupted, or has nothing left to do, and returns the exit code. While another
 * one works with the same data folder, it waits: it takes over when that one has ended, however it does.
 */
export async function runService(service: Service): Promise<number> {
  const { settings, place, console } = service;
  const log = await openServiceLog(settings, console);
  const onHeld = (holder: Holder | undefined) =>
    log.warn({ ...holder }, "another reconciler works with this data folder; waiting for its end");
  const { signal } = console.io;
  const code = await withLock(place, signal, onHeld, () => runAlone(service, log));
  if (code === undefined) log.info({ signal: String(signal.reason) }, "stopped");
  return code ?? exitCodes.done;
}

async function runAlone(service: Service, log: Log): Promise<number> {
  const {
    settings,
    flags,
    repository,
    source,
    operator,
    place,
    page,
    access,
    webhook,
    notifications,
    forge,
    console,
  } = service;
  const { clock = systemClock, signal, standstill } = console.io;
  const history = new History(repository.folder, (error) =>
    log.warn({ reason: String(error) }, "the history cannot be written"),
  );
  await history.open();
  const shownSource = { repository: place.address.url, branch: place.branch, path: place.path };
  const allowance = new Allowance({
    clock,
    interval: place.interval,
    shares: place.budgetShares,
    file: join(repository.folder, "quota.json"),
    isFirst: place.data !== undefined && history.entries().length === 0,
  });
  const board = new Board({
    clock,
    history,
    interval: place.interval,
    source: shownSource,
    describe: withAdvice,
    budget: () => clients.budget,
    allowance: () => allowance.view(),
    render: (enacted) => console.redact(runsHtml(enacted, { budget: clients.budget, now: clock.now() })),
  });
  const metrics = new Metrics(board, packageVersion());
  const seen: Log = {
    ...log,
    debug(fields, message) {
      if (message === "request") {
        board.requested();
        metrics.requested();
      }
      log.debug(fields, message);
    },
  };
  const clients = new Clients(settings, console, seen, ({ until, reason }) => board.waiting(until, reason));
  const shown = await openShownValues(flags.secretsOut, console);
  const kept = keptParts(settings, console);
  const requests = new Requests(repository.folder);
  await requests.open();
  const reconciler = new Reconciler({
    requests,
    bounds: async () => (await access?.rules()) ?? unbounded,
    ...(kept && { kept }),
    clients: () => clients.current(),
    clock,
    repository,
    source,
    stateFile: join(repository.folder, "state.json"),
    organization: settings.organization,
    policyFor: (commit) => policyForCommit(commit, flags, settings, console),
    operator: withCaps(operator, settings),
    suspensions: repository.folder,
    slowAfter: settings.waitTimeout,
    redact: (text) => console.redact(text),
    run: { ...runSettings(settings, console, secretSourcesOfCommits(console.io, flags, settings)), ...shown },
    onQuota: settings.onQuota,
    parallelism: settings.parallelism,
    longestWait,
    allowance,
    watch: board,
    ...(forge?.previews && {
      previews: new PreviewKeeper({
        forge: () => forge.forge(),
        branch: place.branch,
        clock,
        log,
        record: new PreviewRecord(join(repository.folder, "previews.json")),
        watch: board,
      }),
    }),
    ...(standstill && { standstill }),
  });
  const hints = new HintBox(clock);
  const desk = new Desk({
    requests,
    audit: new Audit(repository.folder),
    clock,
    folder: repository.folder,
    known: () => reconciler.known,
    wake: () => hints.request(),
  });
  const notifier =
    notifications &&
    new Notifier({
      ...notifications,
      clock,
      source: shownSource,
      file: join(repository.folder, "notified.json"),
      describe: withAdvice,
      log,
    });
  const statuses = forge?.commitStatuses && new CommitStatuses({ forge: () => forge.forge(), log });
  const servedPage =
    page &&
    (await servePage({
      ...page,
      ...(await readPeople(page.access, access, desk, log, console)),
      board,
      metrics,
      signal,
    }).catch(refuseAddress("the page", "--listen", page)));
  const socket = await serveSocket(repository.folder, desk).catch((error: unknown) =>
    log.warn({ reason: String(error) }, "nobody can act on this machine: the socket cannot be made"),
  );
  const servedWebhook = webhook && (await receiveWebhooks(webhook, hints, log, console));
  console.data(JSON.stringify({ url: servedPage?.url ?? null, webhook_url: servedWebhook?.url ?? null }));
  try {
    const over = new AbortController();
    const serving = serve({
      reconciler,
      interval: place.interval,
      hints,
      nextLiveRead: () => allowance.nextLiveRead,
      log,
      clock,
      signal,
      ...(standstill && { standstill }),
      describe: withAdvice,
      audience: audiences([board, ...(notifier ? [notifier] : []), ...(statuses ? [statuses] : [])]),
      onCycle: (result, duration) => metrics.cycleEnded(result, duration),
    }).finally(() => over.abort());
    const ended = await Promise.race([serving, unanswered(signal, over.signal)]);
    if (ended === "unanswered")
      log.error(
        { signal: String(signal.reason) },
        "stopped while the API had not answered a request; the next start finds out what became of it",
      );
    return ended === "stopped" ? exitCodes.done : exitCodes.failed;
  } finally {
    await Promise.all([
      servedPage?.close(),
      socket?.close(),
      servedWebhook?.close(),
      notifier?.close(lastNotification),
    ]);
  }
}

/** Settles when the requests under way have had their time after the signal; never when the service was over before. */
async function unanswered(signal: AbortSignal, over: AbortSignal): Promise<"unanswered"> {
  await new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener("abort", resolve, { once: true });
  });
  return sleep(lastRequests, "unanswered" as const, { signal: over }).catch(() => new Promise(() => {}));
}

async function receiveWebhooks(
  webhook: ListenAddress,
  hints: HintBox,
  log: Log,
  { io }: Console,
): Promise<ServedWebhook> {
  const secret = () => readSecretText(webhookSecret, io);
  if ((await secret()) === undefined)
    log.warn({ variable: webhookSecret }, "no webhook is accepted, because no secret is set");
  return serveWebhook({ ...webhook, secret, onHint: () => hints.hint() }).catch(
    refuseAddress("the webhook", "--webhook-listen", webhook),
  );
}
