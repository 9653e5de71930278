/** An answer time for which the time limits are generous, in milliseconds; they suffice up to twice this. */
const usual = 250;
/** The largest factor of time limits: a dead worker is noticed only after them. */
const most = 8;
/** Longer answers count as this, in milliseconds. */
const longest = 10_000;
/** The limit of an answer of a fast database, in seconds, unless `connect_timeout` in its URL is longer: all others are multiples of it. */
const usualLimit = 5;

/** The measured answer time of a database, and the factor of time limits that follows from it. */
export class DatabasePace {
  readonly #least: number;
  #time = 0;

  /** @param least the factor for a fast database */
  constructor(least = 1) {
    this.#least = least;
  }

  /** The longest recent answer, in milliseconds: an older one counts less with each answer. */
  get answerTime(): number {
    return this.#time;
  }

  /** From 1 to 8: longer limits delay each takeover. */
  get factor(): number {
    return Math.max(this.#least, this.#time < 2 * usual ? 1 : Math.min(most, this.#time / usual));
  }

  /** The limit of a connection attempt and of an answer, in milliseconds: less than other workers wait for a silent worker. */
  get limit(): number {
    return usualLimit * 1000 * this.factor;
  }

  /** An answer has come. @param milliseconds after the question */
  took(milliseconds: number): void {
    this.#time = Math.min(longest, Math.max(milliseconds, this.#time * 0.8));
  }

  /** An answer has not come in time: the next one gets twice the time. */
  late(): void {
    this.took(2 * usual * this.factor);
  }
}

/** The assumed factor of a process that has not reported its own. */
export const unknownFactor = most;

const paces = new Map<string, DatabasePace>();

/** The pace of a database, which all connections of this process share. */
export function paceOf(url: string): DatabasePace {
  const declared = Number(URL.parse(url)?.searchParams.get("connect_timeout") ?? 0) / usualLimit;
  const pace = paces.get(url) ?? new DatabasePace(declared > 1 ? Math.min(most, declared) : 1);
  paces.set(url, pace);
  return pace;
}
