import type { ErrorCode } from "../problems/codes.ts";
import type { Help, Remedy } from "../problems/remedy.ts";

/** A failed request, and the facts on which a caller may act. */
export interface RequestFailure extends Help {
  method: string;
  /** The path below the base URL, with encoded ids, without the query. */
  path: string;
  status?: number;
  /** When the quota resets, if known. */
  resetAt?: Date | undefined;
  cause?: unknown;
  /** The message of the server, as a sentence. */
  words?: string;
}

/**
 * A failed request. The message tells the failure, its place and the remedy, and ends with the message of the server.
 * `summary` and `advice` have these parts separately, and `remedies` has further advice as data. No property and no
 * cause ever contains the token: see core/redaction/redact.ts.
 */
export abstract class ApiError extends Error {
  /** The code of the error, which stays the same in all versions. */
  abstract readonly code: ErrorCode;
  readonly method: string;
  readonly path: string;
  declare readonly status?: number;
  /** When the quota resets; only if the quota is the reason. */
  declare readonly resetAt?: Date;
  /** The failed request, and the explanation of the server. */
  readonly summary: string;
  /** The message of the server, as a sentence; empty: there is none. */
  readonly words: string;
  declare readonly advice?: string;
  declare readonly remedies?: readonly Remedy[];

  constructor(
    what: string,
    { method, path, status, resetAt, cause, advice, remedies, words = "" }: RequestFailure,
  ) {
    super(withAdvice(what, advice) + words, cause === undefined ? undefined : { cause });
    this.summary = what + words;
    this.words = words;
    if (advice !== undefined) this.advice = advice;
    if (remedies) this.remedies = remedies;
    this.name = new.target.name;
    this.method = method;
    this.path = path;
    if (status !== undefined) this.status = status;
    if (resetAt !== undefined) this.resetAt = resetAt;
  }
}

function errorOf<const Code extends ErrorCode>(code: Code) {
  /** A failed request with a code of its own. */
  class CodedError extends ApiError {
    readonly code = code;
  }
  return CodedError;
}

/** 404: the only answer that means that the resource does not exist. */
export class NotFoundError extends errorOf("not_found") {}

/** 409: another operation is in progress, or the name is taken; 423 and 425: another operation. */
export class ConflictError extends errorOf("conflict") {}

/** 409 for a lasting reason: another resource uses this one, or the server never deletes it. */
export class LastingConflictError extends ConflictError {}

/** 401: the token is missing, unknown or expired. */
export class UnauthorizedError extends errorOf("unauthorized") {}

/** 403: the token lacks the permission. */
export class ForbiddenError extends errorOf("forbidden") {}

/** 400, 422 and other refusals of the content of a request. */
export class InvalidRequestError extends errorOf("invalid_request") {}

/** 429, and the settings do not allow to wait. */
export class RateLimitedError extends errorOf("rate_limited") {}

/** 429, and the quota of the token is used up: the server itself has refused the request, and no proxy before or after it. */
export class UsedUpError extends RateLimitedError {}

/** Not sent: the cap of the run is reached, or the quota is used up and the settings do not allow to wait. */
export class QuotaError extends errorOf("quota") {}

/** Whether the quota is the reason. */
export function isQuota(error: unknown): boolean {
  return error instanceof QuotaError || error instanceof RateLimitedError;
}

/** A write that the server may have carried out: check before you send it again. `cause` is the last error. */
export class UnclearOutcomeError extends errorOf("unclear_outcome") {}

/** No answer: no connection, a broken connection, or a timeout. */
export class UnreachableError extends errorOf("unreachable") {}

/** 408 or 5xx. */
export class ServerError extends errorOf("server_error") {}

/** An unexpected answer: text that is not JSON, another shape, too many bytes, a redirect. */
export class UnexpectedAnswerError extends errorOf("unexpected_answer") {}

/** The error for an answer to a read of another form than the API's. @param what the difference, as a clause */
export function unexpectedAnswer(
  path: string,
  what: string,
  advice = "check that the base URL is the API's and that no proxy answers for it",
): UnexpectedAnswerError {
  return new UnexpectedAnswerError(`Unexpected answer to GET ${path}: ${what}`, {
    method: "GET",
    path,
    advice,
  });
}

/** Ended by the signal: before the request was sent or, for a read, before its answer. */
export class InterruptedError extends errorOf("interrupted") {}

/** The settings of a client cannot work. Nothing was sent. */
export class ClientSettingsError extends Error {
  readonly code = "client_settings";
  override readonly name = "ClientSettingsError";
  readonly summary: string;
  readonly advice: string;
  readonly remedies: readonly Remedy[];

  constructor(what: string, advice: string, remedies: readonly Remedy[] = []) {
    super(withAdvice(what, advice));
    this.summary = what;
    this.advice = advice;
    this.remedies = remedies;
  }
}

function withAdvice(what: string, advice: string | undefined): string {
  return advice === undefined ? what : `${what}; ${advice}`;
}
