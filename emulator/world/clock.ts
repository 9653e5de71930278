/** The longest delay of a timer in Node, in milliseconds; a timer with a longer delay fires at once. */
export const LONGEST_WAIT = 2 ** 31 - 1;

export interface ClockState {
  now: number;
  offset: number;
}

/** The emulator's time: the machine's time plus an offset, or a frozen time that only tests advance. */
export class WorldClock {
  /** True when the clock is frozen: only a change of the offset advances it. */
  readonly frozen: boolean;
  /** Milliseconds by which this clock has been advanced. */
  offset = 0;
  readonly #startedAt = Date.now();
  #past: number | undefined;

  constructor(frozen = false) {
    this.frozen = frozen;
  }

  /** Unix time in milliseconds. */
  now(): number {
    return this.#past ?? this.present();
  }

  present(): number {
    return (this.frozen ? this.#startedAt : Date.now()) + this.offset;
  }

  state(): ClockState {
    return { now: this.now(), offset: this.offset };
  }

  /** Restores a state: the time of a frozen clock, the offset of a running clock. */
  restore({ now, offset }: ClockState): void {
    this.offset = this.frozen ? now - this.#startedAt : offset;
  }

  /** Runs work that was due earlier, with the clock set to that time. */
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
