/** A text that outlives the process, and that nobody else can have written. */
export interface PersistentText {
  /** Undefined: none, or its origin is not proved. */
  read(): Promise<string | undefined>;
  /** Replaces the text. */
  write(text: string): Promise<void>;
}

/** The page sizes to try, one after the other while the server refuses them, because the API documents no maximum. */
const sizes = [10_000, 1000, 100, 20] as const;

/** How a server pages a list. `fixed`: in a size of its own. `first`: always the first page. `none`: always the whole list. */
export type PagingWay = "sized" | "fixed" | "first" | "none";

interface PagingState {
  way: PagingWay;
  /** The size to which it has cut a page; undefined: none so far. */
  cut?: number | undefined;
}

interface PagingFacts {
  /** The page sizes that it accepts. None: it refuses the members of the query. */
  sizes: readonly number[];
  /** Whether `total_count` counts the list, as a page with less of it has shown; undefined: unknown. */
  countsLists?: boolean | undefined;
  /** The length of the longest page of a paged list: it cuts pages to no smaller size. */
  longest: number;
  /** By the operation. */
  paging: Record<string, PagingState>;
}

const nothing = (): PagingFacts => ({ sizes, longest: 0, paging: {} });

/** The known facts about the pages of a server, which cost a request or two, so they are cached. */
export class ServerPages {
  readonly #kept: PersistentText | undefined;
  #learned = nothing();
  #written = JSON.stringify(this.#learned);
  hasShown = false;
  #loading: Promise<void> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(kept?: PersistentText) {
    this.#kept = kept;
  }

  get known(): Readonly<PagingFacts> {
    return this.#learned;
  }

  /** The largest pages that it gives, as far as is known. */
  get pageSize(): number {
    const cuts = Object.values(this.#learned.paging).flatMap(({ cut }) => cut ?? []);
    return Math.min(...cuts, this.#learned.sizes[0] ?? Infinity);
  }

  learn(found: Partial<Omit<PagingFacts, "paging">>): void {
    const longest = Math.max(this.#learned.longest, found.longest ?? 0);
    this.#learned = { ...this.#learned, ...found, longest };
  }

  learnPaging(operation: string, paging: PagingState): void {
    this.#learned.paging[operation] = paging;
  }

  /** Forgets everything: the server has changed. */
  forget(): void {
    this.#learned = nothing();
  }

  load(): Promise<void> {
    return (this.#loading ??= this.#load());
  }

  /** Asks one question after the other, so that parallel reads of lists do not all ask the same. */
  inTurn<Value>(ask: () => Promise<Value>): Promise<Value> {
    const requested = this.#last.then(ask, ask);
    this.#last = requested.catch(() => undefined);
    return requested;
  }

  async save(): Promise<void> {
    const text = JSON.stringify(this.#learned);
    if (text === this.#written) return;
    this.#written = text;
    // A full disk must not stop a run: the next one asks again.
    await this.#kept?.write(text).catch(() => undefined);
  }

  async #load(): Promise<void> {
    const text = await this.#kept?.read().catch(() => undefined);
    if (text === undefined) return;
    this.#learned = JSON.parse(text) as PagingFacts;
    this.#written = text;
  }
}
