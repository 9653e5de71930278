import { type Clock, LONGEST_SLEEP } from "../../core/api/index.ts";
import type { Hints } from "../webhook/index.ts";
import type { Reconciler } from "./cycle.ts";

export interface RestParts {
  reconciler: Pick<Reconciler, "hasNews">;
  clock: Clock;
  signal: AbortSignal;
  /** Milliseconds between two reads of the repository. */
  interval: number;
  /** Ends waits when somebody says that the branch has moved. */
  hints?: Hints;
  /** Called after each read of the repository. @param error why it failed; undefined if it succeeded */
  onRepositoryRead?(error: unknown): Promise<void>;
  /** Whether the cycle before could not read the repository either, and has said why. */
  isAway?: boolean;
}

/**
 * Rests between two cycles. Reading the repository costs no request to the API: if live resources are read less often than
 * the interval says, the repository is read meanwhile, and after a hint at once. A new commit ends the rest. So does a clock
 * that is set back, because the rest would become longer.
 *
 * @param due when the next read of the repository is due, in milliseconds since 1970
 * @param until when the rest ends anyway; asked again after each wait, because somebody may begin to look
 */
export async function rest(resting: RestParts, due: number, untilNow: () => number): Promise<void> {
  const { clock, signal, interval, hints, reconciler, isAway = false } = resting;
  for (let nextRead = due; ;) {
    const now = clock.now();
    const until = untilNow();
    if (now >= until) return;
    const left = Math.min(nextRead - now, until - now, LONGEST_SLEEP);
    let isHint = false;
    if (hints) isHint = await hints.wait(left, signal);
    else await clock.sleep(left, signal);
    const later = clock.now();
    if (signal.aborted || later >= until || later < now || (isHint && hints?.takeRequest())) return;
    if (later >= nextRead) nextRead = later + interval;
    else if (!isHint) continue;
    // A cycle reports why the repository cannot be read, unless the end of the service interrupted it; a hint does not bring that forward.
    const isNew = await reconciler.hasNews().then(
      async (news) => {
        await resting.onRepositoryRead?.(undefined);
        return news;
      },
      async (error: unknown) => {
        if (!signal.aborted) await resting.onRepositoryRead?.(error);
        return !isHint && !isAway;
      },
    );
    if (isNew) return;
  }
}
