import type { Budget, Clock } from "../../core/api/index.ts";

const hour = 3_600_000;
/** The end of a window that the server names may move by so much, because its times are whole seconds. */
const tolerance = 60_000;

/** The window of the quota of a token, and what was spent in it for one purpose. */
export class QuotaWindow {
  readonly #clock: Clock;
  readonly #percent: number;
  #limit: number | undefined;
  #end: number;
  /** Whether the server has named the end. */
  #isTold = false;
  #spent = 0;

  /** @param percent the share of the window that may be spent */
  constructor(clock: Clock, percent: number) {
    this.#clock = clock;
    this.#percent = percent;
    this.#end = clock.now() + hour;
  }

  /** Takes in what the server said last, and counts requests. */
  spend(requests: number, { limit, resetAt }: Budget): void {
    this.#limit = limit ?? this.#limit;
    this.#roll();
    if (resetAt !== undefined) {
      if (this.#isTold && resetAt.getTime() > this.#end + tolerance) this.#begin();
      this.#end = resetAt.getTime();
      this.#isTold = true;
    }
    this.#spent += requests;
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
    return Math.floor(((this.#limit ?? other) * this.#percent) / 100);
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
  }
}
