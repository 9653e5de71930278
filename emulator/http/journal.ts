/** A request in the response of `GET /_emulator/requests`. */
export interface JournalEntry {
  method: string;
  path: string;
  query?: string;
  /** The status that the client got; null: no response. */
  status: number | null;
  fault?: string;
}

// Bounds the memory of long runs; the total still counts all requests. A URL can have 16,000 characters.
const MOST_ENTRIES = 100_000;
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** The requests that the emulator has received, in order of arrival. */
export class Journal {
  #entries: JournalEntry[] = [];
  #total = 0;
  #characters = 0;

  open(method: string, url: string): JournalEntry {
    const [path = "/", query] = url.split("?", 2);
    const entry: JournalEntry = { method, path, ...(query && { query }), status: null };
    this.#total += 1;
    this.#entries.push(entry);
    this.#characters += lengthOf(entry);
    if (this.#entries.length > MOST_ENTRIES * 1.1 || this.#characters > MOST_CHARACTERS * 1.1)
      this.#shorten();
    return entry;
  }

  report(): { total: number; requests: JournalEntry[] } {
    return { total: this.#total, requests: this.#entries };
  }

  clear(): void {
    this.#entries = [];
    this.#total = 0;
    this.#characters = 0;
  }

  /** Drops more old requests than necessary, so that this does not happen with every request. */
  #shorten(): void {
    let first = Math.max(0, this.#entries.length - MOST_ENTRIES);
    let characters = this.#entries.slice(first).reduce((sum, entry) => sum + lengthOf(entry), 0);
    for (; characters > MOST_CHARACTERS; first += 1) characters -= lengthOf(this.#entries[first]);
    this.#entries = this.#entries.slice(first);
    this.#characters = characters;
  }
}

function lengthOf({ path, query = "" }: Pick<JournalEntry, "path" | "query"> = { path: "" }): number {
  return path.length + query.length;
}
