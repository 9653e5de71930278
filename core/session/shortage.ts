import type { Client } from "../api/index.ts";

/** A run may send fewer requests than it is expected to need. */
export type Shortage =
  | {
      by: "cap";
      /** How many requests the run may send at all, and how many more. */
      cap: number;
      left: number;
    }
  | {
      by: "quota";
      /** How many requests the token has left, and when it gets new ones, where the server says so. */
      left: number;
      resetAt: Date | undefined;
      /** The quota of a full window; set only if even that is too small for this run. */
      window: number | undefined;
    };

/**
 * Compares the expected requests of a run with the cap of the run and the quota of the token. Undefined when both are
 * sufficient, as far as is known.
 *
 * @param requests how many more it is expected to send
 */
export function shortageOf(
  { budget, meter }: Pick<Client, "budget" | "meter">,
  requests: number,
): Shortage | undefined {
  const { cap, left } = meter;
  if (cap !== undefined && requests > left) return { by: "cap", cap, left };
  const { limit, remaining, resetAt } = budget;
  if (remaining === undefined || remaining >= requests) return undefined;
  // Another run would spend the same number of requests before it reaches this point.
  const isTooMuch = limit !== undefined && meter.read().total + requests > limit;
  return { by: "quota", left: remaining, resetAt, window: isTooMuch ? limit : undefined };
}

/** Whether a shortage prevents a run from starting: no wait raises a cap. */
export function prevents(shortage: Shortage, onQuota: "wait" | "fail"): boolean {
  return shortage.by === "cap" || onQuota === "fail";
}
