/** How long failed tries count, in milliseconds. */
const window = 600_000;
/** Failed tries of an address, and of all, after which no token is looked at. */
const most = { address: 10, all: 300 };

/** Counts the tokens that were wrong, so that nobody can try many, nor fill the audit. */
export class FailedEntries {
  #failed: { from: string; at: number }[] = [];

  /** Whether an address has to wait. */
  isLimited(from: string): boolean {
    const since = Date.now() - window;
    this.#failed = this.#failed.filter(({ at }) => at > since);
    return this.#failed.length >= most.all || this.#countOf(from) >= most.address;
  }

  /** Counts a wrong token. Gives what the audit has to say; undefined where it has said so. */
  failed(from: string): string | undefined {
    this.#failed.push({ from, at: Date.now() });
    const count = this.#countOf(from);
    if (count === 1) return "a wrong token";
    return count === most.address
      ? `${count} wrong tokens within ten minutes; no more are looked at`
      : undefined;
  }

  #countOf(from: string): number {
    return this.#failed.filter((each) => each.from === from).length;
  }
}
