import type { Budget, Clock } from "../../core/api/index.ts";

const minute = 60_000;
const hour = 3_600_000;

/** The requests of the last hour, counted by minute. */
export class Pace {
  readonly #clock: Clock;
  readonly #started: number;
  /** By the minute of sending. */
  readonly #spent = new Map<number, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#started = clock.now();
  }

  add(count: number): void {
    const now = Math.floor(this.#clock.now() / minute);
    this.#spent.set(now, (this.#spent.get(now) ?? 0) + count);
    for (const time of this.#spent.keys()) if (time <= now - 60) this.#spent.delete(time);
  }

  inHour(): number {
    const since = Math.floor(this.#clock.now() / minute) - 60;
    return [...this.#spent].reduce((sum, [time, count]) => (time > since ? sum + count : sum), 0);
  }

  /** The requests that will be left at the reset of the quota, at this pace; undefined: its time is unknown. */
  forecast({ remaining, resetAt }: Budget): number | undefined {
    if (remaining === undefined || resetAt === undefined) return undefined;
    const now = this.#clock.now();
    // A pace of less than ten minutes predicts no hour.
    const observed = Math.min(hour, Math.max(now - this.#started, 10 * minute));
    const expected = (this.inHour() / observed) * Math.max(0, resetAt.getTime() - now);
    return Math.max(0, Math.round(remaining - expected));
  }
}
