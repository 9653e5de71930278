import type { Clock } from "../../api/index.ts";
import { type Freshness, momentNow } from "./freshness.ts";

/** How many of the lists that have been requested so far are read. */
export interface ReadCount {
  read: number;
  total: number;
}

/** Counts reads, and reports each change. */
export class ReadTally {
  readonly #count: ReadCount = { read: 0, total: 0 };

  readonly #onChange: ((count: ReadCount) => void) | undefined;

  constructor(onChange?: (count: ReadCount) => void) {
    this.#onChange = onChange;
  }

  /** Counts a read from its start to its end. */
  async during<Value>(reading: Promise<Value>): Promise<Value> {
    this.#enter("total");
    try {
      return await reading;
    } finally {
      this.#enter("read");
    }
  }

  #enter(what: keyof ReadCount): void {
    this.#count[what] += 1;
    this.#onChange?.({ ...this.#count });
  }
}

/** Something known. */
interface CachedValue<Value> {
  /** As the first caller wrote it. */
  key: string;
  value: Value;
  freshness: Freshness;
}

/** A value that is cached, or on its way. */
interface CacheEntry<Value> {
  key: string;
  freshness: Freshness;
  /** Resolves with the changes that were made before it did. */
  reading: Promise<Value>;
  /** Changes that were made while it was being read. */
  changes: ((value: Value) => Value)[];
  known: { value: Value; at: number } | undefined;
}

/**
 * A cache; callers that ask at the same time share one read. A change during the read is made to the value that arrives. If
 * an entry is forgotten while it loads, waiting callers still get the value, but it is not cached. Case does not matter.
 */
export class Cache<Value> {
  readonly #clock: Clock;
  readonly #life: number;
  readonly #tally: ReadTally;
  readonly #entries = new Map<string, CacheEntry<Value>>();
  /** The keys of the entries about a resource, by its id. */
  readonly #keysOf = new Map<string, Set<string>>();

  /** @param life milliseconds for which a value that was read is known, from when it has come */
  constructor(clock: Clock, life: number, tally = new ReadTally()) {
    this.#clock = clock;
    this.#life = life;
    this.#tally = tally;
  }

  /** The known value, until it expires. @param life the most milliseconds since it was read; default: as long as it is fresh */
  get(key: string, life?: number): CachedValue<Value> | undefined {
    const entry = this.#entries.get(key.toLowerCase());
    if (!entry?.known) return undefined;
    const { known, freshness } = entry;
    const until = life === undefined || freshness.because !== "read" ? freshness.until : known.at + life;
    return this.#clock.now() < until ? { key: entry.key, value: known.value, freshness } : undefined;
  }

  /** Whether a read is under way. */
  isReading(key: string): boolean {
    return this.#entries.get(key.toLowerCase())?.known === undefined && this.#entries.has(key.toLowerCase());
  }

  /** The freshness of cached entries and of reads in progress. @param of the id of a resource; default: of all */
  freshness(of?: string): Freshness[] {
    return this.#entriesOf(of).map(({ freshness }) => freshness);
  }

  /**
   * The value that this run has read, the one that is being read, or else a new read.
   *
   * @param life milliseconds: how old a known one may be; 0: it is read afresh, whatever is known
   * @param of the id of the resource that it is about
   */
  read(key: string, load: () => Promise<Value>, life?: number, of = key): Promise<Value> {
    const entry = life === 0 ? undefined : this.#entries.get(key.toLowerCase());
    const isUsable = entry?.freshness.because === "read" && (!entry.known || this.get(key, life));
    return isUsable ? entry.reading : this.refresh(key, load, of);
  }

  /** Reads afresh, whatever is known. A failure is forgotten. */
  refresh(key: string, load: () => Promise<Value>, of = key): Promise<Value> {
    const entry: CacheEntry<Value> = {
      key,
      freshness: { of: of.toLowerCase(), since: momentNow(this.#clock), until: Infinity, because: "read" },
      reading: this.#tally.during(load()).then(
        (read) => this.#arrived(entry, read),
        (error: unknown) => {
          if (this.#entries.get(key.toLowerCase()) === entry) this.forget(key);
          throw error;
        },
      ),
      changes: [],
      known: undefined,
    };
    this.#put(entry);
    return entry.reading;
  }

  /** Changes a value that is known or being read; does nothing otherwise. */
  change(key: string, change: (value: Value) => Value): void {
    const entry = this.#entries.get(key.toLowerCase());
    if (!entry?.known) entry?.changes.push(change);
    else {
      entry.known.value = change(entry.known.value);
      entry.reading = Promise.resolve(entry.known.value);
    }
  }

  /** Changes all that is about a resource. */
  changeOf(of: string, change: (value: Value) => Value): void {
    for (const key of this.#keysOf.get(of.toLowerCase()) ?? []) this.change(key, change);
  }

  /** Enters a value that was not read here. */
  enter(key: string, value: Value, because: Freshness["because"] = "read", of = key): void {
    const at = this.#clock.now();
    const until = because === "read" ? at + this.#life : Infinity;
    const freshness = { of: of.toLowerCase(), since: momentNow(this.#clock), until, because };
    const reading = Promise.resolve(value);
    this.#put({ key, freshness, reading, changes: [], known: { value, at } });
  }

  /** Forgets one value; whoever waits for its read still gets it. */
  forget(key: string): void {
    const entry = this.#entries.get(key.toLowerCase());
    this.#entries.delete(key.toLowerCase());
    if (entry) this.#keysOf.get(entry.freshness.of)?.delete(key.toLowerCase());
  }

  /** Forgets all that is about a resource. @param which default: all of it */
  forgetOf(of: string, which: (freshness: Freshness, key: string) => boolean = () => true): void {
    for (const { key, freshness } of this.#entriesOf(of)) if (which(freshness, key)) this.forget(key);
  }

  /** Forgets every value. */
  forgetAll(): void {
    this.#entries.clear();
    this.#keysOf.clear();
  }

  /** All entries, by key. @param life of an entry */
  known(life?: number): Map<string, Value> {
    return new Map(this.entries(undefined, life).map(({ key, value }) => [key, value]));
  }

  /** All entries, with their freshness. @param of the id of a resource; undefined: of all @param life of an entry */
  entries(of?: string, life?: number): CachedValue<Value>[] {
    return this.#entriesOf(of).flatMap(({ key }) => this.get(key, life) ?? []);
  }

  #entriesOf(of: string | undefined): CacheEntry<Value>[] {
    if (of === undefined) return [...this.#entries.values()];
    return [...(this.#keysOf.get(of.toLowerCase()) ?? [])].flatMap((key) => this.#entries.get(key) ?? []);
  }

  #put(entry: CacheEntry<Value>): void {
    const key = entry.key.toLowerCase();
    const { of } = entry.freshness;
    this.#entries.set(key, entry);
    const keys = this.#keysOf.get(of);
    if (keys) keys.add(key);
    else this.#keysOf.set(of, new Set([key]));
  }

  #arrived(entry: CacheEntry<Value>, read: Value): Value {
    const value = entry.changes.reduce((changed, change) => change(changed), read);
    const at = this.#clock.now();
    entry.known = { value, at };
    entry.freshness.until = at + this.#life;
    return value;
  }
}
