import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../../core/index.ts";

/** A clock on which so many seconds pass in one, so that backoffs and polls take no time in tests. */
export function fastClock(factor = 50, random: () => number = Math.random): Clock {
  const start = Date.now();
  return {
    now: () => start + (Date.now() - start) * factor,
    random,
    async sleep(milliseconds, signal) {
      try {
        await wait(milliseconds / factor, undefined, { signal });
      } catch (error) {
        if (!signal?.aborted) throw error;
      }
    },
  };
}

/** A fast clock on which something happens in the first wait. */
export function clockWith(happens: () => Promise<unknown>): Clock {
  const clock = fastClock();
  let isOver = false;
  return {
    ...clock,
    async sleep(milliseconds, signal) {
      if (milliseconds > 0 && !isOver) {
        isOver = true;
        await happens();
      }
      await clock.sleep(milliseconds, signal);
    },
  };
}
