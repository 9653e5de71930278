import {
  type HttpAnswer,
  requestedDelay,
  requestedTime,
  failedTry,
  type NoAnswer,
  retryDelay,
} from "../../core/api/index.ts";

const mostTries = 4;
/** The pause that GitHub demands if a limit names no time, in milliseconds. */
const limitWithoutTime = 60_000;

/** The next step after a reply of a Git host; `isRepeatable`: carrying the request out twice is harmless. */
export function nextTry(
  reply: HttpAnswer | NoAnswer,
  { attempt, isRepeatable, longestWait }: { attempt: number; isRepeatable: boolean; longestWait: number },
  now: number,
  random: number,
): { type: "done" } | { type: "again"; after: number } | { type: "limited" | "failed"; until?: Date } {
  const failed = failedTry(reply, attempt);
  if (reply.kind === "answer" && isLimited(reply)) {
    const requested = requestedDelay({ ...failed, status: 429 }, now);
    const after = requested ?? limitWithoutTime;
    if (after <= longestWait && attempt < mostTries) return { type: "again", after };
    return { type: "limited", ...(requested !== undefined && { until: new Date(now + requested) }) };
  }
  if (reply.kind === "answer" && reply.status < 500 && reply.status !== 408) return { type: "done" };
  const isUnsent = reply.kind === "none" && !reply.sent;
  if (attempt >= mostTries || !(isRepeatable || isUnsent)) return { type: "failed" };
  const until = requestedTime(reply, now);
  if (until && until.getTime() - now > longestWait) return { type: "failed", until };
  return { type: "again", after: retryDelay(failed, now, random) };
}

/** Whether a limit refuses the request: GitHub answers 403 for those too. */
function isLimited({ status, headers }: HttpAnswer): boolean {
  return (
    status === 429 ||
    (status === 403 && (headers["retry-after"] !== undefined || headers["x-ratelimit-remaining"] === "0"))
  );
}
