/** How many of the lists that have been asked for so far are read. */
export interface ReadCount {
  read: number;
  total: number;
}

/** Counts reads, and tells each change. */
export class ReadTally {
  readonly #onChange: ((count: ReadCount) => void) | undefined;
  readonly #count: ReadCount = { read: 0, total: 0 };

  constructor(onChange?: (count: ReadCount) => void) {
    this.#onChange = onChange;
  }

  /** Counts a read from its start to its end. */
  async during<Value>(reading: Promise<Value>): Promise<Value> {
    this.#count.total += 1;
    this.#tell();
    try {
      return await reading;
    } finally {
      this.#count.read += 1;
      this.#tell();
    }
  }

  #tell(): void {
    this.#onChange?.({ ...this.#count });
  }
}
