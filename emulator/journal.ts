/** A request as `GET /_emulator/requests` tells it. */
export interface Entry {
  method: string;
  path: string;
  query?: string;
  /** What the client saw; null when it saw no answer, or none yet. */
  status: number | null;
  /** What a fault did to it. */
  fault?: string;
}

// A long soak must not fill the memory; the total goes on counting.
const KEPT = 100_000;

/** What was asked of the emulator, in order of arrival. */
export class Journal {
  #entries: Entry[] = [];
  #total = 0;

  open(method: string, url: string): Entry {
    const [path = "/", query] = url.split("?", 2);
    const entry: Entry = { method, path, ...(query && { query }), status: null };
    this.#total += 1;
    this.#entries.push(entry);
    if (this.#entries.length > KEPT * 1.1) this.#entries = this.#entries.slice(-KEPT);
    return entry;
  }

  report(): { total: number; requests: Entry[] } {
    return { total: this.#total, requests: this.#entries };
  }

  clear(): void {
    this.#entries = [];
    this.#total = 0;
  }
}
