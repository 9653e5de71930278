import type { Budget, Clock } from "../../core/api/index.ts";
import { auditCost } from "./audit.ts";
import { QuotaWindow } from "./window.ts";

/** Which part of each window of the quota may be spent on what, in percent. */
export interface BudgetShares {
  /** Comparing live resources with the commit. */
  looking: number;
  /** Changing them. */
  applying: number;
}

export const defaultShares: BudgetShares = { looking: 20, applying: 60 };

/** How often live resources are audited, in milliseconds, unless the intervals are stretched. */
export const auditInterval = 300_000;

/** What is spent of a window, and what may be. */
export interface Spending {
  spent: number;
  allowed: number;
}

/** What may be spent, for people. */
export interface AllowanceView {
  looking: Spending;
  applying: Spending;
  /** Milliseconds between two reads of live resources, as set. */
  interval: number;
  /** How many times longer the intervals are: 1 where the quota suffices. */
  stretch: number;
}

const hour = 3_600_000;
/** Less than this is no stretch worth mentioning. */
const smallestStretch = 1.1;

/** What an allowance works with. */
export interface AllowanceSettings {
  clock: Clock;
  /** Milliseconds between two reads of live resources. */
  interval: number;
  shares?: BudgetShares;
}

/**
 * Divides the quota of the token: looking and applying have a share of each window, so that the rest is left for others.
 * Where the share for looking does not suffice for the intervals that are set, they stretch. Nothing is limited as long as
 * the server does not say what the quota is.
 */
export class Allowance {
  /** Milliseconds between two reads of live resources, as long as the quota suffices. */
  readonly interval: number;
  readonly #clock: Clock;
  readonly #looking: QuotaWindow;
  readonly #applying: QuotaWindow;
  #nextLiveRead = -Infinity;
  #stretch = 1;

  constructor({ clock, interval, shares = defaultShares }: AllowanceSettings) {
    this.#clock = clock;
    this.interval = interval;
    this.#looking = new QuotaWindow(clock, shares.looking);
    this.#applying = new QuotaWindow(clock, shares.applying);
  }

  /**
   * Counts the requests of a read of live resources, and decides when the next one may be.
   *
   * @param lists how many lists are known, each of which is read again once an hour
   */
  looked(requests: number, lists: number, budget: Budget): void {
    const window = this.#looking;
    window.spend(requests, budget);
    const now = this.#clock.now();
    const audits = hour / Math.max(auditInterval, this.interval);
    const perHour = hour / this.interval + auditCost * audits + lists;
    const expected = (perHour * (window.end - now)) / hour;
    const left = window.allowed - window.spent;
    const stretch = left > 0 ? expected / left : Infinity;
    this.#stretch = stretch < smallestStretch ? 1 : stretch;
    const next = now + this.interval * this.#stretch;
    // A new window has a share of its own.
    this.#nextLiveRead = Math.min(next, Math.max(window.end, now + this.interval));
  }

  /** Counts requests that were sent to change something. */
  applied(requests: number, budget: Budget): void {
    this.#applying.spend(requests, budget);
  }

  /** How many requests may be sent now to change something. What exceeds a whole share starts with a new window. */
  affordable(budget: Budget): number {
    this.#applying.spend(0, budget);
    const { spent, allowed } = this.#applying;
    return spent === 0 ? Infinity : allowed - spent;
  }

  /** When live resources may be read again, in milliseconds since 1970. */
  get nextLiveRead(): number {
    return this.#nextLiveRead;
  }

  /** How many times longer than usual intervals are; never infinite. */
  get stretch(): number {
    return Math.min(this.#stretch, hour / this.interval + 1);
  }

  /** Undefined while the quota is not known. */
  view(): AllowanceView | undefined {
    const [looking, applying] = [this.#looking, this.#applying];
    const limit = looking.limit ?? applying.limit;
    if (limit === undefined) return undefined;
    return {
      // As long as one of them is not known, it is the same token, as far as is known.
      looking: { spent: looking.spent, allowed: looking.allowedOf(limit) },
      applying: { spent: applying.spent, allowed: applying.allowedOf(limit) },
      interval: this.interval,
      stretch: this.stretch,
    };
  }
}
