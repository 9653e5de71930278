import type { Client } from "../api/index.ts";

/** What a run may spend is less than what it is expected to. */
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
      /** How many a whole window has, where that is too few for the run with what it has spent already. */
      window: number | undefined;
    };

/**
 * Holds what a run is expected to spend against the cap of the run and the quota of the token. Undefined when it is
 * enough, as far as is known.
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
  // Another run would spend as much before it comes to this.
  const isTooMuch = limit !== undefined && meter.read().total + requests > limit;
  return { by: "quota", left: remaining, resetAt, window: isTooMuch ? limit : undefined };
}
