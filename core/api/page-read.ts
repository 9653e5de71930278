import { counted } from "../values/text.ts";
import { InvalidRequestError, NotFoundError } from "./errors.ts";
import { isCountedBeyond, type ListPage, toListPage } from "./list-page.ts";
import { bytesOf, ListEvidence, type PagedList, SMALLEST_CUT } from "./list-evidence.ts";
import { hasDuplicates, isSame, isWithin, join, keyOf, overlapping } from "./page-overlap.ts";

const MOST_PAGES = 10_000;

/**
 * One reading of a list. The server counts it, and has counted the operation's lists rightly before; or the page behind its last
 * element is read, and shows nothing more; or another operation shows the same. Undefined elements: the pages do not fit together.
 */
export class PageRead {
  readonly #list: PagedList;
  readonly evidence: ListEvidence;
  readonly #declared: { total: number; length: number }[] = [];

  constructor(list: PagedList) {
    this.#list = list;
    this.evidence = new ListEvidence(list);
  }

  /** @param isTrusting whether the server has counted the pages @param known the first page, if it was read a moment ago */
  async read(isTrusting: boolean, known?: ListPage): Promise<unknown[] | undefined> {
    const first = known ?? (await this.#readFirst());
    await this.#checkNumbers(first);
    const isCounted = isTrusting && this.evidence.isCounting && isCountedBeyond(first);
    const results = isCounted ? await this.#readCounted(first) : await this.#readProved(first, isTrusting);
    if (!results) return undefined;
    const { isHarmless, key, empty } = this.#list;
    if (!isHarmless && (results.length > 0 || empty !== "believed"))
      this.#list.server.hasLength(key, results.length || (await this.evidence.lackedBy()).length);
    if (this.evidence.isCounting) this.#list.run.counted.add(key);
    return results;
  }

  async #readProved(first: ListPage, isTrusting: boolean): Promise<unknown[] | undefined> {
    const prove = async () =>
      this.evidence.isWhole(first) ? first.results : this.#end(await this.#prove(first), isTrusting);
    const isEmpty = first.results.length === 0;
    const isLearning = () => !isEmpty && (this.#list.isHarmless || !this.evidence.seen.whole);
    if (this.evidence.isWhole(first) || !isLearning()) return prove();
    // What the proof of one list shows, the next one in the queue need not ask.
    const proved = await this.#list.server.inTurn(async () =>
      isLearning() ? { results: await prove() } : undefined,
    );
    return proved ? proved.results : prove();
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
    const { sizes } = this.#list.server.known;
    for (const [index, size] of sizes.entries())
      try {
        const page = await this.#page(1, size);
        this.#list.server.accepts(sizes.slice(index));
        return page;
      } catch (error) {
        if (!(error instanceof InvalidRequestError)) throw error;
      }
    const page = await this.#page(1, 0);
    this.#list.server.accepts([]);
    return page;
  }

  /** Shows that page 1 is the first page: a server that counts pages from 0 answers with the second. */
  async #checkNumbers({ results, pagination }: ListPage): Promise<void> {
    const { length } = results;
    const { known } = this.#list.server;
    if (length > 0 && known.isFromOne) this.#list.server.hasShown = true;
    const isShort = this.#list.isHarmless && length > 0 && length < SMALLEST_CUT;
    if (this.#list.server.hasShown || isShort || known.sizes.length === 0) return;
    await this.#list.server.inTurn(async () => {
      if (this.#list.server.hasShown) return;
      const whole = pagination ? results : (await this.#page(1, 0)).results;
      const shown = new Set(results.map(keyOf));
      const isBehind = length === 0 && (pagination?.total_count ?? 0) > 0;
      if (isBehind || (whole.length > 0 && !shown.has(keyOf(whole[0]))))
        throw this.#list.unexpected(
          `page 1 ${length === 0 ? "is empty, and the list is not" : "begins behind the beginning of the list"}: the server does not count pages from 1`,
        );
      this.#list.server.hasShown = length > 0;
      if (length > 0 && !pagination) this.#list.server.startsAtOne();
    });
  }

  /** Whether other operations, or the list without pages, show nothing either. */
  async #isEmpty(): Promise<boolean> {
    const { isDoubtful } = this.evidence;
    const about = this.#list.witnesses?.filter(({ showsNone }) => !showsNone) ?? [];
    const shared = about.filter(({ isShared }) => isShared);
    const own = about.filter(({ isShared }) => !isShared);
    // One answer of a shared list is for all empty lists of the run; where there are doubts, the parent itself is asked first.
    const inOrder = isDoubtful ? [...own, ...shared] : [...shared, ...own];
    const answer = await this.evidence.ask(inOrder, [], "the list is empty");
    if (answer) return answer === "same";
    if (!isDoubtful) return true;
    const { results } = await this.#page(1, 0);
    this.evidence.doubt = `page 1 is empty, and the list ${results.length > 0 ? "without pages" : "of its parents"} is not`;
    const { expected = 0 } = this.#list;
    return results.length === 0 && expected <= (await this.evidence.lackedBy()).length;
  }

  async #readCounted({ results: first, pagination }: ListPage): Promise<unknown[] | undefined> {
    const { total_count = 0, total_pages = 0 } = pagination ?? {};
    if (total_pages > MOST_PAGES)
      throw this.#list.unexpected(`${total_pages} pages are more than a list can have`);
    const [size = 0] = this.#list.server.known.sizes;
    const results = [...first];
    for (let page = 2; page <= total_pages; page += 1) {
      const next = await this.#page(page, size);
      if (next.pagination?.total_count !== total_count) return undefined;
      results.push(...next.results);
    }
    if (results.length !== total_count || hasDuplicates(results)) return undefined;
    this.evidence.seen.isCounted = true;
    return results;
  }

  /** Finds out whether something is behind a first page, and reads it. */
  async #prove(first: ListPage): Promise<unknown[] | undefined> {
    const { results, pagination } = first;
    const { length } = results;
    // Two elements are too few for a page that overlaps and shows another.
    const size = length > 2 ? length - 1 : length;
    const [firstSize] = this.#list.server.known.sizes;
    if (length === 0) return (await this.#isEmpty()) ? this.#proved([]) : undefined;
    const { whole, isCut = false } = this.evidence.seen;
    const longer = this.#list.witnesses?.filter(({ showsAll }) => whole && showsAll);
    if ((await this.evidence.ask(longer, results, "the list is cut")) === "same") return results;
    if (!isCut && this.evidence.isWithinWhole(results) && (await this.evidence.compare(first)).isLonger)
      return results;
    this.#list.run.sees(length, pagination !== undefined);
    if (this.evidence.seen.isUnpaged) return this.#proveByOthers(first, first, "answers page 2 with page 1");
    if (firstSize === undefined) return this.#proveByOthers(first, first, "refuses every size of a page");
    if (pagination && length <= 2) return this.#readBeyond(results, length, 2);
    const next = await this.#page(2, size);
    // The order need not be the same in each answer.
    const isKnown = isWithin(next.results, results);
    const isUnpaged = isKnown && next.results.length === length;
    if (isUnpaged && length > 1) this.evidence.seen.isUnpaged = true;
    if (isUnpaged || (isKnown && next.results.length === size))
      return this.#proveByOthers(first, next, "answers page 2 with page 1");
    if (isKnown && next.results.length > 0 && next.pagination?.total_count === length)
      return this.#proved(results);
    const joined = join(results, next.results);
    if (joined) return joined.length === length ? this.#proved(results) : this.#readBeyond(joined, length);
    this.evidence.doubt = "a page does not begin where the previous page ends";
    // It may use a page size of its own, or refuse that of page 2.
    const isEmpty = next.results.length === 0;
    if (isEmpty && size === length) return this.#proved(results);
    const again = next.results.length > size ? next : await this.#page(2, isEmpty ? firstSize : length);
    if (isEmpty && again.results.length === 0)
      return this.#proveByOthers(first, again, "answers page 2 with no element");
    if (!isEmpty && !isSame(again.results, next.results)) return undefined;
    const all = await this.#readBeyond([...results, ...again.results], length, 3);
    // Its pages do not overlap, so only a count, or another operation, shows that none lacks an element at its beginning.
    if (!all || (next.pagination?.total_count ?? 0) >= all.length) return all;
    const answer = await this.evidence.ask(this.#list.witnesses, all, "a page lacks elements");
    return answer === "others" ? undefined : all;
  }

  #proved(results: unknown[], cut?: number): unknown[] {
    const { seen } = this.evidence;
    const { length = 0, bytes = 0 } = seen.whole ?? {};
    const shown = cut === undefined ? results : [];
    seen.whole = { length: Math.max(length, shown.length), bytes: Math.max(bytes, bytesOf(shown)) };
    if (cut === undefined) return results;
    seen.isCut = true;
    this.#list.server.hasCut(cut);
    return results;
  }

  /**
   * The list of a server that shows nothing beyond its first page: whole if it is counted as such, or if another operation
   * shows as many elements, or if a longer list has come. Undefined: another operation shows more.
   */
  async #proveByOthers(first: ListPage, second: ListPage, what: string): Promise<unknown[] | undefined> {
    const { results, pagination } = first;
    const { length } = results;
    const isCounted = second.pagination?.total_count === length;
    const isWhole = pagination?.total_count === length && (second.results.length === 0 || isCounted);
    // An empty page with the length of the list does not count itself.
    if (isWhole && isCounted && second.results.length === 0) return this.#proved(results);
    const { witnesses } = this.#list;
    const part = `the server ${what}, and ${counted(length, "element")} are only a part of the list`;
    const answer = await this.evidence.ask(witnesses, results, part);
    if (answer === "others") return undefined;
    const isShort = isWhole || length < SMALLEST_CUT;
    if (answer === "same" || isShort || !(await this.evidence.mayBeCut(first, answer === "part")))
      return this.#proved(results);
    throw this.#list.unexpected(
      `the server ${what}, and does not report the length of the list: ${counted(length, "element")} may be only a part, because servers cut lists to such a number`,
      "add or delete one element, for example in the web console: lists of other lengths count as complete",
    );
  }

  /** Reads on behind the known elements, until a page shows nothing new. @param page the next one of a server with a fixed page size */
  async #readBeyond(known: unknown[], cut: number, page?: number): Promise<unknown[] | undefined> {
    let results = known;
    for (let count = 0; count <= MOST_PAGES; count += 1) {
      const [number, size] = page === undefined ? overlapping(results.length, cut) : [page + count, cut];
      const { results: more } = await this.#page(number, size);
      const joined = page === undefined ? join(results, more) : [...results, ...more];
      if (!joined || hasDuplicates(joined) || more.length > size) return undefined;
      if (joined.length === results.length) {
        // A page with so many bytes may end with the last known element because of them.
        const isFull = page === undefined && bytesOf(more) * 2 > bytesOf(known.slice(0, cut));
        const after = isFull ? (await this.#page(results.length + 1, 1)).results : [];
        if (after.length === 0 || hasDuplicates([...results, ...after])) return this.#proved(results, cut);
        joined.push(...after);
      }
      results = joined;
    }
    return undefined;
  }

  /** A list that was read, unless an answer has declared that it is longer. */
  #end(results: unknown[] | undefined, isTrusting: boolean): unknown[] | undefined {
    if (!results) return undefined;
    const totals = this.#declared.map(({ total }) => total);
    const [least, most] = [Math.min(...totals), Math.max(0, ...totals)];
    if (isTrusting && totals.length > 0 && least < most && this.evidence.isCounting !== false)
      return undefined;
    if (most > results.length) {
      this.evidence.doubt = `the server says that the list has ${counted(most, "element")}, and shows ${results.length}`;
      return undefined;
    }
    if (least < results.length) this.#list.server.counts(this.#list.path, false);
    // A page with the whole list proves nothing.
    else if (this.#declared.some(({ length }) => length < results.length)) {
      this.#list.server.counts(this.#list.path, true);
      this.evidence.seen.isCounted = true;
    }
    return results;
  }
}
