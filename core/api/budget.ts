import type { QuotaFigure, Spender } from "./ledger.ts";
import { isSensibleReset, untilReset } from "./retry-delay.ts";
import type { Headers } from "./transport.ts";

/** The quota of the token in the newest answer of the server, without missing members. */
export interface Budget {
  limit?: number | undefined;
  remaining?: number | undefined;
  resetAt?: Date | undefined;
  /** The server's reset time makes no sense: the number of remaining requests is valid until the next answer. */
  isResetSenseless?: true | undefined;
  /** The spenders and their requests, the largest first; absent without a ledger. */
  spenders?: readonly Spender[] | undefined;
}

interface Figure {
  limit?: number | undefined;
  remaining: number;
  /** By the clock of this machine. */
  resetAt?: number | undefined;
  isResetSenseless: boolean;
  /** By the server's clock, to distinguish windows. */
  window: number;
  /** Requests with a higher number were sent after this figure had arrived. */
  arrival: number;
}

/** Keeps the newest figure of the quota. It never counts by itself: others may spend the same token. */
export class BudgetMeter {
  #figure: Figure | undefined;
  #clock = 0;

  /** Call it when a request is sent; the number goes to `learn` with its answer. */
  sent(): number {
    this.#clock += 1;
    return this.#clock;
  }

  /** Takes the figure from the headers of an answer. */
  learn(headers: Headers, sent: number, now: number): void {
    const reported = figureIn(headers, now);
    if (!reported) return;
    const { limit, remaining, window } = reported;
    const figure: Figure = {
      limit,
      remaining,
      resetAt: window && now + window.left,
      isResetSenseless: headers["x-ratelimit-reset"] !== undefined && !window,
      // A senseless time starts no new window: the smaller figure is valid there too.
      window: window?.reset ?? 0,
      arrival: this.#clock,
    };
    const held = this.#held(now);
    // Answers may cross on their way: within one window the smaller figure is the newer one.
    if (held && sent <= held.arrival) {
      if (figure.window < held.window) return;
      if (figure.window === held.window) figure.remaining = Math.min(figure.remaining, held.remaining);
    }
    this.#figure = figure;
  }

  /** The figure, until its window ends: after that only the limit is known. */
  read(now: number): Budget {
    const held = this.#held(now);
    if (!held) return this.#figure?.limit === undefined ? {} : { limit: this.#figure.limit };
    return {
      limit: held.limit,
      remaining: held.remaining,
      ...(held.resetAt !== undefined && { resetAt: new Date(held.resetAt) }),
      ...(held.isResetSenseless && { isResetSenseless: true as const }),
    };
  }

  #held(now: number): Figure | undefined {
    const figure = this.#figure;
    return figure?.resetAt !== undefined && figure.resetAt <= now ? undefined : figure;
  }
}

/** The figure of an answer for a ledger; undefined: it has none. */
export function figureIn(headers: Headers, now: number): QuotaFigure | undefined {
  const remaining = remainingIn(headers);
  if (remaining === undefined) return undefined;
  const reset = headers["x-ratelimit-reset"];
  const reported = { reset, date: headers["date"] };
  const left = isSensibleReset(reported, now) ? untilReset(reported, now) : undefined;
  return {
    limit: wholeNumber(headers["x-ratelimit-limit"]),
    remaining,
    window: left === undefined ? undefined : { reset: Number(reset), left },
  };
}

/** The remaining requests, by the headers of an answer; undefined: no header tells. */
export function remainingIn(headers: Headers): number | undefined {
  return wholeNumber(headers["x-ratelimit-remaining"]);
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^-?\d{1,15}$/.test(text.trim()) ? Math.max(0, Number(text)) : undefined;
}
