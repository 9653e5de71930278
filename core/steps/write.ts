import { ConflictError, ServerError, UnclearOutcomeError, UnexpectedAnswerError } from "../api/index.ts";
import type { OperationContext } from "./context.ts";
import { messageOf, OperationError, unclear } from "./errors.ts";
import { pollDelay, until } from "./wait.ts";

/**
 * Milliseconds that a write is tried while the server answers with errors of its own: as it fails at once, it will
 * hardly have done in the background what does not show by then. Long enough for lists that lag by half a minute.
 */
const patience = 60_000;

/** How a sort of write is treated whose outcome is open. */
export interface WritePolicy {
  /** How often it is sent again once it may have been carried out: a creation that is repeated makes a twin. */
  resends: number;
  /** Whether it is looked for right after an answer that leaves the outcome open, not only before it is sent again. */
  looksAtOnce: boolean;
  /** Milliseconds before the next look, at least, once it may have been carried out: it may take a moment to show. */
  pause: number;
}

/** What a write says of itself when it does not succeed. */
export interface WriteWords {
  /** For example `it may or may not have been made`. */
  perhaps: string;
  /** For example `checking whether it was made`. */
  checking: string;
  /** Why it is given up although it may have been carried out. @param limit how long it was tried, in seconds */
  vain(limit: number): string;
  /** Why it is given up when it was refused each time. */
  busy(limit: number): string;
}

/** What a look says: the write has come to its end, or this has to be sent, for the first time or again. */
export type Verdict<Body, Result> = { end: Result } | { send: Body };

/** One request that changes something, with all that decides how it goes on. */
export interface Write<Body, Result> {
  policy: WritePolicy;
  words: WriteWords;
  /** How long it is tried, in milliseconds. */
  limit: number;
  /** Looks, the first time and before each repetition. Errors of a look are those of the write. */
  look(tries: Tries): Promise<Verdict<Body, Result>>;
  /** Sends it once. Undefined: the answer does not say what has been done. */
  send(body: Body, tries: Tries): Promise<Result | undefined>;
}

/** What has been sent for one write so far, and what is known of it. */
export class Tries {
  readonly #sentAt: number[] = [];
  /** The last failure. */
  failure: unknown;
  /** Whether anything has been sent. */
  isBegun = false;
  #isPerhaps = false;
  #isAccepted = false;

  /** When it was sent, and not refused for the moment (409), in milliseconds since 1970. */
  get sentAt(): readonly number[] {
    return this.#sentAt;
  }

  /** How often it was sent and not refused for the moment: it may have been carried out as often. */
  get sends(): number {
    return this.#sentAt.length;
  }

  /** Whether nobody knows if it has been carried out. */
  get isPerhaps(): boolean {
    return this.#isPerhaps;
  }

  /** Whether the server has accepted it, and said nothing else. */
  get isAccepted(): boolean {
    return this.#isAccepted;
  }

  maySend({ resends }: WritePolicy): boolean {
    return !this.#isAccepted && this.sends <= resends;
  }

  /** To be called when it is sent. */
  sending(now: number): void {
    this.isBegun = true;
    this.#sentAt.push(now);
  }

  /** To be called when an answer says that the server has taken the write on. */
  accept(): void {
    this.#isAccepted = true;
  }

  /** Takes in why a try has not succeeded. False when that ends the write. */
  learn(failure: unknown): boolean {
    this.failure = failure;
    if (failure instanceof ConflictError) {
      // A refusal: nothing was done.
      this.#sentAt.pop();
      return true;
    }
    if (!(failure instanceof UnclearOutcomeError) && failure !== saysNothing) return false;
    this.#isPerhaps = true;
    if (saysYes(failure as Error)) this.accept();
    return true;
  }
}

/**
 * Sends a write until it is done, or is found done. After an answer that leaves the outcome open (time-out, broken
 * connection, 5xx, no JSON), and after a conflict (409), it looks, and then accepts, waits or sends again, as the
 * policy allows. What the server has accepted is only waited for. It is given up sooner than at its limit where the
 * server itself fails (500) each time.
 *
 * @throws OperationError `busy` when it was refused each time, `unclear` when nobody knows, `pending` when it was
 * accepted and is not there, and whatever a look throws
 */
export async function write<Body, Result>(
  context: OperationContext,
  { policy, words, limit, look, send }: Write<Body, Result>,
  tries = new Tries(),
): Promise<Result> {
  const { clock, signal } = context;
  const lookSafely = async (): Promise<Verdict<Body, Result>> => {
    try {
      return await look(tries);
    } catch (error) {
      if (!tries.isPerhaps || error instanceof OperationError) throw error;
      throw unclear(words.perhaps, `${words.checking} failed: ${messageOf(error)}`, error);
    }
  };
  /** When the errors of the server began that no other failure has followed, in milliseconds of all tries. */
  let erredAt: number | undefined;
  const tryOnce = async (attempt: number, spent: number): Promise<{ end: Result } | undefined> => {
    const delay = pollDelay(attempt);
    await clock.sleep(tries.isPerhaps ? Math.max(policy.pause, delay) : delay, signal);
    const before = await lookSafely();
    if ("end" in before) return before;
    if (!tries.maySend(policy)) return undefined;
    tries.sending(clock.now());
    try {
      const result = await send(before.send, tries);
      if (result !== undefined) return { end: result };
      erredAt = undefined;
      tries.learn(saysNothing);
    } catch (error) {
      erredAt = isServerError(error) ? (erredAt ?? spent) : undefined;
      if (!tries.learn(error)) {
        if (!tries.isPerhaps || error instanceof OperationError) throw error;
        throw unclear(words.perhaps, `the next try failed: ${messageOf(error)}`, error);
      }
    }
    if (!policy.looksAtOnce || !tries.isPerhaps) return undefined;
    const after = await lookSafely();
    return "end" in after ? after : undefined;
  };
  const limitNow = (): number => (erredAt === undefined ? limit : Math.min(limit, erredAt + patience));
  const done = await until(clock, limitNow, signal, tryOnce, (interruption) =>
    tries.isPerhaps ? unclear(words.perhaps, "the run was interrupted", interruption) : undefined,
  );
  if (done) return done.end;
  const { failure: cause } = tries;
  const seconds = (erredAt === undefined ? limit : Math.min(limit, patience)) / 1000;
  if (tries.isAccepted)
    throw new OperationError("pending", `it has been requested, and ${words.vain(seconds)}`, {
      cause,
      remedies: [{ again: "run" }],
    });
  if (tries.isPerhaps) throw unclear(words.perhaps, `${words.vain(seconds)}: ${messageOf(cause)}`, cause);
  throw new OperationError("busy", `${words.busy(seconds)}: ${messageOf(cause)}`, {
    cause,
    remedies: [{ again: "later" }],
  });
}

const saysNothing = new Error("the answer does not say what has been done");

/** Whether the server itself has failed; after a time-out of what stands before it (408, 504) it may still be at work. */
function isServerError(error: unknown): boolean {
  const { cause } = error instanceof UnclearOutcomeError ? error : {};
  return cause instanceof ServerError && cause.status !== 408 && cause.status !== 504;
}

/** Whether an answer that says nothing else says that the request has been accepted: 201 or 202. */
function saysYes({ cause }: Error): boolean {
  return cause instanceof UnexpectedAnswerError && (cause.status === 201 || cause.status === 202);
}
