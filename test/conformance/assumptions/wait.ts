import type { Server } from "./server.ts";

/** Milliseconds between two readings. */
const pauses = [0, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000, 120_000];

/**
 * Reads at once and then after growing pauses, until a reading shows something. Returns it and the milliseconds until
 * then. Undefined if no reading does.
 */
export async function until<Value>(
  { clock }: Server,
  readings: number,
  read: () => Promise<Value | undefined>,
): Promise<{ value: Value; after: number } | undefined> {
  const started = clock.now();
  for (const [index, pause] of pauses.slice(0, readings).entries()) {
    if (pause > 0) await clock.sleep(pause);
    const value = await read();
    if (value !== undefined) return { value, after: index === 0 ? 0 : clock.now() - started };
  }
  return undefined;
}

/** How many milliseconds so many readings take. */
export function lengthOf(readings: number): number {
  return pauses.slice(0, readings).reduce((sum, pause) => sum + pause, 0);
}

/** A time for people: `4 s`. */
export function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 100) / 10} s`;
}
