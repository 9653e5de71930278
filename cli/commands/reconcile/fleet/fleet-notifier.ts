import { hostname } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../../../core/api/index.ts";
import { InvalidInputError, type Problem } from "../../../../core/problem.ts";
import { type Log, Notifier } from "../../../../reconciler/index.ts";
import { withServiceAdvice } from "../../../render/remedies.ts";
import { type Notifications, type NotifyFlags, readNotifications } from "../notifications.ts";
import type { FollowingService } from "./follow-documents.ts";

/** Tells the receivers of the operator what is of no source: one that has stopped, and a database that is away. */
export async function fleetNotifier(
  { flags, place, console }: FollowingService & { flags: NotifyFlags },
  data: string,
  log: Log,
): Promise<Notifier | undefined> {
  const problems: Problem[] = [];
  const notifications: Notifications | undefined = await readNotifications(flags, console, problems);
  if (problems.length > 0) throw new InvalidInputError(problems);
  if (!notifications) return undefined;
  const isFolder = "folder" in place;
  const notifier = new Notifier({
    ...notifications,
    clock: console.io.clock ?? systemClock,
    source: {
      name: `all sources, from ${hostname()}`,
      repository: isFolder ? place.folder : place.repository.address.url,
      branch: isFolder ? "" : place.repository.branch,
      path: isFolder ? "" : place.repository.path,
    },
    file: join(data, "notified.json"),
    describe: (problem) => console.redact(withServiceAdvice(problem)),
    log,
  });
  await notifier.open();
  return notifier;
}
