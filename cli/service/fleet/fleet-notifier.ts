import { rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../../core/api/index.ts";
import { InvalidInputError, type Problem } from "../../../core/problems/problem.ts";
import { type Deliveries, Journal, type Log, type Notifier } from "../../../reconciler/index.ts";
import { withServiceAdvice } from "../../render/remedies.ts";
import { lastNotification, notifierOf, readNotifications } from "../notifications.ts";
import type { OperatorFlags } from "../../repository/repository.ts";
import type { FollowingService } from "./follow-documents.ts";
import type { Workers } from "./workers.ts";

/** A name outside those of sources, which have no space. */
const ofNoSource = { name: "no source" };

/** The events without a source: a stopped source, and a database outage. */
export interface FleetEvents {
  journal: Journal;
  notifier: Notifier;
  /** Reads what was told before, once. @throws InvalidInputError when it cannot be read now */
  open(): Promise<void>;
}

/** Notifies the operator's receivers of events without a source. @param keep stores the folder for the next worker */
export async function fleetNews(
  { flags, place, console }: FollowingService & { flags: OperatorFlags },
  data: string,
  log: Log,
  keep?: () => Promise<void>,
): Promise<FleetEvents | undefined> {
  const problems: Problem[] = [];
  const notifications = await readNotifications(flags, console, problems);
  if (problems.length > 0) throw new InvalidInputError(problems);
  if (!notifications) return undefined;
  const isFolder = "folder" in place;
  const { clock = systemClock } = console.io;
  const describe: typeof withServiceAdvice = (problem) => console.redact(withServiceAdvice(problem));
  const journal = new Journal({ folder: data, clock, log, describe });
  const source = {
    name: `all sources, from ${hostname()}`,
    repository: isFolder ? place.folder : place.repository.address.url,
    branch: isFolder ? "" : place.repository.branch,
    path: isFolder ? "" : place.repository.path,
  };
  const notifier = notifierOf(notifications, { folder: data, clock, journal, source, keep, log });
  const open = () => journal.open().then(() => notifier.open());
  return { journal, notifier, open };
}

/** Lets one of the workers at a time report the events that all know. @param turn gets the reporter during this worker's turn */
export async function tellInTurn(
  service: FollowingService & { flags: OperatorFlags },
  data: string,
  workers: Workers,
  log: Log,
  turn: (news: FleetEvents | undefined) => void,
): Promise<void> {
  const { signal, clock = systemClock } = service.console.io;
  while (!signal.aborted) {
    let release: (() => Promise<void>) | undefined;
    try {
      release = await workers.admit(ofNoSource, signal);
      const folder = join(data, "service");
      const held = workers.held(ofNoSource, folder);
      if (!held) continue;
      // Earlier records of this machine are outdated after a restore of the database.
      await rm(folder, { recursive: true, force: true });
      await held.files.restore();
      const news = await fleetNews(service, folder, log, () => held.files.save());
      await news?.open();
      turn(news);
      await clock.sleep(Infinity, AbortSignal.any([signal, held.lease.lost]));
      turn(undefined);
      await news?.notifier.close(lastNotification);
    } catch (error) {
      if (signal.aborted) return;
      log.warn(
        { reason: String(error) },
        "the notification about stopped sources cannot be sent; trying again",
      );
      await clock.sleep(1000, signal);
    } finally {
      await release?.();
    }
  }
}

/** The deliveries of several notifiers together; undefined: nobody is notified. */
export function deliveriesOf(notifiers: ReadonlySet<Notifier | undefined>): Deliveries | undefined {
  const all = [...notifiers].flatMap((notifier) => notifier?.deliveries ?? []);
  const sum = (of: keyof Deliveries) => all.reduce((count, each) => count + each[of], 0);
  if (all.length === 0) return undefined;
  return { waiting: sum("waiting"), delivered: sum("delivered"), failed: sum("failed"), lost: sum("lost") };
}
