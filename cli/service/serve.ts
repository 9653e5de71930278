import { systemClock } from "../../core/api/index.ts";
import {
  type AccessFile,
  type Log,
  type ServedWebhook,
  servePage,
  serveWebhook,
  noRules,
  type WebhookReceiver,
} from "../../reconciler/index.ts";
import { exitCodes } from "../exit-codes.ts";
import { openServiceLog } from "../session/log.ts";
import { readSecretText } from "../repository/secret-text.ts";
import { runService } from "./lock.ts";
import { openSource, type SourceSettings } from "./open-source.ts";
import { type ListenAddress, type PagePlace, refuseAddress, webhookSecret } from "./page.ts";
import { readPeople } from "./people.ts";
import type { Io } from "../terminal/io.ts";

/** Milliseconds for the requests under way at the end of the service. */
const lastRequests = 6000;

interface Service extends Omit<SourceSettings, "commitRules" | "tokenUsers"> {
  /** Undefined: there is no page. */
  page: PagePlace | undefined;
  /** People's roles and commits' limits. Without them, nobody may act over HTTP, and commits have no limits. */
  access: AccessFile | undefined;
  /** The address for webhooks; undefined: none. */
  webhook: ListenAddress | undefined;
}

/** Runs the reconciler until the process is interrupted, or has nothing left to do. It waits for another one with the same data folder. */
export async function serveSource(service: Service): Promise<number> {
  const { settings, place, console } = service;
  const log = await openServiceLog(settings, console);
  return runService(place.data, log, console, (lock) => runAlone({ ...service, lock }, log));
}

async function runAlone(service: Service, log: Log): Promise<number> {
  const { page, access, webhook, console } = service;
  const { signal } = console.io;
  const commitRules = async () => (await access?.rules()) ?? noRules;
  const source = await openSource({ ...service, commitRules }, log);
  const { board, metrics, userActions, hints } = source;
  const servedPage =
    page &&
    (await servePage({
      ...page,
      ...(await readPeople(page.access, access, (entry) => userActions.audit.add(entry), log, console)),
      userActions,
      board,
      metrics,
      signal,
    }).catch(refuseAddress("the page", "--listen", page)));
  const receiving = { secret: () => readSecretText(webhookSecret, console), onHint: () => hints.hint() };
  if (webhook && (await receiving.secret()) === undefined)
    log.warn({ variable: webhookSecret }, "no webhook is accepted, because no secret is set");
  const receiver = (name: string | undefined) => (name === undefined ? receiving : undefined);
  const servedWebhook = webhook && (await receiveWebhooks(webhook, receiver));
  console.data(JSON.stringify({ url: servedPage?.url ?? null, webhook_url: servedWebhook?.url ?? null }));
  try {
    const ended = await withLastRequests(source.serve(), console.io, log);
    return ended === "stopped" ? exitCodes.done : exitCodes.failed;
  } finally {
    await Promise.all([servedPage?.close(), servedWebhook?.close(), source.close()]);
  }
}

/** Waits for the end of loops; after the signal, their requests under way have a few seconds. */
export async function withLastRequests<Ended>(
  serving: Promise<Ended>,
  { signal, clock = systemClock }: Pick<Io, "signal" | "clock">,
  log: Log,
): Promise<Ended | "unanswered"> {
  const over = new AbortController();
  const unanswered = async (): Promise<Ended | "unanswered"> => {
    // A timer would keep a process alive that waits for nothing any more.
    await new Promise((resolve) => {
      if (signal.aborted) resolve(undefined);
      else signal.addEventListener("abort", resolve, { once: true });
    });
    await clock.sleep(lastRequests, over.signal);
    return over.signal.aborted ? serving : "unanswered";
  };
  const ended = await Promise.race([serving.finally(() => over.abort()), unanswered()]);
  if (ended === "unanswered")
    log.error(
      { signal: String(signal.reason) },
      "stopped while the API had not answered a request; the next start checks the result of that request",
    );
  return ended;
}

export function receiveWebhooks(
  webhook: ListenAddress,
  receiver: (name: string | undefined) => WebhookReceiver | undefined,
): Promise<ServedWebhook> {
  return serveWebhook({ ...webhook, receiver }).catch(
    refuseAddress("the webhook", "--webhook-listen", webhook),
  );
}
