import { readFile } from "node:fs/promises";
import type { Clock } from "../../core/api/index.ts";
import { writeWhole } from "../../core/files.ts";
import { isFields } from "../../core/json.ts";
import { type Audience, type Describe, environmentViews, type Source } from "../show/index.ts";
import { type CycleEnd, setBackBy, standingStates } from "../decide/index.ts";
import type { Log } from "../log.ts";
import { messageOf, type NotificationFormat } from "./message.ts";
import { type Destination, post } from "./post.ts";
import {
  type NewsItem,
  newsOf,
  newsOfFailure,
  newsOfSetBack,
  nothingTold,
  type ToldState,
} from "./transitions.ts";

/** What a notifier works with. */
export interface NotifierSettings {
  clock: Clock;
  source: Source;
  format: NotificationFormat;
  /** Read anew for each notification; undefined: there is none now. */
  destination(): Promise<Destination | undefined>;
  /** The file that keeps what was told, so that a restart tells nothing twice. It may be lost at any time. */
  file: string;
  describe: Describe;
  log: Log;
}

/** More than so many notifications do not wait: the oldest are dropped. */
const mostWaiting = 20;

/** Tells people what has changed, and only that: one message a cycle, and none for a cycle like the one before. */
export class Notifier implements Audience {
  readonly #settings: NotifierSettings;
  readonly #stop = new AbortController();
  readonly #waiting: string[] = [];
  #told: ToldState | undefined;
  /** For how many cycles in a row the repository could not be read. */
  #unread = 0;
  #sending: Promise<void> = Promise.resolve();

  constructor(settings: NotifierSettings) {
    this.#settings = settings;
  }

  checking(): void {
    // People know that already.
  }

  async ended(end: CycleEnd): Promise<void> {
    if (end.type === "overtaken" || end.type === "interrupted") return;
    const { describe, clock } = this.#settings;
    const stands = end.environments && environmentViews(end.environments, [], describe, clock.now());
    const mistakes = end.type === "invalid" ? end.problems.map((problem) => describe(problem)) : [];
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
    );
    const taken = { ...rest, news: [...found, ...newsOfSetBack(end.commit, setBackBy(end))] };
    if (!failure) return this.#take(taken);
    // While the repository cannot be read, everything else goes on.
    const told = known.outage === undefined ? taken.told : { ...taken.told, outage: known.outage };
    const out = newsOfFailure(told, failure.message, this.#unread, now);
    return this.#take({ news: [...taken.news, ...out.news], told: out.told });
  }

  async failed({ reason = "" }: Record<string, string>, failures: number): Promise<void> {
    await this.#take(newsOfFailure(await this.#known(), reason, failures, this.#settings.clock.now()));
  }

  /** Ends, after what is under way was sent or so many milliseconds have passed. */
  async close(milliseconds: number): Promise<void> {
    const timer = setTimeout(() => this.#stop.abort(), milliseconds);
    await this.#sending;
    clearTimeout(timer);
  }

  async #take({ news, told }: { news: NewsItem[]; told: ToldState }): Promise<void> {
    const { source, format, clock, file, log } = this.#settings;
    const isKnown = JSON.stringify(told) === JSON.stringify(this.#told);
    this.#told = told;
    if (!isKnown)
      await writeWhole(file, `${JSON.stringify({ version: 1, ...told })}\n`).catch((error: unknown) =>
        log.warn({ reason: String(error) }, "what was notified cannot be written"),
      );
    if (news.length === 0) return;
    this.#waiting.push(messageOf(news, format, { source, now: clock.now() }));
    if (this.#waiting.length > mostWaiting) {
      this.#waiting.shift();
      log.warn({}, "a notification was dropped, because earlier ones are still under way");
    }
    // The loop goes on meanwhile.
    this.#sending = this.#sending.then(() => this.#send());
  }

  async #send(): Promise<void> {
    const { destination, clock, log } = this.#settings;
    const message = this.#waiting.shift();
    if (message === undefined) return;
    const to = await destination();
    const failure = to
      ? await post(message, to, clock, this.#stop.signal)
      : "the file with its address cannot be read";
    if (failure !== undefined) log.warn({ reason: failure }, "a notification has not arrived");
  }

  async #known(): Promise<ToldState> {
    this.#told ??= await readTold(this.#settings.file);
    return this.#told;
  }
}

function withoutOutage({ outage: _outage, ...told }: ToldState): ToldState {
  return told;
}

/** What was told before; nothing where the file is missing or damaged. */
async function readTold(file: string): Promise<ToldState> {
  try {
    const content: unknown = JSON.parse(await readFile(file, "utf8"));
    if (!isFields(content) || !isFields(content["states"])) return nothingTold;
    const { states, isInvalid, outage, stale } = content;
    const known = Object.entries(isFields(states) ? states : {}).flatMap(([environment, given]) => {
      const state = standingStates.find((each) => each === given);
      return state === undefined ? [] : [[environment, state] as const];
    });
    return {
      states: Object.fromEntries(known),
      isInvalid: isInvalid === true,
      ...(Array.isArray(stale) && { stale: stale.filter((name) => typeof name === "string") }),
      ...(typeof outage === "number" && { outage }),
    };
  } catch {
    return nothingTold;
  }
}
