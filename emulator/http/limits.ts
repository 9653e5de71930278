import type { Clock } from "../world/clock.ts";

interface Window {
  ends: number;
  spent: number;
}

/** What the `X-RateLimit-*` headers say after a request, and whether it may be served. */
export interface Allowance {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Unix time in seconds. */
  reset: number;
}

/** Counts requests in a fixed window by token. Source: reference.md, Limits. */
export class Limits {
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #windowMilliseconds: number;
  readonly #windows = new Map<string, Window>();

  constructor(clock: Clock, limit: number, windowSeconds: number) {
    this.#clock = clock;
    this.#limit = limit;
    this.#windowMilliseconds = windowSeconds * 1000;
  }

  /** Spends one request of the token's window; a limit of 0 allows everything and says nothing. */
  spend(tokenId: string): Allowance | undefined {
    if (this.#limit === 0) return undefined;
    const window = this.#window(tokenId);
    const allowed = window.spent < this.#limit;
    if (allowed) window.spent += 1;
    return this.#allowance(window, allowed);
  }

  /** What is left when nothing is spent: for requests that no known token made. */
  unspent(): Allowance | undefined {
    if (this.#limit === 0) return undefined;
    return this.#allowance({ ends: this.#end(), spent: 0 }, true);
  }

  clear(): void {
    this.#windows.clear();
  }

  #window(tokenId: string): Window {
    const current = this.#windows.get(tokenId);
    if (current && current.ends > this.#clock.now()) return current;
    const next = { ends: this.#end(), spent: 0 };
    this.#windows.set(tokenId, next);
    return next;
  }

  /** A window ends on a whole second, so that a client which waits until the reset is never early. */
  #end(): number {
    return Math.ceil((this.#clock.now() + this.#windowMilliseconds) / 1000) * 1000;
  }

  #allowance(window: Window, allowed: boolean): Allowance {
    return {
      allowed,
      limit: this.#limit,
      remaining: this.#limit - window.spent,
      reset: window.ends / 1000,
    };
  }
}
