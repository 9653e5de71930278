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

// A long soak must not fill the memory; the total goes on counting. The address of a request can have 16,000 characters.
const MOST_ENTRIES = 100_000;
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** What was asked of the emulator, in order of arrival. */
export class Journal {
  #entries: Entry[] = [];
  #total = 0;
  #characters = 0;

  open(method: string, url: string): Entry {
    const [path = "/", query] = url.split("?", 2);
    const entry: Entry = { method, path, ...(query && { query }), status: null };
    this.#total += 1;
    this.#entries.push(entry);
    this.#characters += lengthOf(entry);
    if (this.#entries.length > MOST_ENTRIES * 1.1 || this.#characters > MOST_CHARACTERS * 1.1)
      this.#shorten();
    return entry;
  }

  report(): { total: number; requests: Entry[] } {
    return { total: this.#total, requests: this.#entries };
  }

  clear(): void {
    this.#entries = [];
    this.#total = 0;
    this.#characters = 0;
  }

  /** Forgets the oldest; more than is needed, so that this is not done with every request. */
  #shorten(): void {
    let first = Math.max(0, this.#entries.length - MOST_ENTRIES);
    let characters = this.#entries.slice(first).reduce((sum, entry) => sum + lengthOf(entry), 0);
    for (; characters > MOST_CHARACTERS; first += 1) characters -= lengthOf(this.#entries[first]);
    this.#entries = this.#entries.slice(first);
    this.#characters = characters;
  }
}

function lengthOf({ path, query = "" }: Pick<Entry, "path" | "query"> = { path: "" }): number {
  return path.length + query.length;
}
