import { timeLimit } from "../values/text.ts";
import {
  ApiError,
  ConflictError,
  LastingConflictError,
  NotFoundError,
  isQuota,
  RateLimitedError,
  ServerError,
  UnclearOutcomeError,
  UnexpectedAnswerError,
  UnreachableError,
  UsedUpError,
} from "../api/index.ts";
import type { Run } from "./run.ts";
import { messageOf, OperationError, reasonOf, unclear } from "./errors.ts";
import { outsideTurn, pollDelay, until } from "./wait.ts";

/** Milliseconds of tries while the server answers 500: it hardly works in the background, and lists lag less long. */
const errorLimit = 60_000;

/** For how long a server may go on with a request that a proxy has answered with 429, in milliseconds: the proxy has not waited. */
const limitedLateness = 5_000;

/** How often a write is tried again after a 404 about what the run has just made: for about ten seconds. */
const mostMissing = 8;

/** The handling of a write with an unknown outcome. */
export interface WritePolicy {
  /** How often the request is repeated once it may have been carried out: a repeated creation may create a second resource. */
  resends: number;
  /** Whether to check right after an answer that leaves the outcome unknown, not only before the request is repeated. */
  checksAtOnce: boolean;
  /** The shortest wait in milliseconds before the next check, once the write may have been carried out: lists lag. */
  pause: number;
  /**
   * For how long, in milliseconds, a server may go on with a request whose connection broke, or which a gateway refused: it is not
   * sent again before. Absent: sending it again does no harm.
   */
  lateness?: number;
}

/** The parts of the message when a write does not succeed. */
export interface WriteWords {
  /** For example `the resource may or may not have been created`. */
  perhaps: string;
  /** For example `checking whether it was created`. */
  checking: string;
  /** Why the run gives up a write that may have been carried out. @param limit for how long it tried: `5 min` */
  gaveUp(limit: string): string;
  /** Why the run gives up a write that the server refused each time. */
  busy(limit: string): string;
}

/** After a check, a write is done, or this body is to be sent, or the check is to be repeated later. */
export type NextStep<Body, Result> = { end: Result } | { send: Body } | "wait";

/** One request that changes something, and how to check whether it was carried out. */
export interface Write<Body, Result> {
  policy: WritePolicy;
  words: WriteWords;
  /** For how long to try, in milliseconds. */
  limit: number;
  /** The id of the resource that it is about, where the path of the request has none. */
  about?: string;
  /** Checks live state before the first request and before each repetition. An error of a check ends the write. */
  check(tries: Tries): Promise<NextStep<Body, Result>>;
  /** Sends the request once. Undefined if the answer does not show the result. */
  send(body: Body, tries: Tries): Promise<Result | undefined>;
}

/** The requests sent for one write so far, and the known outcome. */
export class Tries {
  /** When the request was sent without the answer 409, in milliseconds since 1970: it may have been carried out as often. */
  readonly sentAt: number[] = [];
  /** The last failure. */
  failure: unknown;
  /** How often the answer was 409. */
  conflicts = 0;
  /** Whether anything has been sent. */
  isStarted = false;
  /** Whether it is unknown if the write was carried out. */
  maybeDone = false;
  /** Whether the server has accepted the write, and said nothing else. */
  isAccepted = false;
  #isLimited = false;
  #missing = 0;
  /** When a gateway gave the last request up, or a proxy refused it, and for how many milliseconds the server may go on at most. */
  #givenUp = { at: 0, most: 0 };

  get sends(): number {
    return this.sentAt.length;
  }

  /** Whether what is there now may be the work of these tries: a proxy may answer 429 after it has passed a request on. */
  get isPerhapsOurs(): boolean {
    return this.maybeDone || this.#isLimited;
  }

  maySend({ resends }: WritePolicy): boolean {
    return !this.isAccepted && this.sends <= resends;
  }

  /** Milliseconds for which the server may still be at work on the last request. */
  underWay({ lateness = 0 }: WritePolicy, now: number): number {
    const { at, most } = this.#givenUp;
    return Math.max(0, at + Math.min(lateness, most) - now);
  }

  /**
   * Milliseconds before the next check while the server may still be at work: each is as late again as the one before.
   * After a 429, one follows at once, for which the gate is closed, and one at the end.
   */
  untilCheck(policy: WritePolicy, now: number): number {
    const { at, most } = this.#givenUp;
    const left = this.underWay(policy, now);
    const isLast = most === limitedLateness && now - at >= policy.pause;
    return isLast ? left : Math.min(left, Math.max(policy.pause, now - at));
  }

  /** Call it when the request is sent. */
  sending(now: number): void {
    this.isStarted = true;
    this.sentAt.push(now);
  }

  /** Records why a try failed; false ends the write. `isNew`: a 404 about something that the run has just made. */
  learn(failure: unknown, now: number, isNew = false): boolean {
    this.failure = failure;
    if (isNew) {
      this.sentAt.pop();
      this.#missing += 1;
      return this.#missing <= mostMissing;
    }
    if (failure instanceof ConflictError) {
      // A refusal: nothing was done.
      this.sentAt.pop();
      this.conflicts += 1;
      return !(failure instanceof LastingConflictError);
    }
    if (failure instanceof RateLimitedError) {
      this.sentAt.pop();
      if (failure instanceof UsedUpError) return true;
      this.#isLimited = true;
      this.#givenUp = { at: now, most: limitedLateness };
      return true;
    }
    if (!(failure instanceof UnclearOutcomeError) && failure !== emptyAnswer) return false;
    this.maybeDone = true;
    this.#givenUp = { at: now, most: mayGoOn(failure) ? Infinity : 0 };
    this.isAccepted ||= isAccepted(failure as Error);
    return true;
  }
}

/**
 * Sends a write until it is done, or a check finds it done. After an answer that leaves the outcome unknown (time-out,
 * broken connection, 5xx, no JSON), and after 409 and 429, checks, and then accepts, waits or sends again, as the
 * policy allows. A request that the server has accepted is not repeated. Gives up before its limit if the server answers
 * 500 each time, and at once after a redirect and after a conflict that does not pass.
 *
 * @throws OperationError `busy` when it was refused each time, `unclear` when nobody knows, `pending` when it was
 * accepted and is not there, and whatever a check throws
 */
export async function write<Body, Result>(
  run: Run,
  { policy, words, limit, about, check, send }: Write<Body, Result>,
  tries = new Tries(),
): Promise<Result> {
  const { clock, signal, breaker } = run;
  const checkSafely = async (): Promise<NextStep<Body, Result>> => {
    try {
      return await check(tries);
    } catch (error) {
      // While the quota lets no read pass, the run stops for the write itself.
      if (tries.failure instanceof RateLimitedError && isQuota(error)) throw tries.failure;
      if (!tries.maybeDone || error instanceof OperationError) throw error;
      throw unclear(words.perhaps, `${words.checking} failed: ${messageOf(error)}`, error);
    }
  };
  const mayTry = (): boolean => {
    // Checks without a request to send cost little, because they share reads.
    if (tries.isStarted && !tries.maySend(policy)) return true;
    try {
      return breaker?.mayTry() ?? true;
    } catch (error) {
      throw tries.maybeDone ? unclear(words.perhaps, messageOf(error), error) : error;
    }
  };
  /** When the present row of errors 500 began, in milliseconds of all tries. */
  let erredAt: number | undefined;
  const tryOnce = async (attempt: number, spent: number): Promise<{ end: Result } | undefined> => {
    const delay = pollDelay(attempt);
    const usual = tries.maybeDone ? Math.max(policy.pause, delay) : delay;
    const pause = tries.untilCheck(policy, clock.now()) || usual;
    if (pause > 0) await outsideTurn(run, () => clock.sleep(pause, signal));
    if (!mayTry()) {
      // Time in which nothing may be sent does not count.
      if (erredAt !== undefined) erredAt = spent;
      return undefined;
    }
    const before = await checkSafely();
    if (before === "wait") return undefined;
    if ("end" in before) {
      // An earlier request was carried out, only its answer was lost: the server works.
      if (tries.maybeDone) breaker?.answered();
      return before;
    }
    if (!tries.maySend(policy) || tries.underWay(policy, clock.now()) > 0) return undefined;
    tries.sending(clock.now());
    try {
      const result = await send(before.send, tries);
      breaker?.answered();
      if (result !== undefined) return { end: result };
      erredAt = undefined;
      tries.learn(emptyAnswer, clock.now());
    } catch (error) {
      erredAt = isServerError(error) ? (erredAt ?? spent) : undefined;
      if (erredAt !== undefined || isWithoutAnswer(error)) breaker?.failed(tries, error);
      else if (isRefusal(error)) breaker?.answered();
      if (isRedirect(error)) throw unclear(words.perhaps, messageOf((error as Error).cause), error);
      if (!tries.learn(error, clock.now(), isAboutNew(run, error, about))) {
        if (!tries.maybeDone || error instanceof OperationError) throw error;
        throw unclear(words.perhaps, `the next try failed: ${messageOf(error)}`, error);
      }
    }
    if (!policy.checksAtOnce || !tries.maybeDone) return undefined;
    const after = await checkSafely();
    return after !== "wait" && "end" in after ? after : undefined;
  };
  const limitNow = (): number => (erredAt === undefined ? limit : Math.min(limit, erredAt + errorLimit));
  const done = await until(clock, limitNow, signal, tryOnce, (interruption) =>
    tries.maybeDone ? unclear(words.perhaps, "the run was interrupted", interruption) : undefined,
  );
  if (done) return done.end;
  if (!tries.isStarted && breaker?.isTripped) throw breaker.failing();
  const { failure: cause } = tries;
  const tried = timeLimit(erredAt === undefined ? limit : Math.min(limit, errorLimit));
  if (tries.isAccepted)
    throw new OperationError("pending", `the request was accepted, but ${words.gaveUp(tried)}`, {
      cause,
      remedies: [{ again: "run" }],
    });
  if (tries.maybeDone) throw unclear(words.perhaps, `${words.gaveUp(tried)}: ${reasonOf(cause)}`, cause);
  if (cause instanceof RateLimitedError) throw cause;
  throw new OperationError("busy", `${words.busy(tried)}: ${reasonOf(cause)}`, {
    cause,
    remedies: [{ again: "later" }],
  });
}

const emptyAnswer = new Error("the answer does not say whether the change was made");

/** The failure that has left open whether a write was carried out. */
const causeOf = (error: unknown) => (error instanceof UnclearOutcomeError ? error.cause : undefined);

/** Whether the answer has one of these statuses. */
const has = (cause: unknown, ...statuses: number[]) =>
  cause instanceof ServerError && statuses.includes(cause.status ?? 0);

/** Whether the server itself has failed; after a time-out of a proxy (408, 504) the server may still be at work. */
const isServerError = (error: unknown) =>
  causeOf(error) instanceof ServerError && !has(causeOf(error), 408, 504);

/** Whether the server may still be at work: a gateway has given up, the connection broke, or time ran out. */
const mayGoOn = (error: unknown) => isWithoutAnswer(error) || has(causeOf(error), 408, 502, 503, 504);

/** Whether no answer came, or none that is complete: a connection that broke, or time that ran out. */
const isWithoutAnswer = (error: unknown) => causeOf(error) instanceof UnreachableError;

/** Whether the server sends the request elsewhere, or takes it for a read (3xx): it will do so again. */
function isRedirect(error: unknown): boolean {
  const cause = causeOf(error);
  return cause instanceof UnexpectedAnswerError && Math.floor((cause.status ?? 0) / 100) === 3;
}

/** Whether the server has answered, and refused the request: it works. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status !== undefined && error.status < 500;
}

/** Whether a 404 is about something that the run has just made: the server has it, and not everywhere yet. */
function isAboutNew({ made = new Set() }: Run, error: unknown, about = ""): boolean {
  return (
    error instanceof NotFoundError && (made.has(about) || [...made].some((id) => error.path.includes(id)))
  );
}

/** Whether the status of an answer without a readable body says that the request was accepted: 201 or 202. */
function isAccepted({ cause }: Error): boolean {
  return cause instanceof UnexpectedAnswerError && (cause.status === 201 || cause.status === 202);
}
