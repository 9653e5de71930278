import { readFile } from "node:fs/promises";
import type { Clock } from "../../core/api/index.ts";
import { writeWhole } from "../../core/files.ts";
import { isFields } from "../../core/json.ts";
import { firstProblems } from "../../core/problem.ts";
import { type Audience, type Describe, environmentViews, type WatchedSource } from "../show/index.ts";
import { type CycleEnd, setBackBy, standingStates } from "../decide/index.ts";
import type { Log } from "../log.ts";
import type { Repeats } from "./events.ts";
import { type NotificationRoute, Sender } from "./sender.ts";
import {
  type NewsItem,
  newsOf,
  newsOfFailure,
  newsOfSetBack,
  nothingTold,
  type ToldNews,
} from "./transitions.ts";

/** The parts of a notifier. */
export interface NotifierSettings {
  clock: Clock;
  source: WatchedSource;
  routes: readonly NotificationRoute[];
  /** The states that are reported again while they last; default: none. */
  repeats?: Repeats;
  /** The file that keeps what was told, so that a restart tells nothing twice. It may be lost at any time. */
  file: string;
  describe: Describe;
  log: Log;
}

/** Tells people what has changed, and only that: one message a cycle, and none for a cycle like the one before. */
export class Notifier implements Audience {
  readonly #settings: NotifierSettings;
  readonly #stop = new AbortController();
  readonly #senders: readonly Sender[];
  readonly #repeats: Repeats;
  #told: ToldNews | undefined;
  /** For how many cycles in a row the repository could not be read. */
  #unread = 0;

  constructor(settings: NotifierSettings) {
    const { routes, clock, log, repeats = new Map() } = settings;
    this.#settings = settings;
    this.#repeats = repeats;
    this.#senders = routes.map((route) => new Sender(route, clock, log, this.#stop.signal));
  }

  checking(): void {
    // People know that already.
  }

  async ended(end: CycleEnd): Promise<void> {
    if (end.type === "overtaken" || end.type === "interrupted") return;
    const { describe, clock } = this.#settings;
    const stands = end.environments && environmentViews(end.environments, [], describe, clock.now());
    const mistakes =
      end.type === "invalid" ? firstProblems(end.problems).map((problem) => describe(problem)) : [];
    const known = await this.#known();
    const { repositoryFailure: failure } = end;
    this.#unread = failure ? this.#unread + 1 : 0;
    const now = clock.now();
    const { news: found, ...rest } = newsOf(
      failure ? withoutOutage(known) : known,
      end.commit,
      stands,
      mistakes,
      now,
      this.#repeats,
    );
    const taken = { ...rest, news: [...found, ...newsOfSetBack(end.commit, setBackBy(end))] };
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

  /** Ends after messages under way are sent, or after this many milliseconds. */
  async close(milliseconds: number): Promise<void> {
    const timer = setTimeout(() => this.#stop.abort(), milliseconds);
    await Promise.all(this.#senders.map((sender) => sender.over()));
    clearTimeout(timer);
  }

  async #take({ news, told }: { news: NewsItem[]; told: ToldNews }): Promise<void> {
    const { source, clock, file, log } = this.#settings;
    const isKnown = JSON.stringify(told) === JSON.stringify(this.#told);
    this.#told = told;
    if (!isKnown)
      await writeWhole(file, `${JSON.stringify({ version: 1, ...told })}\n`).catch((error: unknown) =>
        log.warn({ reason: String(error) }, "what was notified cannot be written"),
      );
    for (const sender of this.#senders) sender.add(news, { source, now: clock.now() });
  }

  async #known(): Promise<ToldNews> {
    this.#told ??= await readTold(this.#settings.file);
    return this.#told;
  }
}

function withoutOutage({ outage: _outage, ...told }: ToldNews): ToldNews {
  return told;
}

/** The news reported before; none if the file is missing or damaged. */
async function readTold(file: string): Promise<ToldNews> {
  try {
    const content: unknown = JSON.parse(await readFile(file, "utf8"));
    if (!isFields(content) || !isFields(content["states"])) return nothingTold;
    const { states, isInvalid, outage, stale, last } = content;
    const known = Object.entries(isFields(states) ? states : {}).flatMap(([environment, given]) => {
      const state = standingStates.find((each) => each === given);
      return state === undefined ? [] : [[environment, state] as const];
    });
    return {
      states: Object.fromEntries(known),
      isInvalid: isInvalid === true,
      ...(Array.isArray(stale) && { stale: stale.filter((name) => typeof name === "string") }),
      ...(typeof outage === "number" && { outage }),
      ...(isFields(last) && {
        last: Object.fromEntries(
          Object.entries(last).filter((entry): entry is [string, number] => typeof entry[1] === "number"),
        ),
      }),
    };
  } catch {
    return nothingTold;
  }
}
