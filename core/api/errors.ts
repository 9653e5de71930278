import type { ErrorCode } from "../codes.ts";
import type { Help, Remedy } from "../remedy.ts";

/** Where a request failed, and the facts that a caller may act on. */
export interface Failed extends Help {
  method: string;
  /** The path below the base URL, with encoded ids, without the query. */
  path: string;
  status?: number;
  /** When the quota resets, where that is known. */
  resetAt?: Date;
  cause?: unknown;
  /** The message of the server, as a sentence. */
  words?: string;
}

/**
 * A request that failed. The message says what, where and what to do, and ends with what the server says; `summary` and
 * `advice` say the same apart, and `remedies` what a front end has to phrase. No property and no cause ever holds the
 * token: see redact.ts.
 */
export abstract class ApiError extends Error {
  /** Stable: to be used by programs. */
  abstract readonly code: ErrorCode;
  readonly method: string;
  readonly path: string;
  declare readonly status?: number;
  /** When the quota resets; only if the quota is the reason. */
  declare readonly resetAt?: Date;
  /** The failed request, and the explanation of the server. */
  readonly summary: string;
  declare readonly advice?: string;
  declare readonly remedies?: readonly Remedy[];

  constructor(what: string, { method, path, status, resetAt, cause, advice, remedies, words = "" }: Failed) {
    super(withAdvice(what, advice) + words, cause === undefined ? undefined : { cause });
    this.summary = what + words;
    if (advice !== undefined) this.advice = advice;
    if (remedies) this.remedies = remedies;
    this.name = new.target.name;
    this.method = method;
    this.path = path;
    if (status !== undefined) this.status = status;
    if (resetAt !== undefined) this.resetAt = resetAt;
  }
}

/** 404: the only answer that means absent. */
export class NotFoundError extends ApiError {
  readonly code = "not_found";
}

/** 409: another operation is in progress, or the name is taken. */
export class ConflictError extends ApiError {
  readonly code = "conflict";
}

/** 409 for a reason that does not pass by itself: something else uses the resource, or the server never gives it up. */
export class LastingConflictError extends ConflictError {}

/** 401: the token is missing, unknown or expired. */
export class UnauthorizedError extends ApiError {
  readonly code = "unauthorized";
}

/** 403: the token lacks the permission. */
export class ForbiddenError extends ApiError {
  readonly code = "forbidden";
}

/** 400, 422 and other refusals of the content of a request. */
export class InvalidRequestError extends ApiError {
  readonly code = "invalid_request";
}

/** 429, and the settings forbid waiting. */
export class RateLimitedError extends ApiError {
  readonly code = "rate_limited";
}

/** Not sent: the cap of the run is reached, or nothing is left of the quota while waiting is not wanted. */
export class QuotaError extends ApiError {
  readonly code = "quota";
}

/**
 * A write that the server may or may not have carried out: check before you send it again. The cause has the reason.
 */
export class UnclearOutcomeError extends ApiError {
  readonly code = "unclear_outcome";
}

/** No answer: no connection, a connection that broke, or time ran out. */
export class UnreachableError extends ApiError {
  readonly code = "unreachable";
}

/** 408 or 5xx. */
export class ServerError extends ApiError {
  readonly code = "server_error";
}

/** An answer that this API does not give: no JSON, another shape, too large, a redirect. */
export class UnexpectedAnswerError extends ApiError {
  readonly code = "unexpected_answer";
}

/** Ended by the signal, before it was sent or, for a read, before it was answered. */
export class InterruptedError extends ApiError {
  readonly code = "interrupted";
}

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
