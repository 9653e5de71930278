import { timeLimit } from "../values/text.ts";
import type { Clock } from "../api/index.ts";
import { OperationError } from "./errors.ts";

/** How many writes in a row have to fail by the server before the others wait; those of one request count once. */
const enough = 3;

/** Milliseconds between two requests while the others wait. */
const pace = 5_000;

/** Milliseconds for which the server may answer with errors, or not at all, before the run sends no further change. */
const failingLimit = 60_000;

/**
 * Watches whether the server fails for all writes of a run. A server that answers every change with 500, or breaks the
 * connection, will do so for the next resource too, and each would spend some thirty requests to find out. So after errors of a few resources one
 * request in five seconds tries on behalf of all, and after a minute of errors the run sends no further change. Any other
 * answer to a change ends the trouble.
 */
export class Breaker {
  readonly #clock: Clock;
  /** The last error of each write. */
  readonly #troubled = new Map<object, unknown>();
  #since = 0;
  #lastTry = 0;
  #error: Error | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether a write may check or send now. @throws OperationError `server_failing` if nothing is to be sent any more */
  mayTry(): boolean {
    if (!this.isTripped) return true;
    const now = this.#clock.now();
    if (now - this.#since >= failingLimit) throw this.failing();
    if (now - this.#lastTry < pace) return false;
    this.#lastTry = now;
    return true;
  }

  /** Notes that the server has answered a write with an error of its own, or not at all. */
  failed(write: object, error: unknown): void {
    if (this.#troubled.size === 0) this.#since = this.#clock.now();
    this.#troubled.set(write, error);
    this.#lastTry = this.#clock.now();
    this.#error = error instanceof Error ? error : undefined;
  }

  /** Notes any other answer to a write: the server works. */
  answered(): void {
    this.#troubled.clear();
  }

  /** Whether the server fails for several writes, so that most of them wait. */
  get isTripped(): boolean {
    return new Set(this.#troubled.values()).size >= enough;
  }

  /** The error of a write that is not sent any more. */
  failing(): OperationError {
    const { cause } = this.#error ?? {};
    const last = cause instanceof Error ? cause : this.#error;
    return new OperationError(
      "server_failing",
      `for ${timeLimit(failingLimit)} the server has answered every change with an error or not at all, so no further change is sent; the last one: ${last?.message ?? "unknown"}`,
      { cause: this.#error, remedies: [{ again: "later" }] },
    );
  }
}
