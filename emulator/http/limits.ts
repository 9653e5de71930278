import type { WorldClock } from "../world/clock.ts";

interface Window {
  ends: number;
  spent: number;
}

/** The values of the `X-RateLimit-*` headers, and whether the request may be served. */
export interface RateLimit {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Unix time in seconds. */
  reset: number;
}

/** Counts the requests of each token in a fixed window. */
export class Limits {
  readonly #clock: WorldClock;
  readonly #limit: number;
  readonly #windowMilliseconds: number;
  readonly #windows = new Map<string, Window>();

  constructor(clock: WorldClock, limit: number, windowSeconds: number) {
    this.#clock = clock;
    this.#limit = limit;
    this.#windowMilliseconds = windowSeconds * 1000;
  }

  /** Counts one request of a token; with a limit of 0 it allows everything and sets no headers. */
  spend(tokenId: string): RateLimit | undefined {
    if (this.#limit === 0) return undefined;
    const window = this.#window(tokenId);
    const allowed = window.spent < this.#limit;
    if (allowed) window.spent += 1;
    return this.#rateBudget(window, allowed);
  }

  unspent(): RateLimit | undefined {
    if (this.#limit === 0) return undefined;
    return this.#rateBudget({ ends: this.#end(), spent: 0 }, true);
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

  /** A window ends on a full second, so that a client that waits until the reset is never too early. */
  #end(): number {
    return Math.ceil((this.#clock.now() + this.#windowMilliseconds) / 1000) * 1000;
  }

  #rateBudget(window: Window, allowed: boolean): RateLimit {
    return { allowed, limit: this.#limit, remaining: this.#limit - window.spent, reset: window.ends / 1000 };
  }
}
