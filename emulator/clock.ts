/** The emulator's time: the machine's, moved on by tests, or standing still between their moves. */
export class Clock {
  /** True when only a change of the offset moves this clock. */
  readonly frozen: boolean;
  /** Milliseconds by which this clock has been moved on. */
  offset = 0;
  readonly #startedAt = Date.now();
  #past: number | undefined;

  constructor(frozen = false) {
    this.frozen = frozen;
  }

  /** Unix time in milliseconds. */
  now(): number {
    return this.#past ?? (this.frozen ? this.#startedAt : Date.now()) + this.offset;
  }

  /** Runs something that was due earlier as if it were that time. */
  asOf(time: number, run: () => void): void {
    const outer = this.#past;
    this.#past = time;
    try {
      run();
    } finally {
      this.#past = outer;
    }
  }
}
