/** An answer time for which the time limits are generous, in milliseconds; they suffice up to twice this. */
const usual = 250;
/** The largest factor of time limits: a dead worker is noticed only after them. */
const most = 8;
/** Longer answers count as this, in milliseconds. */
const longest = 10_000;

/** The measured answer time of a database, and the factor of time limits that follows from it. */
export class DatabasePace {
  #time = 0;

  /** The longest recent answer, in milliseconds: an older one counts less with each answer. */
  get answerTime(): number {
    return this.#time;
  }

  /** 1, or from 2 to 8: longer limits delay each takeover. */
  get factor(): number {
    return this.#time < 2 * usual ? 1 : Math.min(most, this.#time / usual);
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
  const pace = paces.get(url) ?? new DatabasePace();
  paces.set(url, pace);
  return pace;
}
