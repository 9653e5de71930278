import fc from "fast-check";

/** Which schedules to run. */
export interface Seeded {
  count: number;
  seed: number;
  /** Replays one of them, as fast-check prints it. */
  path?: string;
}

/**
 * Runs seeded schedules one after the other.
 *
 * @throws what a run throws, with the seed and the path that replay it
 */
export async function runSeeded<Schedule>(
  schedules: fc.Arbitrary<Schedule>,
  { count, seed, path }: Seeded,
  run: (schedule: Schedule) => Promise<void>,
): Promise<void> {
  await fc.assert(fc.asyncProperty(schedules, run), {
    numRuns: path === undefined ? count : 1,
    seed,
    endOnFailure: true,
    ...(path !== undefined && { path }),
  });
}
