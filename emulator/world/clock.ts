/** What is kept of a clock. */
export interface ClockState {
  now: number;
  offset: number;
}

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

  state(): ClockState {
    return { now: this.now(), offset: this.offset };
  }

  /** Goes on from a state: a clock that stands still from its time, one that runs from its offset. */
  restore({ now, offset }: ClockState): void {
    this.offset = this.frozen ? now - this.#startedAt : offset;
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
