import type { Budget, Clock } from "../../core/api/index.ts";
import type { PurposeUsers, TokenUsers, SpentInWindow } from "./token-users.ts";

const hour = 3_600_000;
/** The end of a window that the server names may move by so much, because its times are whole seconds. */
const tolerance = 60_000;

/** The purpose of a window of a quota. */
export interface WindowSettings {
  /** The share of the window that may be spent. */
  percent: number;
  /** The most that an earlier process has spent in this window; the server shows the sum of all spenders. */
  before?: number;
  /** The spenders of the same token for the same purpose, and for any. */
  tokenUsers: PurposeUsers;
  all: TokenUsers;
}

/** The window of the quota of a token, and what was spent in it for one purpose. */
export class QuotaWindow {
  readonly #clock: Clock;
  readonly #settings: WindowSettings;
  #limit: number | undefined;
  #end: number;
  /** Whether the server has named the end. */
  #isTold = false;
  #spent = 0;
  /** The requests that an earlier process may have spent in the first window; undefined once it is settled. */
  #before: number | undefined;

  constructor(clock: Clock, settings: WindowSettings) {
    this.#clock = clock;
    this.#settings = settings;
    this.#end = clock.now() + hour;
    this.#before = settings.before ?? 0;
    settings.tokenUsers.windows.add(this);
  }

  /** Spends nothing any more. */
  leave(): void {
    this.#settings.tokenUsers.leave(this);
  }

  /** Takes in what the server said last, and counts requests. */
  spend(requests: number, { limit, remaining, resetAt }: Budget): void {
    this.#limit = limit ?? this.#limit;
    this.#roll();
    if (resetAt !== undefined) {
      if (this.#isTold && resetAt.getTime() > this.#end + tolerance) this.#begin();
      this.#end = resetAt.getTime();
      this.#isTold = true;
    }
    this.#spent += requests;
    if (this.#before === undefined || limit === undefined || remaining === undefined) return;
    const others = this.#spent + this.#settings.all.spentBeside(this);
    this.#spent += Math.max(0, Math.min(this.#before, limit - remaining - others));
    this.#before = undefined;
  }

  /** The spent requests of this window, including those that an earlier process may have spent. */
  get record(): SpentInWindow {
    this.#roll();
    return { end: this.#end, spent: this.#spent + Math.min(this.#before ?? 0, this.allowed) };
  }

  /** Undefined while the server has not said what the quota is. */
  get limit(): number | undefined {
    return this.#limit;
  }

  get spent(): number {
    this.#roll();
    return this.#spent;
  }

  /** How many requests may be spent in a window; Infinity while the quota is not known. */
  get allowed(): number {
    return this.allowedOf(Infinity);
  }

  /** The same, with another quota as long as its own is not known. */
  allowedOf(other: number): number {
    const { percent, tokenUsers } = this.#settings;
    return tokenUsers.allowed(this, Math.floor(((this.#limit ?? other) * percent) / 100));
  }

  /** The allowed and the spent requests of all processes with the token, for this purpose. */
  get all(): { allowed: number; spent: number } {
    const { percent, tokenUsers } = this.#settings;
    const others = tokenUsers.spentBeside(this).reduce((sum, each) => sum + each, 0);
    return { allowed: Math.floor(((this.#limit ?? Infinity) * percent) / 100), spent: this.spent + others };
  }

  /** Milliseconds since 1970. */
  get end(): number {
    this.#roll();
    return this.#end;
  }

  #roll(): void {
    if (this.#end <= this.#clock.now()) this.#begin();
  }

  #begin(): void {
    this.#end = this.#clock.now() + hour;
    this.#isTold = false;
    this.#spent = 0;
    this.#before = undefined;
  }
}
