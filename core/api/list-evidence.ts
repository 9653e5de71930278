import { idIn, type ListPage } from "./list-page.ts";
import { operationOf } from "./path.ts";
import type { RunPages } from "./run-pages.ts";
import type { ServerPages } from "./server-pages.ts";
import {
  type Evidence,
  isUsualCut,
  type Once,
  type PageQuery,
  unlessUnable,
  type Witness,
} from "./witness.ts";

/** A shorter list with a count is complete: no server cuts pages to so few elements. */
export const SMALLEST_CUT = 10;
/** The same for lists of which a cut one makes no double. */
const SMALLEST_HARMLESS_CUT = 20;

/** What a reader of a list knows about it. */
export interface ListNotes {
  /** The query parameter for an id, of a list without page numbers. */
  startMember?: string | undefined;
  /** Other operations that show the same elements. */
  witnesses?: readonly Witness[];
  /** Whether its elements are only referred to. */
  isReference?: boolean;
  /** How many elements the parent has, as its own list has just shown; undefined: unknown. */
  expected?: number | undefined;
  /**
   * Whether an empty list is believed, because the caller waits for its elements, or proved; `known`: it was empty a moment ago,
   * and only a proof is missing. Default: unless something contradicts it.
   */
  empty?: "believed" | "proved" | "known" | undefined;
  /** The ids, in lower case, of elements beyond the shown ones that it may lack, such as new ones that a read by id shows. */
  mayLack?: (shown: ReadonlySet<string>) => Promise<readonly string[]>;
  /** The contents of the list, for messages: `the variables of Job migrate`. Default: the path alone. */
  of?: string;
}

export interface PagedList extends ListNotes {
  getPage(query: PageQuery): Promise<unknown>;
  /** The error for an unusable answer. */
  unexpected(what: string, advice?: string): Error;
  path: string;
  /** The path with the query of the list. */
  key: string;
  server: ServerPages;
  run: RunPages;
  /** Whether a cut one makes no double, as of variables, or of resources that are only referred to. */
  isHarmless: boolean;
}

/** All that is known of the length of one list, whatever shows it: its page, earlier runs, its parent, other lists. */
export class ListEvidence {
  readonly #list: PagedList;
  /** Why the list is not believed. */
  doubt = "the pages change while they are read";

  constructor(list: PagedList) {
    this.#list = list;
  }

  /** What the run has seen of the operation. */
  get seen(): ReturnType<RunPages["of"]> {
    return this.#list.run.of(this.#list.path);
  }

  /** Whether the server has counted other lists of the operation rightly; undefined: unknown. */
  get isCounting(): boolean | undefined {
    return this.#list.server.known.counts[operationOf(this.#list.path)];
  }

  /** The new elements that the list does not show yet, by their ids in lower case. */
  async lackedBy(shown: ReadonlySet<string> = new Set()): Promise<readonly string[]> {
    return (await this.#list.mayLack?.(shown)) ?? [];
  }

  /** Whether the caller wants a proof of an empty list. */
  get #isToBeProved(): boolean {
    return this.#list.empty === "proved" || this.#list.empty === "known";
  }

  /** Whether an empty list needs a proof: its caller wants one, or what its parent or an earlier run says contradicts it. */
  get isDoubtful(): boolean {
    const { expected, server, key } = this.#list;
    return this.#isToBeProved || (expected ?? server.known.lengths[key] ?? 0) > 0;
  }

  /** Whether a first page is the whole list by what is known without a request. */
  isWhole({ results, pagination }: ListPage): boolean {
    const { length } = results;
    const { isHarmless, expected, empty, key, run, server } = this.#list;
    const { total_count = 0, total_pages = 0 } = pagination ?? {};
    if (total_count > length) return false;
    if (expected === length) return true;
    if (length === 0 && !isHarmless)
      return empty === "believed" || (pagination !== undefined && !this.isDoubtful);
    if (isHarmless && !pagination && length < SMALLEST_CUT) return true;
    if (pagination && this.isCounting) {
      const { [key]: former = length } = server.known.lengths;
      const isProved = this.seen.isCounted === true || run.counted.has(key);
      const isKnown = length < SMALLEST_CUT || former === length || isProved;
      return total_count === length && total_pages <= 1 && isKnown;
    }
    const isBelieved = isHarmless && this.isCounting === undefined;
    const smallest = isBelieved ? SMALLEST_HARMLESS_CUT : SMALLEST_CUT;
    const isShorter = this.isWithinWhole(results) && length < (this.seen.whole?.length ?? 0);
    return (pagination !== undefined && length < smallest) || isShorter;
  }

  /** Whether a list needs no proof of its own, because another one of the operation that came whole is not smaller. */
  isWithinWhole(results: unknown[]): boolean {
    const { whole } = this.seen;
    if (!this.#list.isHarmless || !whole) return false;
    return results.length <= whole.length && bytesOf(results) <= whole.bytes;
  }

  /** Nothing where the server lacks the other operation, or refuses it. */
  async #read({ read }: Witness, length: number): Promise<Evidence> {
    const [size] = this.#list.server.known.sizes;
    const first = size === undefined || !this.#list.server.hasShown ? {} : { page: 1, page_size: size };
    // A proof is younger than the question: what the run has read before says nothing of what has appeared since.
    const once: Once = this.#isToBeProved ? (_key, load) => load() : this.#list.run.once;
    return (await read({ length, first, once }).catch(unlessUnable)) ?? {};
  }

  /** Compares a list with what other operations show of it: just the same, something else, a part of it, or nothing. */
  async ask(
    witnesses: readonly Witness[] = [],
    results: unknown[],
    what: string,
  ): Promise<"same" | "others" | "part" | undefined> {
    const { length } = results;
    const shown = idsOf(results);
    let isPart = false;
    for (const witness of witnesses) {
      const { ids = [], count = -1 } = await this.#read(witness, length);
      const others = ids.map((id) => id.toLowerCase()).filter((id) => !shown.has(id));
      const isBeyond = (lacked: readonly string[]) =>
        count > length + lacked.length || others.some((id) => !lacked.includes(id));
      if (isBeyond([]) && isBeyond(await this.lackedBy(shown))) {
        this.doubt = `${what}: GET ${witness.path} shows others`;
        return "others";
      }
      if (count >= length) return "same";
      isPart ||= ids.length > 0;
    }
    return isPart ? "part" : undefined;
  }

  /** Compares a length with the longest page of the run, and with the lists of the organization until one is longer. */
  async compare({ results: { length }, pagination }: ListPage) {
    const { run } = this.#list;
    const isCounted = pagination !== undefined;
    const others: number[] = [];
    for (const list of run.longLists.values()) {
      if (run.longest(isCounted) > length) break;
      const { longest } = await this.#read(list, length);
      if (longest === undefined) continue;
      run.sees(longest, isCounted);
      others.push(longest);
    }
    return { isLonger: run.longest(isCounted) > length, others };
  }

  /** Whether a list may be cut to its length. @param isPart whether another operation shows elements of it */
  async mayBeCut(first: ListPage, isPart: boolean): Promise<boolean> {
    const { length } = first.results;
    const isUsual = isUsualCut(length);
    const { isLonger, others } = await this.compare(first);
    if (!isLonger && others.length === 0) return isUsual;
    if (!isLonger && others.includes(length)) return isUsual || !isPart;
    // The server may cut lists of this operation alone.
    const isLongest = (this.seen.whole?.length ?? 0) <= length;
    return isUsual && isLongest && !isPart && !this.#list.isHarmless;
  }
}

function idsOf(results: readonly unknown[]): Set<string> {
  return new Set(results.flatMap((each) => idIn(each)?.toLowerCase() ?? []));
}

export function bytesOf(results: unknown[]): number {
  return JSON.stringify(results).length;
}
