import type { Clock } from "../../core/api/index.ts";

/** How long failed tries count, in milliseconds. */
const window = 600_000;
/** The failed tries after which no token is accepted: of an address, of a proxy, and of all; and how many are stored. */
const most = { address: 10, proxy: 100, all: 300, stored: 10_000 };

/** Where a try comes from. */
export interface LoginOrigin {
  /** The address of the connection, which may be a proxy. */
  peer: string;
  /** For whom it asks, in its own words; undefined if it does not say. */
  forwarded: string | undefined;
}

/** Counts the tokens that were wrong, so that nobody can try many, nor fill the audit. */
export class FailedLogins {
  readonly #clock: Pick<Clock, "now">;
  #failed: (LoginOrigin & { at: number })[] = [];

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /** Whether an address has to wait. After many failures of all, whoever has not failed yet still gets in. */
  isLimited(origin: LoginOrigin): boolean {
    const since = this.#clock.now() - window;
    this.#failed = this.#failed.filter(({ at }) => at > since);
    const own = this.#countOf(origin);
    // Whoever has failed without a proxy gains nothing by naming another address.
    const direct = this.#countOf({ ...origin, forwarded: undefined });
    return (
      Math.max(own, direct) >= most.address ||
      this.#countOfPeer(origin) >= most.proxy ||
      (own > 0 && this.#failed.length >= most.all)
    );
  }

  /** Counts a wrong token. Gives what the audit has to say; undefined where it has said so. */
  failed(origin: LoginOrigin): string | undefined {
    this.#failed.push({ ...origin, at: this.#clock.now() });
    if (this.#failed.length > most.stored) this.#failed.shift();
    const all = this.#failed.length;
    if (all > most.all) return undefined;
    const count = this.#countOf(origin);
    const limit = [
      [count, most.address],
      [this.#countOfPeer(origin), most.proxy],
      [all, most.all],
    ].find(([reached, limited]) => reached === limited);
    if (limit) return `${limit[0]} wrong tokens within ten minutes; no more are checked for now`;
    return count === 1 ? "a wrong token" : undefined;
  }

  #countOf({ peer, forwarded }: LoginOrigin): number {
    return this.#failed.filter((each) => each.peer === peer && each.forwarded === forwarded).length;
  }

  #countOfPeer({ peer }: LoginOrigin): number {
    return this.#failed.filter((each) => each.peer === peer).length;
  }
}
