import { setImmediate as turn } from "node:timers/promises";
import type { Clock } from "../../core/api/index.ts";

/** Something that happens at a time. */
interface Due {
  /** Milliseconds since 1970. */
  at: number;
  run(): Promise<void>;
}

/**
 * A clock whose time passes in waits only, and on whose way things happen at their times. Waits that are begun at once end
 * at once, as on a real clock.
 */
export class SimulatedTime implements Clock {
  readonly random: () => number;
  readonly #passed: (milliseconds: number) => Promise<void>;
  #now: number;
  #due: Due[] = [];
  /** What waits is let on one by one. */
  #turns: Promise<void> = Promise.resolve();

  /** @param passed is told how much time has passed, before anything goes on */
  constructor(start: number, random: () => number, passed: (milliseconds: number) => Promise<void>) {
    this.#now = start;
    this.random = random;
    this.#passed = passed;
  }

  now = (): number => this.#now;

  /** Has something happen after so many milliseconds. It must not wait on this clock. */
  after(milliseconds: number, run: () => Promise<void>): void {
    this.#due.push({ at: this.#now + milliseconds, run });
    this.#due.sort((left, right) => left.at - right.at);
  }

  sleep = async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
    const wake = Math.ceil(this.#now + milliseconds);
    // Whoever waits at the same time has begun to when time goes on.
    await turn();
    const own = this.#turns.then(() => this.#advance(wake, signal));
    this.#turns = own.catch(() => undefined);
    await own;
  };

  async #advance(wake: number, signal: AbortSignal | undefined): Promise<void> {
    while (this.#now < wake) {
      if (signal?.aborted) return;
      const [next] = this.#due;
      const isDue = next !== undefined && next.at <= wake;
      if (isDue) this.#due.shift();
      const to = Math.max(this.#now, isDue ? next.at : wake);
      if (to > this.#now) {
        const passed = to - this.#now;
        this.#now = to;
        await this.#passed(passed);
      }
      if (isDue) await next.run();
    }
  }
}

/** Random numbers from 0 to 1 that a seed repeats. Source: mulberry32. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
