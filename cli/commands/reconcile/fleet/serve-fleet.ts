import { join } from "node:path";
import { systemClock } from "../../../../core/api/index.ts";
import type { Json } from "../../../../core/json.ts";
import {
  type AccessFile,
  Audit,
  everywhere,
  Fleet,
  FleetBoard,
  FleetMetrics,
  HintBox,
  type Holder,
  type Log,
  type PassedAnswer,
  type PassedRequest,
  reasonOf,
  serveFleetPage,
  type ServedPage,
  type Source,
} from "../../../../reconciler/index.ts";
import { exitCodes } from "../../../exit-codes.ts";
import { withAdvice } from "../../../render/remedies.ts";
import type { Settings } from "../../../settings/index.ts";
import { openServiceLog } from "../../../support/log.ts";
import { withDataFolder } from "../../../support/repository.ts";
import { readSecretFile, readSecretText } from "../../../support/secret-text.ts";
import { packageVersion } from "../../../version.ts";
import { withLock } from "../lock.ts";
import type { OpenSource } from "../open-source.ts";
import { type ListenAddress, type PagePlace, refuseAddress, webhookSecret } from "../page.ts";
import { readPeople } from "../people.ts";
import { receiveWebhooks, withLastRequests } from "../serve.ts";
import { followDocuments, type FollowingService } from "./follow-documents.ts";
import { type FleetFlags, openMember, type Shared } from "./open-member.ts";
import { dataOf } from "./place.ts";
import { sharedByToken } from "./shared-by-token.ts";
import { Workers } from "./workers.ts";

/** The parts of a service with many sources. */
export interface FleetService extends FollowingService {
  flags: FleetFlags;
  data: string | undefined;
  files: string | undefined;
  page: PagePlace | undefined;
  access: AccessFile | undefined;
  webhook: ListenAddress | undefined;
  /** The database that several workers share; undefined if this one works alone. */
  database: string | undefined;
  logLevel: Settings["logLevel"];
}

/** A source of the fleet while it runs. */
interface RunningMember extends OpenSource {
  run(begun: () => void): Promise<"again" | void>;
}

/** Keeps many sources in step until the process is interrupted, and returns the exit code. */
export async function runFleet(service: FleetService): Promise<number> {
  const { console } = service;
  const { signal } = console.io;
  const log = await openServiceLog(service, console);
  const onHeld = (holder: Holder | undefined) =>
    log.warn({ ...holder }, "another reconciler works with this data folder; waiting for its end");
  const code = await withDataFolder(service.data, (data) =>
    withLock({ data }, signal, onHeld, () => runAlone(service, data, log)),
  );
  log.info({ signal: String(signal.reason) }, "stopped");
  return code ?? exitCodes.done;
}

async function runAlone(service: FleetService, data: string, log: Log): Promise<number> {
  const { page, access, webhook, console } = service;
  const { clock = systemClock, signal } = console.io;
  const hints = new HintBox(clock);
  const wake = (name: string) =>
    fleet.members.find(({ source }) => source.name === name)?.running?.hints.hint();
  const workers: Workers | undefined =
    service.database === undefined
      ? undefined
      : await Workers.open({
          url: service.database,
          clock,
          signal,
          log,
          board: () => board,
          onHint: wake,
          // The form of what workers write into the table that they share.
          answer: async (source, request) =>
            (await servedPage?.answer(source, request as unknown as PassedRequest)) as unknown as Json,
        });
  const shared: Shared = { ...service, data, ...sharedByToken(clock, workers) };
  const fleet = new Fleet<RunningMember>({
    clock,
    signal,
    ...(workers && { admit: (source, its) => workers.admit(source, its) }),
    open: (source, its) =>
      runningMember(source, its, { shared, log, workers, changed: () => board.changed() }),
    onFailure(source, error) {
      log.error(
        { ...reasonOf(error, withAdvice), source: source.name },
        "the source does not run; trying again",
      );
      board.changed();
    },
  });
  const board = new FleetBoard({ clock, members: () => fleet.members, describe: withAdvice });
  const audit = new Audit(data);
  const servedPage: ServedPage | undefined =
    page &&
    (await serveFleetPage({
      ...page,
      ...(await readPeople(
        page.access,
        access,
        (what, who, from) => audit.add({ at: clock.now(), who, from, what }),
        log,
        console,
      )),
      board,
      ...(workers && {
        ask: async (source, request) =>
          (await workers.ask(source, request as unknown as Json)) as unknown as PassedAnswer | undefined,
      }),
      metrics: new FleetMetrics(board, { name: "metrics", grants: [everywhere("see")] }, packageVersion()),
      signal,
    }).catch(refuseAddress("the page", "--listen", page)));
  const servedWebhook =
    webhook &&
    (await receiveWebhooks(webhook, (name) => {
      if (name === undefined)
        return { secret: () => readSecretText(webhookSecret, console.io), onHint: () => hints.hint() };
      const member = fleet.members.find(({ source }) => source.name === name);
      const file = member?.source.webhook_secret_file;
      return (
        member && {
          secret: async () =>
            file === undefined ? undefined : readSecretFile(join(service.files ?? "", file)),
          onHint: () => (member.running ? wake(name) : void workers?.hint(name)),
        }
      );
    }));
  console.data(JSON.stringify({ url: servedPage?.url ?? null, webhook_url: servedWebhook?.url ?? null }));
  try {
    const sharing = workers?.run();
    await followDocuments(service, data, { fleet, board, hints, log });
    const ended = await withLastRequests(fleet.over(), signal, log);
    await sharing;
    return ended === "unanswered" ? exitCodes.failed : exitCodes.done;
  } finally {
    await Promise.all([servedPage?.close(), servedWebhook?.close()]);
    await workers?.close();
  }
}

/** The service around a source. */
interface Surroundings {
  shared: Shared;
  log: Log;
  workers: Workers | undefined;
  changed: () => void;
}

/** Opens a source, and returns its runner, whose log lines name the source. */
async function runningMember(
  source: Source,
  signal: AbortSignal,
  { shared, log, workers, changed }: Surroundings,
): Promise<RunningMember | "again"> {
  const its = named(log, source.name);
  const held = workers?.held(source, dataOf(shared.data, source.name));
  if (!held) return watched(await openMember(source, signal, shared, its), changed);
  const { lease, files } = held;
  try {
    await files.restore();
    // The memory of a write is stored before the write is sent: the next worker has to know it.
    const beforeWrite = async () => {
      await files.save();
      await lease.ensure();
    };
    const until = AbortSignal.any([signal, lease.lost]);
    const member = watched(await openMember(source, until, shared, its, beforeWrite), changed);
    const keep = () =>
      files
        .save()
        .catch((error: unknown) => its.warn({ reason: String(error) }, "what is remembered cannot be kept"));
    return {
      ...member,
      async run(begun) {
        try {
          await member.run(() => {
            begun();
            void keep();
          });
          if (lease.lost.aborted)
            its.info({ reason: String(lease.lost.reason) }, "another worker may work on it now");
          return lease.lost.aborted ? "again" : undefined;
        } finally {
          await keep();
        }
      },
    };
  } catch (error) {
    // Losing the right is not a failure of the source.
    if (lease.lost.aborted) return "again";
    throw error;
  }
}

/** An open source that tells when it changes, and is closed when it has run. */
function watched(opened: OpenSource, changed: () => void): RunningMember {
  const ignore = opened.board.onChange(changed);
  return {
    ...opened,
    async run(begun) {
      try {
        await opened.serve(begun);
      } finally {
        ignore();
        await opened.close();
      }
    },
  };
}

/** A log whose lines name a source. */
function named(log: Log, source: string): Log {
  const level = (name: keyof Log) => (fields: object, message: string) =>
    log[name]({ source, ...fields }, message);
  return { debug: level("debug"), info: level("info"), warn: level("warn"), error: level("error") };
}
