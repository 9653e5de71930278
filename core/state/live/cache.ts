import type { Clock } from "../../api/index.ts";
import { type Moment, momentNow } from "./moment.ts";
import { ReadTally } from "./tally.ts";

/** A value that is known, or on its way. */
interface CacheEntry<Value> {
  /** The id as the first caller wrote it. */
  id: string;
  /** Resolves with the changes that were made before it did. */
  reading: Promise<Value>;
  /** Changes that were made while it was being read. */
  changes: ((value: Value) => Value)[];
  /** When the read began. */
  begun: Moment;
  /** The value that was read, and when it came. */
  known: { value: Value; at: number } | undefined;
}

/**
 * A cache of values by id; callers that ask at the same time share one read. A change that is entered during the read is
 * made to the value that arrives. If an entry is forgotten while it loads, waiting callers still get the value, but it is
 * not cached.
 */
export class Cache<Value> {
  readonly #clock: Clock;
  readonly #life: number;
  readonly #tally: ReadTally;
  readonly #entries = new Map<string, CacheEntry<Value>>();

  /**
   * @param life milliseconds for which a value is known, from when it has come
   * @param tally counts the reads
   */
  constructor(clock: Clock, life: number, tally = new ReadTally()) {
    this.#clock = clock;
    this.#life = life;
    this.#tally = tally;
  }

  /** The known value of that id. */
  get(id: string, life = this.#life): { value: Value } | undefined {
    const known = this.#entries.get(keyOf(id))?.known;
    return known && this.#clock.now() < known.at + life ? known : undefined;
  }

  /** When the reads began of what is known. */
  begun(id?: string): Moment[] {
    const entries = id === undefined ? [...this.#entries.values()] : [this.#entries.get(keyOf(id))];
    return entries.flatMap((entry) => entry?.begun ?? []);
  }

  /**
   * The value of that id: the known one, the one that is being read, or else a new read.
   *
   * @param life milliseconds: how old a known one may be; 0: it is read afresh, whatever is known
   */
  read(id: string, load: () => Promise<Value>, life = this.#life): Promise<Value> {
    const entry = life === 0 ? undefined : this.#entries.get(keyOf(id));
    return entry && (!entry.known || this.get(id, life)) ? entry.reading : this.refresh(id, load);
  }

  /** Reads afresh, whatever is known. A failure is forgotten. */
  refresh(id: string, load: () => Promise<Value>): Promise<Value> {
    const key = keyOf(id);
    const entry: CacheEntry<Value> = {
      id,
      reading: this.#tally.during(load()).then(
        (value) => this.#keep(entry, value),
        (error: unknown) => {
          if (this.#entries.get(key) === entry) this.#entries.delete(key);
          throw error;
        },
      ),
      changes: [],
      begun: momentNow(this.#clock),
      known: undefined,
    };
    this.#entries.set(key, entry);
    return entry.reading;
  }

  /** Changes a value that is known or being read; does nothing otherwise. */
  change(id: string, change: (value: Value) => Value): void {
    const entry = this.#entries.get(keyOf(id));
    if (!entry) return;
    if (!entry.known) {
      entry.changes.push(change);
      return;
    }
    entry.known.value = change(entry.known.value);
    entry.reading = Promise.resolve(entry.known.value);
  }

  /** Enters a value that was not read. */
  enter(id: string, value: Value): void {
    const known = { value, at: this.#clock.now() };
    const begun = momentNow(this.#clock);
    this.#entries.set(keyOf(id), { id, reading: Promise.resolve(value), changes: [], begun, known });
  }

  /** Forgets one value; whoever waits for its read still gets it. */
  forget(id: string): void {
    this.#entries.delete(keyOf(id));
  }

  /** Forgets every value. */
  forgetAll(): void {
    this.#entries.clear();
  }

  /** All that is known, by id. @param life of it */
  known(life = this.#life): Map<string, Value> {
    const all = new Map<string, Value>();
    for (const { id } of this.#entries.values()) {
      const known = this.get(id, life);
      if (known) all.set(id, known.value);
    }
    return all;
  }

  #keep(entry: CacheEntry<Value>, read: Value): Value {
    const value = entry.changes.reduce((changed, change) => change(changed), read);
    entry.known = { value, at: this.#clock.now() };
    return value;
  }
}

/** Ids are the same whatever their case. */
function keyOf(id: string): string {
  return id.toLowerCase();
}
