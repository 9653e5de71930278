/** The emulator's time: the machine's, moved on by tests, or standing still between their moves. */
export class Clock {
  readonly #frozenAt: number | undefined;
  #offset = 0;

  constructor(frozen = false) {
    this.#frozenAt = frozen ? Date.now() : undefined;
  }

  /** True when only `advance` moves this clock. */
  get frozen(): boolean {
    return this.#frozenAt !== undefined;
  }

  /** Milliseconds by which this clock has been moved on. */
  get offset(): number {
    return this.#offset;
  }

  set offset(milliseconds: number) {
    this.#offset = milliseconds;
  }

  /** Unix time in milliseconds. */
  now(): number {
    return (this.#frozenAt ?? Date.now()) + this.#offset;
  }
}
