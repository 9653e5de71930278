/** Requests that have been sent. */
export interface Spent {
  total: number;
  /** Example: `GET /environment/{id}/services`: 5. */
  byOperation: Record<string, number>;
}

/** Counts the requests of one run by operation, with repetitions, and enforces a cap. */
export class RequestMeter {
  /** The most requests; undefined means any number. */
  readonly cap: number | undefined;
  #total = 0;
  #writes = 0;
  readonly #byOperation = new Map<string, number>();

  constructor(cap?: number) {
    this.cap = cap;
  }

  /** The remaining requests; never negative, although requests that save data may have exceeded the cap. */
  get left(): number {
    return this.cap === undefined ? Infinity : Math.max(0, this.cap - this.#total);
  }

  /** The requests that may have changed something. */
  get writes(): number {
    return this.#writes;
  }

  /** Counts a request. @param operation method and path, without ids */
  add(operation: string): void {
    this.#total += 1;
    if (!operation.startsWith("GET ")) this.#writes += 1;
    this.#byOperation.set(operation, (this.#byOperation.get(operation) ?? 0) + 1);
  }

  /** The requests so far. */
  read(): Spent {
    return { total: this.#total, byOperation: Object.fromEntries(this.#byOperation) };
  }
}
