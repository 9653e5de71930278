import { setTimeout as wait } from "node:timers/promises";

/** Time and random numbers of the client, which tests replace. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** From 0 to 1, 1 excluded. */
  random(): number;
  /** Resolves after so many milliseconds, or as soon as the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** The longest timer of Node: a longer one ends at once. */
const longestTimer = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  async sleep(milliseconds, signal) {
    try {
      let left = milliseconds;
      for (; left > longestTimer; left -= longestTimer) await wait(longestTimer, undefined, { signal });
      await wait(left, undefined, { signal });
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
  },
};

/** The tolerated difference between the clocks, in milliseconds; beyond it, the server's counts. */
export const toleratedDifference = 60_000;

/** The machine's clock, or the server's, which is `ahead` milliseconds ahead, if they differ by more than a minute. */
export function clockByServer(machine: Clock, ahead: () => number): Clock {
  return { ...machine, now: () => machine.now() + (Math.abs(ahead()) > toleratedDifference ? ahead() : 0) };
}

const hour = 3_600_000;

/** Whether the clocks agree well enough to delete an expired resource. @param serverAhead in milliseconds */
export function clocksAgree(serverAhead: number): boolean {
  return Math.abs(serverAhead) <= hour;
}

/** The longest single wait, in milliseconds: a timer pauses while a laptop sleeps, a quota's reset does not. */
export const LONGEST_SLEEP = 30_000;

/** Waits for something for so many milliseconds at most. Returns whether it came in time. */
export async function comesWithin(
  clock: Pick<Clock, "sleep">,
  milliseconds: number,
  awaited: Promise<unknown>,
): Promise<boolean> {
  const enough = new AbortController();
  const late = clock.sleep(milliseconds, enough.signal).then(() => false);
  return Promise.race([awaited.then(() => true), late]).finally(() => enough.abort());
}

/** Resolves when the clock has reached `until()`, which may move during the wait, or the signal aborts. */
export async function sleepUntil(clock: Clock, until: () => number, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const left = until() - clock.now();
    if (left <= 0 || signal?.aborted) return;
    await clock.sleep(Math.min(left, LONGEST_SLEEP), signal);
  }
}
