import fc from "fast-check";

/** The schedules to run. */
export interface Seeded {
  count: number;
  seed: number;
  /** Replays one schedule, with the path that fast-check prints. */
  path?: string;
}

/**
 * Runs seeded schedules one after the other.
 *
 * @throws the error of a run, with the seed and the path that replay it
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
