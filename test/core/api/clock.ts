import { setImmediate as turn } from "node:timers/promises";
import type { Clock } from "../../../core/api/clock.ts";

/** A clock whose waits take no time: each moves it on by as long as it was to last. */
export interface QuickClock extends Clock {
  /** Milliseconds of each wait. */
  readonly slept: number[];
}

/** Makes a clock that stands at the present until somebody waits, and where chance always says `random`. */
export function quickClock(random = 0): QuickClock {
  const slept: number[] = [];
  let now = Date.now();
  return {
    slept,
    now: () => now,
    random: () => random,
    async sleep(milliseconds, signal) {
      await turn();
      if (signal?.aborted) return;
      slept.push(milliseconds);
      now += milliseconds;
    },
  };
}
