import type { Clock } from "../../core/api/index.ts";

/** Waits, and is woken. */
export interface Hints {
  /** Resolves after so many milliseconds with `false`, and with `true` as soon as there is a hint. The signal ends it. */
  wait(milliseconds: number, signal: AbortSignal): Promise<boolean>;
  /** Whether a person has requested something since the last time: then a cycle begins, whatever the branch has. */
  takeRequest(): boolean;
}

/** Hints within this time are one, in milliseconds. */
const gathering = 500;
/** Two looks because of hints are so far apart, in milliseconds. */
const apart = 2000;

/** Takes hints that the branch has moved, or that a person has requested something, and passes them on: many at once are one. */
export class HintBox implements Hints {
  readonly #clock: Clock;
  #isHinted = false;
  #isRequested = false;
  #last = -Infinity;
  #waiting: AbortController | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Somebody says that the branch has moved. */
  hint(): void {
    this.#isHinted = true;
    this.#waiting?.abort();
  }

  request(): void {
    this.#isRequested = true;
    this.hint();
  }

  takeRequest(): boolean {
    const isRequested = this.#isRequested;
    this.#isRequested = false;
    return isRequested;
  }

  async wait(milliseconds: number, signal: AbortSignal): Promise<boolean> {
    const end = this.#clock.now() + milliseconds;
    if (!this.#isHinted) {
      const waiting = new AbortController();
      this.#waiting = waiting;
      await this.#clock.sleep(milliseconds, AbortSignal.any([signal, waiting.signal]));
      this.#waiting = undefined;
    }
    if (!this.#isHinted || signal.aborted) return false;
    const ready = Math.max(this.#clock.now() + gathering, this.#last + apart);
    await this.#clock.sleep(Math.max(0, Math.min(ready, end) - this.#clock.now()), signal);
    if (signal.aborted) return false;
    this.#isHinted = false;
    this.#last = this.#clock.now();
    return true;
  }
}
