import type { Clock } from "./clock.ts";
import type { Evidence, Witness } from "./witness.ts";

/** A text that outlives the process, and that nobody else can have written. */
export interface PersistentText {
  /** Undefined: none, or its origin is not proved. */
  read(): Promise<string | undefined>;
  /** Replaces the text. */
  write(text: string): Promise<void>;
}

/** The page sizes to try, one after the other while the server refuses them, because the API documents no maximum. */
const sizes = [10_000, 1000, 100, 20, 10] as const;
/** Milliseconds for which facts count: a server may page differently after its next release. */
const lifetime = 86_400_000;

/** The end of the key of facts from pages that have no count: they are proved by no page that has one. */
export const withoutCount = " without a count";

/** How a server pages a list. `fixed`: in a size of its own. `first`: always the first page. `none`: always the whole list. */
export type PagingWay = "sized" | "fixed" | "first" | "none";

/** The facts about the lists of an operation: another one may be cut to another size. */
interface PagingState {
  way?: PagingWay;
  /** The size to which it has cut a page; undefined: none so far. */
  cut?: number;
  /** The length of the longest page that was a whole list, or had no count: pages are cut to no smaller size. */
  longest?: number;
  /** The lists of that length that were proved whole. */
  whole?: readonly string[];
}

interface PagingFacts {
  /** The time of the oldest fact, in milliseconds since 1970; 0: there is none. */
  since: number;
  /** The page sizes that it accepts. None: it refuses the members of the query. */
  sizes: readonly number[];
  /** Whether `total_count` counts the list, as a page with less of it has shown; undefined: unknown. */
  countsLists?: boolean;
  /** Page 1 is the first page, as a list with elements has shown. */
  isFromOne?: true;
  /** By the operation. */
  paging: Record<string, PagingState>;
}

const nothing = (): PagingFacts => ({ since: 0, sizes, paging: {} });

/** The known facts about the pages of a server, which cost a request or two, so they are cached. */
export class ServerPages {
  readonly #clock: Pick<Clock, "now">;
  readonly #file: PersistentText | undefined;
  #learned = nothing();
  #written = JSON.stringify(this.#learned);
  /** Whether page 1 of a list had elements, in this process. */
  hasShown = false;
  /** The length of the longest first page in this process, by whether it had a count. */
  readonly #seen = new Map<boolean, number>();
  #longLists: Witness[] = [];
  readonly #longLengths = new Set<number>();
  #loading: Promise<void> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(clock: Pick<Clock, "now">, file?: PersistentText) {
    this.#clock = clock;
    this.#file = file;
  }

  get known(): Readonly<PagingFacts> {
    return this.#learned;
  }

  /** The largest pages that it gives, as far as is known. */
  get pageSize(): number {
    const cuts = Object.values(this.#learned.paging).flatMap(({ cut }) => cut ?? []);
    return Math.min(...cuts, this.#learned.sizes[0] ?? Infinity);
  }

  get hasCut(): boolean {
    return Object.values(this.#learned.paging).some(({ cut }) => cut !== undefined);
  }

  /** A page of a list had so many elements: the server cuts no list to fewer. */
  sees(length: number, isCounted: boolean): void {
    this.#seen.set(isCounted, Math.max(length, this.#seen.get(isCounted) ?? 0));
  }

  hasSeenLonger(length: number, isCounted: boolean): boolean {
    return (this.#seen.get(isCounted) ?? 0) > length;
  }

  /** Lists that are long in most organizations. */
  knowsLongLists(lists: readonly Witness[]): void {
    if (lists.length > 0) this.#longLists = [...lists];
  }

  /** Whether a list longer than this has come, or is among the long ones, each of which is read once in a run. */
  async showsLonger(
    length: number,
    isCounted: boolean,
    read: (list: Witness) => Promise<Evidence>,
  ): Promise<boolean> {
    while (!this.hasSeenLonger(length, isCounted)) {
      const list = this.#longLists.pop();
      if (!list) return false;
      const { longest = 0 } = await read(list);
      this.#longLengths.add(longest);
      this.sees(longest, isCounted);
    }
    return true;
  }

  /** Whether one of the long lists has just this length: then the server may cut all lists to it. */
  hasLongList(length: number): boolean {
    return this.#longLengths.has(length);
  }

  counts(countsLists: boolean): void {
    this.#add({ countsLists });
  }

  startsAtOne(): void {
    this.#add({ isFromOne: true });
  }

  /** The server accepts pages of these sizes. */
  accepts(accepted: readonly number[]): void {
    this.#learned = { ...this.#learned, sizes: accepted };
  }

  /** @param list one that was proved whole */
  learn(operation: string, found: Omit<PagingState, "whole">, list?: string): void {
    const { paging } = this.#learned;
    const known = paging[operation] ?? {};
    const longest = Math.max(known.longest ?? 0, found.longest ?? 0);
    const whole = new Set(longest === known.longest ? known.whole : []);
    if (list !== undefined && longest === found.longest) whole.add(list);
    const learned = { ...known, ...found, ...(longest > 0 && { longest, whole: [...whole] }) };
    this.#add({ paging: { ...paging, [operation]: learned } });
  }

  #add(facts: Partial<PagingFacts>): void {
    this.#learned = { ...this.#learned, since: this.#learned.since || this.#clock.now(), ...facts };
  }

  /** Forgets everything: the server has changed. */
  forget(): void {
    this.#learned = nothing();
    this.#seen.clear();
  }

  async load(): Promise<void> {
    await (this.#loading ??= this.#load());
    const { since, sizes: accepted } = this.#learned;
    if (since > 0 && Math.abs(this.#clock.now() - since) > lifetime) {
      this.forget();
      this.accepts(accepted);
    }
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
    await this.#file?.write(text).catch(() => undefined);
  }

  async #load(): Promise<void> {
    const text = await this.#file?.read().catch(() => undefined);
    if (text === undefined) return;
    this.#learned = { ...nothing(), ...(JSON.parse(text) as Partial<PagingFacts>) };
    this.#written = text;
  }
}

/** The path of a list without the ids, each of which follows its noun. */
export function operationOf(path: string): string {
  return path
    .split("/")
    .filter((_segment, index) => index % 2 === 1)
    .join("/");
}
