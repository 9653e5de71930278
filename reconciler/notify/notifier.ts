import type { Clock } from "../../core/api/index.ts";
import type { Plan } from "../../core/planning/plan/index.ts";
import { firstProblems } from "../../core/problems/problem.ts";
import {
  type Audience,
  type Deliveries,
  type Describe,
  environmentStatuses,
  type WatchedSource,
} from "../show/index.ts";
import { type CycleEnd, type DocumentMarks, setBackBy } from "../decide/index.ts";
import type { Log } from "../log.ts";
import type { KeptPreviews } from "../previews/index.ts";
import { newsOfApplied, withBegunChanges } from "./applied.ts";
import type { Repeats } from "./events.ts";
import { messageOf } from "./message.ts";
import { Outbox } from "./outbox.ts";
import { type NotificationRoute, routed, Sender } from "./sender.ts";
import {
  type NewsItem,
  newsOf,
  newsOfFailure,
  newsOfPreviews,
  newsOfSetBack,
  type ToldNews,
} from "./transitions.ts";

/** The parts of a notifier. */
export interface NotifierSettings {
  clock: Clock;
  source: WatchedSource;
  routes: readonly NotificationRoute[];
  /** The states that are reported again while they last; default: none. */
  repeats?: Repeats;
  /** The file that keeps what was told, and what has not arrived yet. It may be lost at any time. */
  file: string;
  /** Stores the file where the next process finds it: nothing is sent before; default: it stays where it is. */
  keep?: (() => Promise<void>) | undefined;
  describe: Describe;
  log: Log;
}

/** Tells people what has changed, and only that: one message a cycle, and none for a cycle like the one before. */
export class Notifier implements Audience {
  readonly #settings: NotifierSettings;
  readonly #ending = new AbortController();
  readonly #stop = new AbortController();
  readonly #outbox: Outbox;
  readonly #senders: readonly Sender[];
  readonly #repeats: Repeats;
  #told: ToldNews | undefined;
  /** For how many cycles in a row the repository could not be read. */
  #unread = 0;

  constructor(settings: NotifierSettings) {
    const { routes, clock, log, file, keep, repeats = new Map() } = settings;
    this.#settings = settings;
    this.#repeats = repeats;
    this.#outbox = new Outbox(file, log, keep);
    const signals = { ending: this.#ending.signal, stop: this.#stop.signal };
    const receivers = new Map(routes.map((route) => [route.name, route]));
    this.#senders = [...receivers.values()].map(
      (route) => new Sender(route, this.#outbox, clock, log, signals),
    );
  }

  /** Goes on with the messages that had not arrived when the service ended. */
  async open(): Promise<void> {
    await this.#known();
    for (const sender of this.#senders) sender.wake();
  }

  get deliveries(): Deliveries {
    return this.#outbox.deliveries;
  }

  /** Tells news that are of no cycle. */
  async tell(news: NewsItem[]): Promise<void> {
    await this.#take({ news, told: await this.#known() });
  }

  /** Tells which sources have stopped, each once. @param all those that nobody has acknowledged */
  async stopped(
    all: readonly { name: string; at: number; left?: readonly string[] | undefined }[],
  ): Promise<void> {
    const known = await this.#known();
    const news = all
      .filter(({ name, at }) => known.stopped?.[name] !== at)
      .map(({ name, left }): NewsItem => ({ type: "stopped", name, left }));
    const stopped = Object.fromEntries(all.map(({ name, at }) => [name, at]));
    await this.#take({ news, told: { ...known, stopped } });
  }

  /** Keeps what is about to be written: whoever comes after a kill tells what of it was. */
  async begins(plan: Plan, of: { commit: string; documents: DocumentMarks }): Promise<void> {
    const told = await this.#known();
    await this.#take({ news: [], told: { ...told, begun: withBegunChanges(told.begun ?? [], plan, of) } });
  }

  /** There was a look at the pull requests. */
  async previewsKept(kept: KeptPreviews): Promise<void> {
    if ("failure" in kept) return;
    const taken = newsOfPreviews(await this.#known(), kept.previews);
    if (taken.news.length > 0 || (taken.told.contested ?? []).length !== (this.#told?.contested ?? []).length)
      await this.#take(taken);
  }

  checking(): void {
    // People know that already.
  }

  async ended(end: CycleEnd): Promise<void> {
    if (end.type === "overtaken" || end.type === "interrupted") return;
    const { describe, clock } = this.#settings;
    const stands = end.environments && environmentStatuses(end.environments, [], describe, clock.now());
    const mistakes =
      end.type === "invalid" ? firstProblems(end.problems).map((problem) => describe(problem)) : [];
    const known = await this.#known();
    const { repositoryFailure: failure } = end;
    this.#unread = failure ? this.#unread + 1 : 0;
    const now = clock.now();
    const { news: found, told: state } = newsOf(
      failure ? withoutOutage(known) : known,
      end.commit,
      stands,
      mistakes,
      now,
      this.#repeats,
    );
    const { news: applied, setBack, begun } = newsOfApplied(end, known.begun ?? []);
    const done = [...applied, ...newsOfSetBack(end.commit, [...setBack, ...setBackBy(end)])];
    const { begun: _before, ...others } = state;
    const taken = { news: [...done, ...found], told: { ...others, ...(begun.length > 0 && { begun }) } };
    if (!failure) return this.#take(taken);
    // While the repository cannot be read, everything else goes on.
    const told = known.outage === undefined ? taken.told : { ...taken.told, outage: known.outage };
    const out = newsOfFailure(told, failure.message, this.#unread, now, this.#repeats);
    return this.#take({ news: [...taken.news, ...out.news], told: out.told });
  }

  async failed({ reason = "" }: Record<string, string>, failures: number): Promise<void> {
    const now = this.#settings.clock.now();
    await this.#take(newsOfFailure(await this.#known(), reason, failures, now, this.#repeats));
  }

  /** Ends after each message was tried, or after this many milliseconds. What has not arrived is kept. */
  async close(milliseconds: number): Promise<void> {
    this.#ending.abort();
    const timer = setTimeout(() => this.#stop.abort(), milliseconds);
    await Promise.all(this.#senders.map((sender) => sender.over()));
    clearTimeout(timer);
  }

  async #take({ news, told }: { news: NewsItem[]; told: ToldNews }): Promise<void> {
    const { source, clock, routes } = this.#settings;
    this.#told = told;
    const messages = routes.flatMap((route) => {
      const its = routed(news, route);
      return its.length === 0
        ? []
        : [{ to: route.name, message: messageOf(its, route, { source, now: clock.now() }) }];
    });
    await this.#outbox.add(messages, told);
    for (const sender of this.#senders) sender.wake();
  }

  async #known(): Promise<ToldNews> {
    this.#told ??= await this.#outbox.open();
    return this.#told;
  }
}

function withoutOutage({ outage: _outage, ...told }: ToldNews): ToldNews {
  return told;
}
