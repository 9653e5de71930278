import type { RequestLine } from "./operation.ts";
import type { FailedAttempt } from "./judge.ts";

const MOST_TRIES = 5;

/**
 * Whether a failed request is sent again. A read is, whatever became of the first; a write only when it was certainly not
 * carried out.
 *
 * @param tries how often the request was sent, this time included
 */
export function mayRepeat(method: RequestLine["method"], failure: FailedAttempt, tries: number): boolean {
  if (tries >= MOST_TRIES || !failure.mayPass) return false;
  return method === "GET" || failure.carriedOut === "no";
}
