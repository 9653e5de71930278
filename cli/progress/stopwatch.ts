import { type Clock, systemClock } from "../../core/api/index.ts";

/** Measures how long actions take. */
export class Stopwatch {
  readonly #clock: Clock;
  /** Milliseconds since 1970, by the id of the action. */
  readonly #started = new Map<string, number>();

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  start(id: string): void {
    this.#started.set(id, this.#clock.now());
  }

  /** Milliseconds since the start; undefined for an action that was never started. */
  stop(id: string): number | undefined {
    const started = this.#started.get(id);
    return started === undefined ? undefined : Math.max(0, Math.round(this.#clock.now() - started));
  }
}
