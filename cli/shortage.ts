import type { Client } from "../core/api/index.ts";
import { exitCodes } from "./exit-codes.ts";
import { CommandError } from "./command-error.ts";
import { countedRequests } from "./render/requests.ts";
import { timeLeft } from "./render/text.ts";
import type { Settings } from "./settings/index.ts";

/**
 * Holds what a run will cost against what may be spent, and says so where it is more and will be waited for.
 *
 * @param requests how many the run will send
 * @throws CommandError where it must not be waited for
 */
export function shortageOf(
  requests: number,
  { budget, spent }: Client,
  { onQuota, maxRequests }: Settings,
): string | undefined {
  const needed = `the plan needs about ${countedRequests(requests)}`;
  const { limit, remaining, resetAt } = budget;
  if (maxRequests !== undefined && spent.total + requests > maxRequests) {
    throw new CommandError("quota", exitCodes.quota, {
      message: `${needed}, and this run may send only ${Math.max(0, maxRequests - spent.total)} more (--max-requests ${maxRequests})`,
      advice: "raise --max-requests, or do a part of it with --target",
    });
  }
  if (remaining === undefined || remaining >= requests) return undefined;
  const resets = resetAt ? `; it resets in ${timeLeft(resetAt, Date.now())}` : "";
  const message = `${needed}, and the quota of the token has only ${remaining} left${resets}`;
  if (onQuota === "wait")
    return `\nNote: ${message}. The run will wait for that (--on-quota fail would not begin).`;
  const others = "do a part of it with --target, or let it wait with --on-quota wait";
  // Another run would spend as much before it comes to this.
  const isTooMuch = limit !== undefined && spent.total + requests > limit;
  throw new CommandError("quota", exitCodes.quota, {
    message,
    advice: isTooMuch
      ? `a whole window has only ${limit}, too few for one run: ${others}`
      : `run again after that, ${others}`,
  });
}
