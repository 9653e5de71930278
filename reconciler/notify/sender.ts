import type { Clock } from "../../core/api/index.ts";
import type { Log } from "../log.ts";
import type { Outbox, OutboxEntry } from "./outbox.ts";
import { type Destination, post, type PostFailure } from "./post.ts";
import type { RouteRules } from "./routes-file.ts";
import type { JournalEntry } from "../journal/index.ts";

/** The events of a receiver, and its address. */
export interface NotificationRoute extends RouteRules {
  /** The receiver's name, which stays the same after a restart. */
  name: string;
  /** Read again for each notification; undefined: there is none now. */
  destination(): Promise<Destination | undefined>;
}

/** Milliseconds before each further try, the last again and again. */
const pauses = [1000, 5000, 25_000, 60_000, 300_000, 600_000];

/** Sends the messages for one receiver, one after the other, until each is delivered. */
export class Sender {
  readonly #parts: SenderParts;
  #sending: Promise<void> | undefined;

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  /** Sends waiting messages, while the loop runs. */
  wake(): void {
    const { route, outbox, ending } = this.#parts;
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined;
      if (!ending.aborted && outbox.next(route.name)) this.wake();
    });
  }

  /** Resolves when everything is sent, or nothing is tried any more. */
  async over(): Promise<void> {
    await this.#sending;
  }

  /** Sends a message that the next process would find, so that it does not report the same again. */
  async #post(message: OutboxEntry): Promise<PostFailure | undefined> {
    const { route, outbox, clock, stop } = this.#parts;
    if (!(await outbox.store())) return { reason: "it cannot be stored", isFinal: false };
    const to = await route.destination();
    return to
      ? post(message, to, clock, stop)
      : { reason: "the file with its address cannot be read", isFinal: false };
  }

  async #send(): Promise<void> {
    const { route, outbox, clock, log, ending, stop } = this.#parts;
    let failures = 0;
    for (let next; (next = outbox.next(route.name)) && !stop.aborted;) {
      const failure = await this.#post(next);
      if (!failure || failure.isFinal) await outbox.done(next, failure ? "lost" : "delivered");
      if (!failure) {
        failures = 0;
        continue;
      }
      if (stop.aborted) return;
      outbox.failed();
      const { reason, isFinal } = failure;
      if (isFinal) log.warn({ reason }, "a notification was refused, and is not sent again");
      else {
        if (failures === 0) log.warn({ reason }, "a notification has not arrived; it is tried again");
        // It is stored for the next start.
        if (ending.aborted) return;
        await clock.sleep(pauses[Math.min(failures, pauses.length - 1)] ?? 0, ending);
        failures += 1;
      }
    }
  }
}

interface SenderParts {
  route: NotificationRoute;
  outbox: Outbox;
  clock: Clock;
  log: Log;
  /** Nothing is waited for any more. */
  ending: AbortSignal;
  /** Nothing is sent any more. */
  stop: AbortSignal;
}

/** The entries for a route: of its environments and events, and those without an environment. */
export function routed(
  entries: readonly JournalEntry[],
  { environments: patterns, events }: Pick<RouteRules, "environments" | "events">,
): JournalEntry[] {
  return entries.filter((entry) => {
    const environment = "environment" in entry ? entry.environment : undefined;
    const isOf =
      environment === undefined || !patterns || patterns.some((each) => each.matches(environment.split("/")));
    return isOf && (events?.includes(entry.type) ?? true);
  });
}
