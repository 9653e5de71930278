import type { Clock } from "../../core/api/index.ts";

/** What of a window is kept for others. */
export interface ShareClaims {
  /** Requests of the window for all together. */
  total: number;
  /** What each of the others has spent of it. */
  others: readonly number[];
  /** Which part of the window is left, from 0 to 1. */
  left: number;
  /** Which part of its share each of the others is sure of, from 0 to 1. */
  sure: number;
}

/**
 * How many requests of a window one may spend that shares it with others. Each is sure of an equal share for the time that
 * is left; what the others have not spent of theirs in the time that is over is for whoever needs it.
 */
export function fairShare({ total, others, left, sure }: ShareClaims): number {
  const share = total / (others.length + 1);
  const kept = share * left * sure;
  const taken = others.reduce((sum, spent) => sum + spent + Math.min(Math.max(share - spent, 0), kept), 0);
  return Math.max(0, Math.floor(total - taken));
}

/** A window of somebody who shares it. */
export interface SharedWindow {
  readonly spent: number;
  /** Milliseconds since 1970. */
  readonly end: number;
}

const hour = 3_600_000;

/** Those who spend one token for one purpose. */
class Sharers {
  readonly #clock: Clock;
  readonly #sure: number;
  readonly #elsewhere: () => readonly number[];
  readonly windows = new Set<SharedWindow>();

  constructor(clock: Clock, sure: number, elsewhere: () => readonly number[]) {
    this.#clock = clock;
    this.#sure = sure;
    this.#elsewhere = elsewhere;
  }

  /** The requests of each sharer except one. */
  spentBeside(window: SharedWindow | undefined): number[] {
    const here = [...this.windows].filter((each) => each !== window).map(({ spent }) => spent);
    return [...here, ...this.#elsewhere()];
  }

  /** How many requests of a window one of them may spend. @param total for all together */
  allowed(window: SharedWindow, total: number): number {
    const others = this.spentBeside(window);
    if (others.length === 0 || total === Infinity) return total;
    const left = Math.min(1, Math.max(0, (window.end - this.#clock.now()) / hour));
    return fairShare({ total, others, left, sure: this.#sure });
  }
}

/** The sources that spend one token. */
export class TokenSharers {
  readonly looking: Sharers;
  readonly applying: Sharers;
  /** Requests that each spender in another process has sent in this window, by the ledger of the token. */
  elsewhere: (purpose: "looking" | "applying") => readonly number[] = () => [];

  constructor(clock: Clock) {
    this.looking = new Sharers(clock, 1, () => this.elsewhere("looking"));
    // To apply a commit takes many requests at once: half of each share may be lent to whoever begins.
    this.applying = new Sharers(clock, 0.5, () => this.elsewhere("applying"));
  }

  /** What all but one have spent in this window. */
  spentBeside(window: SharedWindow): number {
    const all = [...this.looking.spentBeside(window), ...this.applying.spentBeside(window)];
    return all.reduce((sum, spent) => sum + spent, 0);
  }

  /** Whether nobody has applied anything in this window. */
  get isUntouched(): boolean {
    return this.applying.spentBeside(undefined).every((spent) => spent === 0);
  }
}

export type PurposeSharers = Sharers;
