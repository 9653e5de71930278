import { NotFoundError } from "./errors.ts";
import type { RequestLine } from "./operation.ts";
import type { FailedAttempt } from "./judge.ts";

const MOST_TRIES = 5;

/**
 * Whether a failed request is sent again. A read and a delete may, whatever became of the first; a POST or
 * PUT only when it was certainly not carried out.
 *
 * @param tries how often the request was sent, this time included
 */
export function mayRepeat(method: RequestLine["method"], failure: FailedAttempt, tries: number): boolean {
  if (tries >= MOST_TRIES || !failure.mayPass) return false;
  return method === "GET" || method === "DELETE" || failure.carriedOut === "no";
}

/**
 * Whether a DELETE that is answered with 404 has succeeded: only after an earlier try that may have been
 * carried out. A 404 on the first try, or after tries that never reached the server, is a NotFoundError.
 */
export function isDeletedByEarlierTry(
  method: RequestLine["method"],
  failure: FailedAttempt,
  earlierPerhapsCarriedOut: boolean,
): boolean {
  return method === "DELETE" && earlierPerhapsCarriedOut && failure.error instanceof NotFoundError;
}
