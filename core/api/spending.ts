/** What a client has sent so far. */
export interface Spent {
  total: number;
  /** For example `GET /environment/{id}/services`: 5. */
  byOperation: Record<string, number>;
}

/** Counts the requests that were sent, by operation. */
export class Spending {
  #total = 0;
  readonly #byOperation = new Map<string, number>();

  get total(): number {
    return this.#total;
  }

  add(operation: string): void {
    this.#total += 1;
    this.#byOperation.set(operation, (this.#byOperation.get(operation) ?? 0) + 1);
  }

  read(): Spent {
    return { total: this.#total, byOperation: Object.fromEntries(this.#byOperation) };
  }
}
