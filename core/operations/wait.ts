import { type Clock, InterruptedError } from "../api/index.ts";
import type { Run } from "./run.ts";
import type { OperationError } from "./errors.ts";

const firstDelay = 200;
const longestDelay = 10_000;
// A try that takes longer has waited for the quota, or the machine has slept: that time does not count.
const longestTry = 60_000;

/** Milliseconds before the n-th check: none before the first, then longer each time. */
export function pollDelay(attempt: number): number {
  return attempt === 0 ? 0 : Math.min(longestDelay, firstDelay * 1.5 ** (attempt - 1));
}

/** Waits without holding up other actions of the run. */
export function outsideTurn<Value>(
  run: Pick<Run, "outsideTurn">,
  waiting: () => Promise<Value>,
): Promise<Value> {
  return run.outsideTurn ? run.outsideTurn(waiting) : waiting();
}

/**
 * Tries until there is a value or the time is over; at least twice, because the outcome of a write without an answer
 * has to be checked. Each try waits for `pollDelay` itself, to share requests.
 */
export async function until<Value>(
  clock: Clock,
  limit: number | (() => number),
  signal: AbortSignal | undefined,
  tryOnce: (attempt: number, spent: number) => Promise<Value | undefined>,
  sent: (interruption: InterruptedError) => OperationError | undefined = () => undefined,
): Promise<Value | undefined> {
  let spent = 0;
  for (let attempt = 0; ; attempt += 1) {
    if (signal?.aborted) {
      const error = interruption();
      throw sent(error) ?? error;
    }
    const started = clock.now();
    const value = await tryOnce(attempt, spent);
    if (value !== undefined) return value;
    spent += Math.min(clock.now() - started, longestTry);
    const left = (typeof limit === "number" ? limit : limit()) - spent;
    if (attempt > 0 && left < pollDelay(attempt + 1)) return undefined;
  }
}

/** Throws after the signal, so that nothing new starts. */
export function refuseInterrupted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw interruption();
}

function interruption(): InterruptedError {
  return new InterruptedError("interrupted before anything was changed", {
    method: "GET",
    path: "",
    remedies: [{ again: "run" }],
  });
}
