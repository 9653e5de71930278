import { counted } from "../values/text.ts";
import { InvalidRequestError, NotFoundError } from "./errors.ts";
import { idIn, isCountedBeyond, type ListPage, toListPage } from "./list-page.ts";
import { hasDuplicates, isSame, join, keyOf, overlapping } from "./page-overlap.ts";
import { operationOf, type PagingWay, type ServerPages, withoutCount } from "./server-pages.ts";
import { type Evidence, type PageQuery, unlessUnable, type Witness } from "./witness.ts";

export interface PagedList {
  getPage(query: PageQuery): Promise<unknown>;
  /** The error for an unusable answer. */
  unexpected(what: string, advice?: string): Error;
  path: string;
  /** The path with the query of the list. */
  key: string;
  server: ServerPages;
  /** Whether its query chooses elements. */
  isFiltered: boolean;
  /** Asked one after the other until one proves something. */
  witnesses: readonly Witness[];
}

const MOST_PAGES = 10_000;
/** A shorter list with a count is complete: no server cuts pages to so few elements. */
const SMALLEST_CUT = 10;
/** The same for lists that a query filters, as those of variables: they are long, and a cut one makes no double. */
const SMALLEST_FILTERED_CUT = 20;
/** Where no other operation shows a list, one of such a length may be cut by a server that shows nothing beyond its first page. */
const CUTS = new Set([
  10, 15, 20, 25, 30, 40, 50, 60, 64, 75, 100, 120, 128, 150, 200, 250, 256, 300, 400, 500, 512, 1000, 1024,
  2000, 5000, 10_000,
]);

/** One reading of a list. Undefined elements: the pages do not fit together. */
export class PageRead {
  readonly #list: PagedList;
  readonly #server: ServerPages;
  #operation: string;
  /** Why the pages do not fit together. */
  doubt = "the pages change while they are read";
  readonly #declared: { total: number; length: number }[] = [];

  constructor(list: PagedList) {
    this.#list = list;
    this.#server = list.server;
    this.#operation = operationOf(list.path);
  }

  /** @param isTrusting whether the server has counted the pages */
  async read(isTrusting: boolean): Promise<unknown[] | undefined> {
    const first = await this.#readFirst();
    if (!first.pagination) this.#operation += withoutCount;
    this.#server.sees(first.results.length, first.pagination !== undefined);
    if (!first.pagination) this.#server.learn(this.#operation, { longest: first.results.length });
    if (!this.#server.known.isFromOne && !this.#server.hasShown)
      await this.#server.inTurn(() => this.#checkNumbers(first));
    const known = () => (this.#isWhole(first) ? first.results : undefined);
    const whole = known();
    if (whole) return whole;
    const { way, cut } = this.#paging;
    const { countsLists } = this.#server.known;
    if (isTrusting && countsLists && isCountedBeyond(first)) return this.#readCounted(first);
    const end = (results: unknown[] | undefined) => this.#end(results, isTrusting);
    if (cut === first.results.length) return end(await this.#readBeyond(first.results, way));
    // The next list in the queue may know enough by then.
    const found = await this.#server.inTurn(async () => {
      const answer = known() ?? (await this.#ask(first));
      return Array.isArray(answer) ? end(answer) : answer;
    });
    if (found === undefined || Array.isArray(found)) return found;
    return end(await this.#readBeyond(found.results, found.way, found.page));
  }

  get #paging() {
    return this.#server.known.paging[this.#operation] ?? {};
  }

  async #page(page: number, page_size: number): Promise<ListPage> {
    const { getPage, unexpected } = this.#list;
    const read = async () =>
      toListPage(await getPage(page_size === 0 ? {} : { page, page_size }), unexpected);
    const answer = await read().catch((error: unknown): ListPage => {
      // Some servers refuse a page behind the last.
      if (page > 1 && (error instanceof NotFoundError || error instanceof InvalidRequestError))
        return { results: [] };
      throw error;
    });
    if (answer.pagination)
      this.#declared.push({ total: answer.pagination.total_count, length: answer.results.length });
    return answer;
  }

  async #readFirst(): Promise<ListPage> {
    const { sizes } = this.#server.known;
    for (const [index, size] of sizes.entries())
      try {
        const page = await this.#page(1, size);
        this.#server.accepts(sizes.slice(index));
        return page;
      } catch (error) {
        if (!(error instanceof InvalidRequestError)) throw error;
      }
    const page = await this.#page(1, 0);
    this.#server.accepts([]);
    return page;
  }

  /** Shows once that page 1 is the first page: a server that counts pages from 0 answers with the second. */
  async #checkNumbers({ results, pagination }: ListPage): Promise<void> {
    const { isFromOne, sizes } = this.#server.known;
    if (isFromOne || this.#server.hasShown || sizes.length === 0) return;
    const { length } = results;
    const whole = pagination ? results : (await this.#page(1, 0)).results;
    const known = new Set(results.map(keyOf));
    const isBehind = length === 0 && (pagination?.total_count ?? 0) > 0;
    if (isBehind || (whole.length > 0 && !known.has(keyOf(whole[0]))))
      throw this.#list.unexpected(
        `page 1 ${length === 0 ? "is empty, and the list is not" : "begins behind the beginning of the list"}: the server does not count pages from 1`,
      );
    this.#server.hasShown = length > 0;
    if (length > 0 && !pagination) this.#server.startsAtOne();
  }

  /** Whether a first page is the whole list, by the known facts about the server. */
  #isWhole({ results, pagination }: ListPage): boolean {
    const { countsLists } = this.#server.known;
    const { cut } = this.#paging;
    const { length } = results;
    if (pagination && countsLists) return pagination.total_count === length && pagination.total_pages <= 1;
    if (pagination && pagination.total_count > length) return false;
    if (cut !== undefined) return length < cut;
    const isBelieved = this.#list.isFiltered && countsLists !== false;
    if (pagination && length < (isBelieved ? SMALLEST_FILTERED_CUT : SMALLEST_CUT)) return true;
    return this.#isKnownWhole(length, pagination !== undefined);
  }

  /** Whether a list that nothing counts but its own page needs no proof: the operation has shown a longer one, or this one was proved whole. */
  #isKnownWhole(length: number, isCounted: boolean): boolean {
    const { longest = 0, whole = [] } = this.#paging;
    const isFull = length >= (this.#server.known.sizes[0] ?? Infinity);
    if (length === 0 || isFull) return length === 0;
    const isProved = whole.includes(this.#list.key) && !CUTS.has(length);
    const isAlike = this.#isAlike(length) && this.#server.hasSeenLonger(length, isCounted);
    return length < longest || (length === longest && isProved) || isAlike;
  }

  /**
   * Whether a list without a count was proved whole at this length; of variables, which no run makes twice, whether any list was.
   * That counts where the server shows a longer list anywhere.
   */
  #isAlike(length: number): boolean {
    const { longest, whole = [] } = this.#paging;
    const isOneOfMany = this.#list.isFiltered && whole.length > 0 && !this.#server.hasCut;
    return length === longest && (isOneOfMany || whole.includes(this.#list.key));
  }

  /** Whether the server shows a longer list anywhere. */
  #showsLonger({ results, pagination }: ListPage): Promise<boolean> {
    return this.#server.showsLonger(results.length, pagination !== undefined, (witness) =>
      this.#evidence(witness, results.length),
    );
  }

  /** Nothing where the server lacks the other operation, or refuses it. */
  async #evidence({ read }: Witness, length: number): Promise<Evidence> {
    const [size] = this.#server.known.sizes;
    const first = size === undefined ? {} : { page: 1, page_size: size };
    return (await read(length, first).catch(unlessUnable)) ?? {};
  }

  async #readCounted({ results: first, pagination }: ListPage): Promise<unknown[] | undefined> {
    const { total_count = 0, total_pages = 0 } = pagination ?? {};
    if (total_pages > MOST_PAGES)
      throw this.#list.unexpected(`${total_pages} pages are more than a list can have`);
    const [size = 0] = this.#server.known.sizes;
    const results = [...first];
    for (let page = 2; page <= total_pages; page += 1) {
      const next = await this.#page(page, size);
      if (next.pagination?.total_count !== total_count) return undefined;
      results.push(...next.results);
    }
    return results.length === total_count && !hasDuplicates(results) ? results : undefined;
  }

  /** Reads behind a first page that may be cut, from its last element on. Returns the list, or the known elements and facts. */
  async #ask(first: ListPage) {
    const { results, pagination } = first;
    const { length } = results;
    // Two elements are too few for a page that overlaps and shows another.
    const size = length > 2 ? length - 1 : length;
    const [firstSize] = this.#server.known.sizes;
    if (length === 0) return undefined;
    if (this.#isAlike(length) && (await this.#showsLonger(first)))
      return this.#believe(results, this.#paging.way);
    if (this.#paging.way === "none") return this.#believeUnpaged(first, first, "answers page 2 with page 1");
    if (firstSize === undefined) return this.#believeUnpaged(first, first, "refuses every size of a page");
    if (pagination && length <= 2) return { results, way: "fixed" as const };
    const next = await this.#page(2, size);
    const isUnpaged = isSame(next.results, results);
    if (isUnpaged || isSame(next.results, results.slice(0, size)))
      return this.#believeUnpaged(
        first,
        next,
        "answers page 2 with page 1",
        isUnpaged && length > 1 ? "none" : "first",
      );
    const joined = join(results, next.results);
    if (!joined) this.doubt = "a page does not begin where the previous page ends";
    if (joined) {
      if (joined.length === length) return this.#believe(results, "sized");
      this.#cut("sized", length);
      return next.results.length < size ? joined : { results: joined, way: "sized" as const };
    }
    // It may use a page size of its own, or refuse that of page 2.
    const isEmpty = next.results.length === 0;
    if (isEmpty && size === length) return this.#believe(results, "sized");
    const again = next.results.length > size ? next : await this.#page(2, isEmpty ? firstSize : length);
    if (isEmpty && again.results.length === 0)
      return this.#believeUnpaged(first, again, "answers page 2 with no element");
    if (!isEmpty && !isSame(again.results, next.results)) return undefined;
    this.#cut("fixed", length);
    return {
      results: [...results, ...again.results],
      way: "fixed" as const,
      page: again.results.length < length ? 0 : 3,
    };
  }

  #believe(results: unknown[], way: PagingWay | undefined, longest = results.length): unknown[] {
    this.#server.learn(this.#operation, { ...(way && { way }), longest }, this.#list.key);
    return results;
  }

  /**
   * The list of a server that shows nothing beyond its first page: whole if it is counted as such, or if no other operation
   * shows an element that it lacks, and no list elsewhere is just as long. Without such an operation: if a longer list has
   * come, or if it has no length to which servers cut pages. One that takes page 2 for the first gives pages of any size. Undefined: another operation shows more.
   */
  async #believeUnpaged(
    first: ListPage,
    second: ListPage,
    what: string,
    way: PagingWay = "none",
  ): Promise<unknown[] | undefined> {
    const { results, pagination } = first;
    const { length } = results;
    const isCounted = second.pagination?.total_count === length;
    const isWhole = pagination?.total_count === length && (second.results.length === 0 || isCounted);
    // An empty page with the length of the list does not count itself.
    if (isWhole && isCounted && second.results.length === 0) return this.#believe(results, way);
    const shown = new Set(results.flatMap((each) => idIn(each)?.toLowerCase() ?? []));
    let isShown = false;
    for (const witness of this.#list.witnesses) {
      const { ids, count = 0, longest: other = 0 } = await this.#evidence(witness, length);
      if (count > length || ids?.some((id) => !shown.has(id.toLowerCase()))) {
        this.doubt = `the server ${what}, and ${counted(length, "element")} are only a part of the list: GET ${witness.path} shows others`;
        return undefined;
      }
      this.#server.sees(other, pagination !== undefined);
      isShown ||= ids !== undefined;
      if (count === length) return this.#believe(results, way);
    }
    if (isWhole) return this.#believe(results, way);
    const mayBeCut = CUTS.has(length) || (isShown && length >= SMALLEST_FILTERED_CUT);
    if (!mayBeCut || (await this.#showsLonger(first))) return this.#believe(results, way);
    if (isShown && !this.#server.hasLongList(length)) return this.#believe(results, way);
    throw this.#list.unexpected(
      `the server ${what}, and does not report the length of the list: ${counted(length, "element")} may be only a part, because servers cut lists to such a number`,
      "add or delete one element, for example in the web console: lists of other lengths count as complete",
    );
  }

  #cut(way: PagingWay, cut: number): void {
    this.#server.learn(this.#operation, { way, cut });
  }

  /** The elements behind the known ones. @param page the next one of a server with a fixed page size; 0: none */
  async #readBeyond(first: unknown[], way: PagingWay | undefined, page = 2): Promise<unknown[] | undefined> {
    const cut = this.#paging.cut ?? first.length;
    let results = first;
    for (let next = page; next > 0 && next <= MOST_PAGES; next += 1) {
      const [number, size] = way === "fixed" ? [next, cut] : overlapping(results.length, cut);
      const { results: more } = await this.#page(number, size);
      const joined = way === "fixed" ? [...results, ...more] : join(results, more);
      if (!joined || hasDuplicates(joined) || more.length > size) return undefined;
      results = joined;
      if (more.length < size) break;
    }
    return results;
  }

  /** A list that was read, unless an answer has declared that it is longer. */
  #end(results: unknown[] | undefined, isTrusting: boolean): unknown[] | undefined {
    if (!results) return undefined;
    const totals = new Set(this.#declared.map(({ total }) => total));
    if (isTrusting && totals.size > 1 && this.#server.known.countsLists !== false) return undefined;
    const most = Math.max(0, ...this.#declared.map(({ total }) => total));
    if (most > results.length) {
      this.doubt = `the server says that the list has ${counted(most, "element")}, and shows ${results.length}`;
      return undefined;
    }
    if (this.#declared.some(({ total }) => total < results.length)) this.#server.counts(false);
    // A page with the whole list proves nothing.
    else if (this.#declared.some(({ length }) => length < results.length)) this.#server.counts(true);
    return results;
  }
}
