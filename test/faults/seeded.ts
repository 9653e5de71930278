import fc from "fast-check";

/** The schedules to run. */
export interface Seeded {
  count: number;
  seed: number;
}

/**
 * Runs seeded schedules one after the other.
 *
 * @throws the error of a run, with the seed that replays it
 */
export async function runSeeded<Schedule>(
  schedules: fc.Arbitrary<Schedule>,
  { count, seed }: Seeded,
  run: (schedule: Schedule) => Promise<void>,
): Promise<void> {
  await fc.assert(fc.asyncProperty(schedules, run), { numRuns: count, seed, endOnFailure: true });
}
