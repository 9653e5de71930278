import type { Clock } from "../../core/api/index.ts";

/** The requests for one of several spenders: each is sure of its share of the remaining time; unspent requests of before are for any. */
export function fairShare({
  total,
  others,
  left,
  sure,
}: {
  /** Requests of the window for all together. */
  total: number;
  /** The spent requests of each of the others. */
  others: readonly number[];
  /** The remaining part of the window, from 0 to 1. */
  left: number;
  /** The part of its share of which each of the others is sure, from 0 to 1. */
  sure: number;
}): number {
  const share = total / (others.length + 1);
  const reserved = share * left * sure;
  const taken = others.reduce(
    (sum, spent) => sum + spent + Math.min(Math.max(share - spent, 0), reserved),
    0,
  );
  return Math.max(0, Math.floor(total - taken));
}

/** The spent requests of a window, and its end in milliseconds since 1970. */
export interface SpentInWindow {
  readonly spent: number;
  readonly end: number;
}

const hour = 3_600_000;

/** The spenders of one token for one purpose. */
export class PurposeUsers {
  readonly #clock: Clock;
  readonly #sure: number;
  readonly #elsewhere: () => readonly number[];
  readonly windows = new Set<SpentInWindow>();
  /** The requests of users that have left, until their windows end. */
  #left: readonly SpentInWindow[] = [];

  constructor(clock: Clock, sure: number, elsewhere: () => readonly number[]) {
    this.#clock = clock;
    this.#sure = sure;
    this.#elsewhere = elsewhere;
  }

  /** A user leaves; its requests count until its window ends. */
  leave(window: SpentInWindow): void {
    const { spent, end } = window;
    if (this.windows.delete(window) && spent > 0) this.#left = [...this.#leftNow(), { spent, end }];
  }

  /** The requests of each user except one, also of those that have left. */
  spentBeside(window: SpentInWindow | undefined): number[] {
    return [...this.#others(window), ...this.#leftNow().map(({ spent }) => spent)];
  }

  /** The requests of each other user that may send more. */
  #others(window: SpentInWindow | undefined): number[] {
    const here = [...this.windows].filter((each) => each !== window).map(({ spent }) => spent);
    return [...here, ...this.#elsewhere()];
  }

  #leftNow(): readonly SpentInWindow[] {
    this.#left = this.#left.filter(({ end }) => end > this.#clock.now());
    return this.#left;
  }

  /** The requests of a window for one user. @param total for all together */
  allowed(window: SpentInWindow, total: number): number {
    const gone = this.#leftNow().reduce((sum, { spent }) => sum + spent, 0);
    const others = this.#others(window);
    if (total === Infinity) return total;
    if (others.length === 0) return Math.max(0, Math.floor(total - gone));
    const left = Math.min(1, Math.max(0, (window.end - this.#clock.now()) / hour));
    return fairShare({ total: total - gone, others, left, sure: this.#sure });
  }
}

export class TokenUsers {
  readonly checking: PurposeUsers;
  readonly applying: PurposeUsers;
  /** The requests of each spender in another process in this window, by the ledger of the token. */
  elsewhere: (purpose: "checking" | "applying") => readonly number[] = () => [];

  constructor(clock: Clock) {
    this.checking = new PurposeUsers(clock, 1, () => this.elsewhere("checking"));
    // A commit takes many requests at once: half of each share may be lent to the first applier.
    this.applying = new PurposeUsers(clock, 0.5, () => this.elsewhere("applying"));
  }

  /** The requests of all users except one in this window. */
  spentBeside(window: SpentInWindow): number {
    const all = [...this.checking.spentBeside(window), ...this.applying.spentBeside(window)];
    return all.reduce((sum, spent) => sum + spent, 0);
  }

  /** Whether nobody has applied anything in this window. */
  get isUntouched(): boolean {
    return this.applying.spentBeside(undefined).every((spent) => spent === 0);
  }
}
