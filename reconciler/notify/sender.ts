import type { Clock } from "../../core/api/index.ts";
import type { Log } from "../log.ts";
import { messageOf, type Occasion } from "./message.ts";
import { type Destination, post } from "./post.ts";
import { routed } from "./routed.ts";
import type { RouteRules } from "./routes-file.ts";
import type { NewsItem } from "./transitions.ts";

/** Who hears of what, and where. */
export interface NotificationRoute extends RouteRules {
  /** Read anew for each notification; undefined if there is none now. */
  destination(): Promise<Destination | undefined>;
}

/** More than so many notifications do not wait: the oldest are dropped. */
const mostWaiting = 20;

/** Sends to one receiver what it is to hear, one message after the other. */
export class Sender {
  readonly #route: NotificationRoute;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #signal: AbortSignal;
  readonly #waiting: string[] = [];
  #sending: Promise<void> = Promise.resolve();

  /** @param signal ends tries */
  constructor(route: NotificationRoute, clock: Clock, log: Log, signal: AbortSignal) {
    this.#route = route;
    this.#clock = clock;
    this.#log = log;
    this.#signal = signal;
  }

  /** Sends what the receiver is to hear, later. */
  add(all: readonly NewsItem[], occasion: Occasion): void {
    const news = routed(all, this.#route);
    if (news.length === 0) return;
    this.#waiting.push(messageOf(news, this.#route, occasion));
    if (this.#waiting.length > mostWaiting) {
      this.#waiting.shift();
      this.#log.warn({}, "a notification was dropped, because earlier ones are still under way");
    }
    // The loop goes on meanwhile.
    this.#sending = this.#sending.then(() => this.#send());
  }

  /** Resolves when everything is sent or has failed. */
  over(): Promise<void> {
    return this.#sending;
  }

  async #send(): Promise<void> {
    const message = this.#waiting.shift();
    if (message === undefined) return;
    const to = await this.#route.destination();
    const failure = to
      ? await post(message, to, this.#clock, this.#signal)
      : "the file with its address cannot be read";
    if (failure !== undefined) this.#log.warn({ reason: failure }, "a notification has not arrived");
  }
}
