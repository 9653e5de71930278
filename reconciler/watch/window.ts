import type { Budget, Clock } from "../../core/api/index.ts";
import type { PurposeUsers, TokenUsers, SpentInWindow } from "./token-users.ts";

const hour = 3_600_000;
/** The tolerance for the end of a window, because the server's times are whole seconds. */
const tolerance = 60_000;

export interface WindowSettings {
  /** The percentage of the window that may be spent. */
  percent: number;
  /** The most that an earlier process has spent in this window; the server shows the sum of all spenders. */
  before?: number;
  /** The spenders of the same token for the same purpose, and for any. */
  tokenUsers: PurposeUsers;
  all: TokenUsers;
}

/** The window of the quota of a token, and its spending for one purpose. */
export class QuotaWindow {
  readonly #clock: Clock;
  readonly #settings: WindowSettings;
  #limit: number | undefined;
  #end: number;
  /** Whether the server has given the end. */
  #isReported = false;
  #spent = 0;
  /** The requests that an earlier process may have spent in the first window; undefined: settled. */
  #before: number | undefined;

  constructor(clock: Clock, settings: WindowSettings) {
    this.#clock = clock;
    this.#settings = settings;
    this.#end = clock.now() + hour;
    this.#before = settings.before ?? 0;
    settings.tokenUsers.windows.add(this);
  }

  leave(): void {
    this.#settings.tokenUsers.leave(this);
  }

  /** Counts requests, with the newest figures of the server. */
  spend(requests: number, { limit, remaining, resetAt }: Budget): void {
    this.#limit = limit ?? this.#limit;
    this.#roll();
    if (resetAt !== undefined) {
      if (this.#isReported && resetAt.getTime() > this.#end + tolerance) this.#begin();
      this.#end = resetAt.getTime();
      this.#isReported = true;
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

  /** Undefined: the server has not given the quota. */
  get limit(): number | undefined {
    return this.#limit;
  }

  get spent(): number {
    this.#roll();
    return this.#spent;
  }

  /** The requests of a window; Infinity while the quota is unknown. */
  get allowed(): number {
    return this.allowedOf(Infinity);
  }

  /** `allowed`, with another quota while its own is unknown. */
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
    this.#isReported = false;
    this.#spent = 0;
    this.#before = undefined;
  }
}
