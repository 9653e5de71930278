import { join } from "node:path";
import { systemClock, type Clock } from "../../../core/api/index.ts";
import {
  answerControl,
  Audit,
  type Control,
  controlledSource,
  Deleters,
  Fleet,
  FleetBoard,
  fleetMetrics,
  HintBox,
  type Log,
  observer,
  passedControl,
  failureOf,
  refused,
  serveFleetPage,
  othersOf,
  SourceClaims,
  type ServedPage,
  SharedRefreshes,
  TokenUsers,
} from "../../../reconciler/index.ts";
import { exitCodes } from "../../exit-codes.ts";
import { withServiceAdvice } from "../../render/remedies.ts";
import type { Settings } from "../../settings/index.ts";
import { openServiceLog } from "../../session/log.ts";
import { withDataFolder } from "../../repository/repository.ts";
import { readSecretFile, readSecretText } from "../../repository/secret-text.ts";
import { buildVersion } from "../../version.ts";
import { runService } from "../lock.ts";
import { type ListenAddress, openSocket, type PagePlace, refuseAddress, webhookSecret } from "../page.ts";
import { readPeople } from "../people.ts";
import { lastNotification } from "../notifications.ts";
import { receiveWebhooks, withLastRequests } from "../serve.ts";
import { deliveriesOf, fleetNews, tellInTurn } from "./fleet-notifier.ts";
import { FollowedSources } from "./followed-sources.ts";
import { followDocuments, type FollowingService } from "./follow-documents.ts";
import type { SharedParts } from "./open-member.ts";
import { type RunningMember, runningMember } from "./running-member.ts";
import { Workers } from "./workers.ts";
import { createHash } from "node:crypto";

export interface FleetService
  extends FollowingService, Pick<SharedParts, "flags" | "files" | "access" | "database"> {
  data: string | undefined;
  page: PagePlace | undefined;
  webhook: ListenAddress | undefined;
  logLevel: Settings["logLevel"];
}

/** Syncs many sources until the process is interrupted, and returns the exit code. */
export async function runFleet(service: FleetService): Promise<number> {
  const { console } = service;
  const log = await openServiceLog(service, console);
  return withDataFolder(service.data, (data) =>
    runService(data, log, console, () => runAlone(service, data, log)),
  );
}

async function runAlone(service: FleetService, data: string, log: Log): Promise<number> {
  const { page, webhook, console } = service;
  const { clock = systemClock, signal } = console.io;
  const hints = new HintBox(clock);
  const memberOf = (name: string) => fleet.members.find(({ source }) => source.name === name);
  const wake = (name: string): void => memberOf(name)?.running?.hints.hint();
  const controlOf = (name: string): Control | undefined => {
    const running = memberOf(name)?.running;
    return running && controlledSource(running);
  };
  /** The receiver of webhooks for a source, or, without a name, for the documents; undefined: no such source. */
  const receiverOf: Parameters<typeof receiveWebhooks>[1] = (name) => {
    if (name === undefined)
      return { secret: () => readSecretText(webhookSecret, console), onHint: () => hints.hint() };
    const member = memberOf(name);
    const file = member?.source.webhook_secret_file;
    const secret = async () =>
      file === undefined ? undefined : readSecretFile(join(service.files ?? "", file), console);
    return member && { secret, onHint: () => (member.running ? wake(name) : void workers?.hint(name)) };
  };
  const news = await fleetNews(service, data, log);
  const workers: Workers | undefined =
    service.database === undefined
      ? undefined
      : await Workers.open({
          url: service.database,
          clock,
          signal,
          log,
          board: () => board,
          onOutage: (entry) => void news?.journal.add([entry]),
          onHint: wake,
          answer: async (source, request) =>
            (await answerControl(controlOf(source), request)) ??
            (await servedPage?.answer(source, request)) ??
            null,
        });
  /** Reports stopped sources; undefined: another worker does. */
  let teller = workers ? undefined : news;
  const claims = new SourceClaims(clock, workers?.claims);
  const deleters = new Deleters(workers?.deleters);
  const followed = new FollowedSources(data, workers?.followed);
  const shared: SharedParts = {
    ...service,
    data,
    othersOf: (source) => othersOf(source, claims, deleters, () => followed.beside(source)),
    ...sharedByToken(clock, workers),
  };
  const fleet = new Fleet<RunningMember>({
    clock,
    signal,
    ...(workers && { admit: (source, its) => workers.admit(source, its) }),
    open: (source, its) =>
      runningMember(source, its, { shared, log, workers, changed: () => board.changed() }),
    onFailure(source, error) {
      claims.looked(source.name);
      log.error(
        { ...failureOf(error, withServiceAdvice), source: source.name },
        "the source does not run; trying again",
      );
      board.changed();
    },
  });
  const board: FleetBoard = new FleetBoard({
    clock,
    members: () => fleet.members,
    describe: withServiceAdvice,
    answerTime: () => workers?.answerTime,
  });
  const metrics = fleetMetrics({
    board,
    version: buildVersion(),
    running: () =>
      new Map(
        fleet.members.flatMap(({ source: { name }, running }) => (running ? [[name, running.metrics]] : [])),
      ),
    deliveries: () => deliveriesOf(new Set([news?.notifier, teller?.notifier])),
  });
  const servedPage: ServedPage | undefined =
    page && (await servePage(page, service, new Audit(data, clock), board, metrics, followed, workers, log));
  const servedWebhook = webhook && (await receiveWebhooks(webhook, receiverOf));
  const socket = await openSocket(data, controlledFleet(board), log, (name) => {
    if (!memberOf(name)) return undefined;
    return controlOf(name) ?? passedControl(async (request) => workers?.ask(name, request));
  });
  console.data(JSON.stringify({ url: servedPage?.url ?? null, webhook_url: servedWebhook?.url ?? null }));
  try {
    const turns = workers && news && tellInTurn(service, data, workers, log, (its) => void (teller = its));
    const sharing = Promise.all([workers?.run(), turns]);
    await followDocuments(service, data, {
      fleet,
      claims,
      followed,
      async openFiles() {
        await socket.ensure();
        await news?.open();
      },
      ...(workers && { rename: ({ from, to }) => workers.rename(from, to) }),
      onStopped: async (stopped) => teller?.journal.stopped(stopped),
      board,
      hints,
      log,
    });
    const ended = await withLastRequests(fleet.over(), console.io, log);
    await sharing;
    return ended === "unanswered" ? exitCodes.failed : exitCodes.done;
  } finally {
    await Promise.all([servedPage?.close(), servedWebhook?.close(), socket.close()]);
    await Promise.all([workers?.close(), news?.notifier.close(lastNotification)]);
    log.info({ signal: String(signal.reason) }, "stopped");
  }
}

/** All sources; a person has to name one for an action. */
function controlledFleet(board: FleetBoard): Control {
  return async ({ type }) => {
    const body = board.status(observer);
    const names = body.sources.map(({ name }) => name).join(", ");
    return type === "status"
      ? { status: 200, body }
      : refused(409, `this service has many sources: name one of them with --source (${names})`);
  };
}

async function servePage(
  page: PagePlace,
  { access, console }: FleetService,
  audit: Audit,
  board: FleetBoard,
  metrics: ReturnType<typeof fleetMetrics>,
  followed: FollowedSources,
  workers: Workers | undefined,
  log: Log,
): Promise<ServedPage> {
  const { signal } = console.io;
  return serveFleetPage({
    ...page,
    ...(await readPeople(page.access, access, (entry) => audit.add(entry), log, console)),
    board,
    async acknowledge(name, by, client) {
      const detail = `the source ${name} has ended`;
      await audit.add({ type: "requested", request: "acknowledge", by, client, detail });
      const isDone = await followed.acknowledge(name);
      board.stopped(followed.stopped);
      return isDone;
    },
    ...(workers && { ask: (source, request) => workers.ask(source, request) }),
    metrics,
    signal,
    sessions: workers?.sessions,
  }).catch(refuseAddress("the page", "--listen", page));
}

/** Keeps the state shared by sources with the same token of the same API, and by those with the same organization. */
function sharedByToken(
  clock: Clock,
  workers: Workers | undefined,
): Pick<SharedParts, "tokenUsersOf" | "refreshesOf"> {
  const tokenUsers = new Map<string, TokenUsers>();
  const refreshes = new Map<string, SharedRefreshes>();
  return {
    tokenUsersOf: (settings) => memoized(tokenUsers, tokenKey(settings), () => new TokenUsers(clock)),
    refreshesOf(settings) {
      const key = tokenKey(settings, settings.organization ?? "");
      return memoized(refreshes, key, () => new SharedRefreshes(clock, workers?.readsOf(key)));
    },
  };
}

function tokenKey({ baseUrl, token }: Settings, ...more: readonly string[]): string {
  return createHash("sha256")
    .update([baseUrl, token, ...more].join("\n"))
    .digest("base64");
}

function memoized<Value>(known: Map<string, Value>, key: string, make: () => Value): Value {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}
