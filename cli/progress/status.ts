import type { Progress } from "../../core/execution/execute/index.ts";
import type { ReadCount } from "../../core/state/live/index.ts";
import { type Wait, type Clock, systemClock } from "../../core/api/index.ts";
import { timeLeft } from "../render/text.ts";

/** Shows progress: a line that is redrawn on a terminal, otherwise a line for each event. */
export interface Status {
  /** Shows the start of work that takes a while. */
  working(what: string): void;
  /** Shows that live resources are read, and how many lists of them, until something else happens. */
  reading(): void;
  /** How many lists are read of those that are known to be needed. */
  read(count: ReadCount): void;
  progress(progress: Progress): void;
  waiting(wait: Wait): void;
  /** Removes the redrawn line from the terminal; the next event shows it again. */
  pause(): void;
}

/** The text of a wait. */
export function longWait({ reason, until }: Pick<Wait, "reason" | "until">, now: number): string {
  const left = timeLeft(until, now);
  if (reason === "answer") return `The server has not answered yet; this try ends in ${left}`;
  return `${reasons[reason]}; continuing in ${left}, at ${until.toISOString().slice(11, 19)} UTC`;
}

const reasons = {
  quota: "The request quota is used up",
  limited: "The server takes no requests for a while (429)",
  retry: "A request has failed",
};

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
