import { isNews, isState, type Journal, type JournalEntry, type JournalSettings } from "../journal/index.ts";
import type { Deliveries, WatchedSource } from "../show/index.ts";
import { messageOf } from "./message.ts";
import type { Repeats } from "./routes-file.ts";
import { Outbox } from "./outbox.ts";
import { type NotificationRoute, routed, Sender } from "./sender.ts";

export interface NotifierSettings extends Pick<JournalSettings, "clock" | "log"> {
  journal: Journal;
  source: WatchedSource;
  routes: readonly NotificationRoute[];
  /** The lasting states to report again; default: none. */
  repeats?: Repeats;
  /** The file with the reported entries and undelivered messages. It may be lost at any time. */
  file: string;
  /** Stores the file where the next process finds it, before anything is sent; default: it stays. */
  keep?: (() => Promise<void>) | undefined;
}

/** Notifies people of each new event in the journal once: one message per cycle, and none for an unchanged cycle. */
export class Notifier {
  readonly #settings: NotifierSettings;
  readonly #ending = new AbortController();
  readonly #stop = new AbortController();
  readonly #outbox: Outbox;
  readonly #senders: readonly Sender[];
  #isOpened = false;

  constructor(settings: NotifierSettings) {
    const { routes, clock, log, file, keep } = settings;
    this.#settings = settings;
    const outbox = new Outbox(file, log, keep);
    this.#outbox = outbox;
    const signals = { ending: this.#ending.signal, stop: this.#stop.signal };
    const receivers = new Map(routes.map((route) => [route.name, route]));
    this.#senders = [...receivers.values()].map(
      (route) => new Sender({ route, outbox, clock, log, ...signals }),
    );
  }

  /** Reports the entries since the last message, resumes undelivered messages, and listens, once. */
  async open(): Promise<void> {
    if (this.#isOpened) return;
    const { journal } = this.#settings;
    const reported = await this.#outbox.open();
    this.#isOpened = true;
    // Without a record, all lasting states are reported.
    if (reported === undefined) await this.#tell(Object.values(journal.current).filter(isNews));
    else await this.#take(journal.entries().toReversed());
    journal.onEntries((entries) => this.#take(entries));
  }

  get deliveries(): Deliveries {
    return this.#outbox.deliveries;
  }

  /** Ends after each message was tried, or after this many milliseconds. Undelivered messages are stored. */
  async close(milliseconds: number): Promise<void> {
    this.#ending.abort();
    const over = new AbortController();
    const sent = Promise.all(this.#senders.map((sender) => sender.over())).finally(() => over.abort());
    await this.#settings.clock.sleep(milliseconds, over.signal);
    this.#stop.abort();
    await sent;
  }

  async #take(entries: readonly JournalEntry[]): Promise<void> {
    const { last } = this.#outbox.reported;
    const news = entries.filter((entry) => entry.id > last && isNews(entry));
    await this.#tell([...news, ...this.#repeated(new Set(news))]);
  }

  /** The lasting states that are due to be reported again. */
  #repeated(news: ReadonlySet<JournalEntry>): JournalEntry[] {
    const { clock, journal, repeats = new Map() } = this.#settings;
    const { times } = this.#outbox.reported;
    return Object.entries(journal.current).flatMap(([key, entry]): JournalEntry[] => {
      const after = repeats.get(entry.type);
      const since = "since" in entry ? entry.since : entry.at;
      const last = Math.max(since, times[key] ?? 0);
      if (after === undefined || news.has(entry) || clock.now() - last < after) return [];
      return [isState(entry) ? { ...entry, from: entry.type } : entry];
    });
  }

  async #tell(entries: readonly JournalEntry[]): Promise<void> {
    const { source, clock, routes, journal } = this.#settings;
    const now = clock.now();
    const { reported } = this.#outbox;
    const ids = new Set(entries.map(({ id }) => id));
    const current = Object.entries(journal.current);
    const times = Object.fromEntries(
      current.flatMap(([key, { id }]) => {
        const time = ids.has(id) ? now : reported.times[key];
        return time === undefined ? [] : [[key, time]];
      }),
    );
    const messages = routes.flatMap((route) => {
      const its = routed(entries, route);
      return its.length === 0 ? [] : [{ to: route.name, message: messageOf(its, route, { source, now }) }];
    });
    const last = journal.entries()[0]?.id ?? 0;
    await this.#outbox.add(messages, { last, times });
    for (const sender of this.#senders) sender.wake();
  }
}
