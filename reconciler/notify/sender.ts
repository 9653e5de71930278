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
  readonly #route: NotificationRoute;
  readonly #outbox: Outbox;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #signals: SenderSignals;
  #sending: Promise<void> | undefined;

  constructor(route: NotificationRoute, outbox: Outbox, clock: Clock, log: Log, signals: SenderSignals) {
    this.#route = route;
    this.#outbox = outbox;
    this.#clock = clock;
    this.#log = log;
    this.#signals = signals;
  }

  /** Sends waiting messages, while the loop runs. */
  wake(): void {
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined;
      if (!this.#signals.ending.aborted && this.#outbox.next(this.#route.name)) this.wake();
    });
  }

  /** Resolves when everything is sent, or nothing is tried any more. */
  async over(): Promise<void> {
    await this.#sending;
  }

  /** Sends a message that the next process would find, so that it does not report the same again. */
  async #post(message: OutboxEntry): Promise<PostFailure | undefined> {
    if (!(await this.#outbox.store())) return { reason: "it cannot be stored", isFinal: false };
    const to = await this.#route.destination();
    return to
      ? post(message, to, this.#clock, this.#signals.stop)
      : { reason: "the file with its address cannot be read", isFinal: false };
  }

  async #send(): Promise<void> {
    const { ending, stop } = this.#signals;
    let failures = 0;
    for (let next; (next = this.#outbox.next(this.#route.name)) && !stop.aborted;) {
      const failure = await this.#post(next);
      if (!failure || failure.isFinal) await this.#outbox.done(next, failure ? "lost" : "delivered");
      if (!failure) {
        failures = 0;
        continue;
      }
      if (stop.aborted) return;
      this.#outbox.failed();
      const { reason, isFinal } = failure;
      if (isFinal) this.#log.warn({ reason }, "a notification was refused, and is not sent again");
      else {
        if (failures === 0) this.#log.warn({ reason }, "a notification has not arrived; it is tried again");
        // It is kept for the next start.
        if (ending.aborted) return;
        await this.#clock.sleep(pauses[Math.min(failures, pauses.length - 1)] ?? 0, ending);
        failures += 1;
      }
    }
  }
}

/** `ending`: nothing is waited for any more; `stop`: nothing is sent any more. */
export interface SenderSignals {
  ending: AbortSignal;
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
