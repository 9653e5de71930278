import type { Budget } from "../api/index.ts";

const firstPause = 2_000;
const growth = 1.4;
const longestPause = 60_000;

/** The share of the remaining quota that status checks of deployments may use. */
const budgetShare = 0.25;

/** Milliseconds before the next status check: growing, and spread over the window when it would use a quarter of the rest. */
export function pauseBefore(
  checks: number,
  together: number,
  { remaining, resetAt }: Pick<Budget, "remaining" | "resetAt">,
  now: number,
): number {
  const pause = usualPause(checks);
  if (remaining === undefined || resetAt === undefined) return pause;
  const untilReset = Math.max(0, resetAt.getTime() - now);
  const affordable = Math.max(1, Math.floor((remaining * budgetShare) / together));
  return checksWithin(untilReset, checks) <= affordable ? pause : Math.max(pause, untilReset / affordable);
}

function usualPause(checks: number): number {
  return Math.min(longestPause, firstPause * growth ** checks);
}

/** How many checks fit into a time with the usual pauses. */
function checksWithin(milliseconds: number, checks: number): number {
  let left = milliseconds;
  let count = 0;
  for (let at = checks; usualPause(at) < longestPause && left > 0; at += 1) {
    left -= usualPause(at);
    count += 1;
  }
  return count + Math.ceil(Math.max(0, left) / longestPause);
}
