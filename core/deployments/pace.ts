import type { Budget } from "../api/index.ts";

const firstPause = 2_000;
const growth = 1.4;
const longestPause = 60_000;

/** The share of the remaining quota that status checks of deployments may use. */
const budgetShare = 0.25;

/**
 * Milliseconds before the next look at a deployment: ever longer the longer it takes. Where the looks until the quota
 * resets would use more than a quarter of what is left of it, they are spread evenly over that time.
 *
 * @param looks how often it was looked at
 * @param together how many deployments the run follows at the same time
 */
export function pauseBefore(
  looks: number,
  together: number,
  { remaining, resetAt }: Pick<Budget, "remaining" | "resetAt">,
  now: number,
): number {
  const pause = usualPause(looks);
  if (remaining === undefined || resetAt === undefined) return pause;
  const untilReset = Math.max(0, resetAt.getTime() - now);
  const affordable = Math.max(1, Math.floor((remaining * budgetShare) / together));
  return looksWithin(untilReset, looks) <= affordable ? pause : Math.max(pause, untilReset / affordable);
}

function usualPause(looks: number): number {
  return Math.min(longestPause, firstPause * growth ** looks);
}

/** How many looks the usual pauses leave room for in so many milliseconds. */
function looksWithin(milliseconds: number, looks: number): number {
  let left = milliseconds;
  let count = 0;
  for (let at = looks; usualPause(at) < longestPause && left > 0; at += 1) {
    left -= usualPause(at);
    count += 1;
  }
  return count + Math.ceil(Math.max(0, left) / longestPause);
}
