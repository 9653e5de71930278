/** The limits of time are made for answers that take no longer than this, in milliseconds. */
const usual = 250;
/** The limits grow no further than to so many times: a worker that has died is missed only after them. */
const most = 8;
/** A longer answer says no more, in milliseconds. */
const longest = 10_000;

/** How long a database takes for an answer, as measured, and by what the limits of time are multiplied because of that. */
export class Pace {
  #time = 0;

  /** The longest answer of late, in milliseconds: an older one counts less with each answer. */
  get answerTime(): number {
    return this.#time;
  }

  /** From 1 to 8. */
  get factor(): number {
    return Math.min(most, Math.max(1, this.#time / usual));
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

/** The factor that is assumed of a process that has told none. */
export const unknownFactor = most;

const paces = new Map<string, Pace>();

/** The pace of a database, which all connections of this process share. */
export function paceOf(url: string): Pace {
  const pace = paces.get(url) ?? new Pace();
  paces.set(url, pace);
  return pace;
}
