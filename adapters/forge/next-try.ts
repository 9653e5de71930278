import { type Answer, askedDelay, failedTry, type NoAnswer, retryDelay } from "../../core/api/index.ts";

const mostTries = 4;
/** The pause that GitHub wants if a limit names no time, in milliseconds. */
const limitWithoutTime = 60_000;

/**
 * Says what to do after a reply of a forge. Pure.
 *
 * @param isRepeatable whether the request does no harm if it is carried out twice
 * @param longestWait the longest wait for a limit, in milliseconds
 */
export function nextTry(
  reply: Answer | NoAnswer,
  { attempt, isRepeatable, longestWait }: { attempt: number; isRepeatable: boolean; longestWait: number },
  now: number,
  random: number,
): { type: "done" } | { type: "again"; after: number } | { type: "limited" | "failed" } {
  const failed = failedTry(reply, attempt);
  if (reply.kind === "answer" && isLimited(reply)) {
    const asked = askedDelay({ ...failed, status: 429 }, now);
    const after = asked ?? (statesTime(reply, longestWait, now) ? Infinity : limitWithoutTime);
    return after > longestWait || attempt >= mostTries ? { type: "limited" } : { type: "again", after };
  }
  if (reply.kind === "answer" && reply.status < 500 && reply.status !== 408) return { type: "done" };
  const isUnsent = reply.kind === "none" && !reply.sent;
  if (attempt >= mostTries || !(isRepeatable || isUnsent)) return { type: "failed" };
  return { type: "again", after: retryDelay(failed, now, random) };
}

/** Whether the forge names a time that is further away than a wait. */
function statesTime({ headers: { "retry-after": stated = "" } }: Answer, wait: number, now: number): boolean {
  const seconds = Number(stated);
  const left = Number.isNaN(seconds) ? Date.parse(stated) - now : seconds * 1_000;
  return left > wait;
}

/** Whether a limit refuses the request: GitHub answers 403 for those too. */
function isLimited({ status, headers }: Answer): boolean {
  return (
    status === 429 ||
    (status === 403 && (headers["retry-after"] !== undefined || headers["x-ratelimit-remaining"] === "0"))
  );
}
