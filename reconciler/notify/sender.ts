import type { Clock } from "../../core/api/index.ts";
import type { Log } from "../log.ts";
import { messageOf, type Occasion } from "./message.ts";
import { type Destination, post } from "./post.ts";
import type { RouteRules } from "./routes-file.ts";
import type { NewsItem } from "./transitions.ts";
import { shareOf } from "../policy/index.ts";
import type { NewsEvent } from "./events.ts";

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

/** The news that a route is for: of its environments and events, and of no environment in particular. */
function routed(
  news: readonly NewsItem[],
  { environments, events }: Pick<RouteRules, "environments" | "events">,
): NewsItem[] {
  const hears = (event: NewsEvent) => events?.includes(event) ?? true;
  const concerns = (names: readonly string[]) =>
    environments?.some((pattern) => pattern.matches(names)) ?? true;
  const isOf = (environment: string) => concerns(environment.split("/"));
  return news.flatMap((item): NewsItem[] => {
    switch (item.type) {
      case "transitions": {
        const transitions = item.transitions.filter(({ environment, to }) => hears(to) && isOf(environment));
        return transitions.length === 0 ? [] : [{ ...item, transitions }];
      }
      case "set_back": {
        const changes = item.changes.filter(({ resource }) => concerns(shareOf(resource).names));
        return changes.length === 0 || !hears(item.type) ? [] : [{ ...item, changes }];
      }
      case "stale":
      case "read": {
        const concerned = item.environments.filter(isOf);
        return concerned.length === 0 || !hears(item.type) ? [] : [{ ...item, environments: concerned }];
      }
      case "mistakes":
      case "mended":
      case "outage":
      case "recovered":
        return hears(item.type) ? [item] : [];
      default:
        return item satisfies never;
    }
  });
}
