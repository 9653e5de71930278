import type { HttpAnswer, NoAnswer } from "./transport.ts";

/** The facts of a failed try for the next one, with unparsed headers. */
export interface FailedTry {
  /** 1 after the first failed try. */
  attempt: number;
  status?: number | undefined;
  retryAfter?: string | undefined;
  /** `X-RateLimit-Reset`: Unix time in seconds. */
  reset?: string | undefined;
  /** `Date`: the server's own time, so that a wrong clock on either side does no harm. */
  date?: string | undefined;
}

export function failedTry(reply: HttpAnswer | NoAnswer, attempt: number): FailedTry {
  const { headers } = reply;
  return {
    attempt,
    status: reply.kind === "answer" ? reply.status : undefined,
    retryAfter: headers["retry-after"],
    reset: headers["x-ratelimit-reset"],
    date: headers["date"],
  };
}

const SECOND = 1000;
const FIRST_BACKOFF = SECOND / 2;
/** The longest wait of a run that may not wait for the quota, in milliseconds. */
export const LONGEST_BACKOFF = 60 * SECOND;
/** A window of the quota is an hour, so no run waits longer. A later reset is a mistake. */
export const LONGEST_RESET = 61 * 60 * SECOND;
/** A later time is written with more digits than a date has. */
const LAST_TIME = Date.UTC(9999, 11, 31);
// Servers tell whole seconds, and an answer takes its time.
const RESET_TOLERANCE = 5 * SECOND;
// Spreads the start of processes with the same token after the reset.
const RESET_JITTER = SECOND / 2;

/** Milliseconds before the next try: `Retry-After`, else after a 429 the reset, a little longer; else doubled, half of it random. */
export function retryDelay(failed: FailedTry, now: number, random: number): number {
  const requested = requestedDelay(failed, now);
  if (requested !== undefined) return Math.ceil(requested + random * RESET_JITTER);
  const longest = Math.min(FIRST_BACKOFF * 2 ** (failed.attempt - 1), LONGEST_BACKOFF);
  return Math.ceil(longest * (0.5 + random / 2));
}

export interface RetryPause {
  milliseconds: number;
  /** Whether the server has given the time. */
  isDeclared: boolean;
}

/** The first pause without a time of the server, in milliseconds. */
export const FIRST_PAUSE = SECOND;

/** The pause after a 429 or without remaining requests: by `Retry-After` or the reset, else a second, doubled each time. */
export function pauseAfter(
  failed: FailedTry,
  remaining: number | undefined,
  now: number,
  random: number,
): RetryPause {
  const growing = (attempt: number): number =>
    Math.min(FIRST_PAUSE * 2 ** (attempt - 1), LONGEST_BACKOFF) * (1 + random / 2);
  const untilFull = remaining === undefined || remaining === 0 ? untilReset(failed, now) : undefined;
  const requested = retryAfter(failed, now);
  const said =
    requested !== undefined ? Math.max(0, requested, (remaining === 0 && untilFull) || 0) : untilFull;
  if (said === undefined) return { milliseconds: Math.ceil(growing(failed.attempt)), isDeclared: false };
  const least = failed.attempt > 1 ? growing(failed.attempt - 1) : 0;
  return { milliseconds: Math.ceil(Math.max(said + random * RESET_JITTER, least)), isDeclared: said > 0 };
}

/** Milliseconds until the quota resets, 0 when it has; undefined: no plausible header. */
export function untilReset(headers: Pick<FailedTry, "reset" | "date">, now: number): number | undefined {
  const reset = seconds(headers.reset);
  if (reset === undefined) return undefined;
  const left = reset - serverTime(headers.date, now);
  return left > LONGEST_RESET ? undefined : Math.max(0, left);
}

/** Whether a reset is a Unix time from now to the end of the longest window, and not a duration, in the past or of a wrong clock. */
export function isSensibleReset(headers: Pick<FailedTry, "reset" | "date">, now: number): boolean {
  const reset = seconds(headers.reset);
  if (reset === undefined) return false;
  const left = reset - serverTime(headers.date, now);
  return left >= -RESET_TOLERANCE && left <= LONGEST_RESET;
}

/** The wait that the server demands, in milliseconds, of any length; undefined: none. */
export function requestedDelay(failed: FailedTry, now: number): number | undefined {
  const requested = retryAfter(failed, now) ?? (failed.status === 429 ? untilReset(failed, now) : undefined);
  return requested !== undefined && requested > 0 ? requested : undefined;
}

/** When a failed server wants the next try; undefined: unknown. */
export function requestedTime(reply: HttpAnswer | NoAnswer, now: number): Date | undefined {
  const requested = requestedDelay(failedTry(reply, 1), now);
  return requested === undefined ? undefined : new Date(now + requested);
}

/** Milliseconds of `Retry-After`, in seconds or as a date, which may be past; undefined: neither. */
function retryAfter({ retryAfter: declared, date }: FailedTry, now: number): number | undefined {
  const time = httpDate(declared);
  const requested = time === undefined ? seconds(declared) : time - serverTime(date, now);
  return requested === undefined ? undefined : Math.min(requested, LAST_TIME - now);
}

function serverTime(date: string | undefined, now: number): number {
  return httpDate(date) ?? now;
}

/** The time of a `Date` header, in milliseconds since 1970; undefined: none. */
export function httpDate(text: string | undefined): number | undefined {
  // Date.parse takes "-5" for a day in 2001.
  const time = text?.trim().endsWith("GMT") ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

function seconds(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}(?:\.\d+)?$/.test(text.trim()) ? Number(text) * SECOND : undefined;
}
