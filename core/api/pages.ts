import { isFields } from "../json.ts";
import { InvalidRequestError } from "./errors.ts";

/** The query of one page. */
type Query = Record<string, string | number>;

interface Page {
  results: unknown[];
  /** Missing where the whole list is in one answer. */
  pagination?: { total_count: number; total_pages: number };
}

/** The size of pages that every server is known to have. */
const SMALL_PAGE = 100;
/** The sizes that are tried before, because the API does not say what the most is. */
const LARGE_PAGES = [10_000, 1000];
const MOST_PAGES = 10_000;
const MOST_READINGS = 3;

/** The sizes of the pages that a client asks for: a server that refuses the first gets the next. */
export interface PageSizes {
  sizes: readonly number[];
}

/** The sizes as long as nothing is known of a server. */
export const allPageSizes = (): PageSizes => ({ sizes: [...LARGE_PAGES, SMALL_PAGE] });

/** How many more requests a list takes than one. */
export function pagesBeyondFirst(length: number, size: number): number {
  return Math.max(0, Math.ceil(length / size) - 1);
}

/**
 * Reads all pages of a list. An answer without `pagination` is the whole list. When the list changes while
 * its pages are read, an element may be missed, so it is read again.
 *
 * @param getPage gets the body of one page
 * @param unexpected makes the error for a wrong shape, or a list that does not stay still
 * @param pages the sizes of pages that the server may have; those that it refuses are taken out
 */
export async function readPages(
  getPage: (query: Query) => Promise<unknown>,
  unexpected: (what: string) => Error,
  pages = allPageSizes(),
): Promise<unknown[]> {
  for (let reading = 1; reading <= MOST_READINGS; reading += 1) {
    const results = await readOnce(getPage, unexpected, pages);
    if (results) return results;
  }
  throw unexpected(
    `its pages did not add up to the total_count that it states, in each of ${MOST_READINGS} readings; try again later`,
  );
}

async function readOnce(
  getPage: (query: Query) => Promise<unknown>,
  unexpected: (what: string) => Error,
  pages: PageSizes,
): Promise<unknown[] | undefined> {
  const read = async (page: number, page_size: number) =>
    toPage(await getPage({ page, page_size }), unexpected);
  const readFirst = async ([size = SMALL_PAGE, ...smaller]: readonly number[]): Promise<[Page, number]> => {
    try {
      const page = await read(1, size);
      if (smaller.length === 0 || !isCut(page)) return [page, size];
    } catch (error) {
      if (smaller.length === 0 || !(error instanceof InvalidRequestError)) throw error;
    }
    return readFirst(smaller);
  };
  const [first, size] = await readFirst(pages.sizes);
  pages.sizes = pages.sizes.filter((each) => each <= size);
  if (!first.pagination) return first.results;
  const { total_count, total_pages } = first.pagination;
  if (total_pages > MOST_PAGES) throw unexpected(`${total_pages} pages are more than a list can have`);
  const results = [...first.results];
  for (let page = 2; page <= total_pages; page += 1) {
    const next = await read(page, size);
    if (next.pagination?.total_count !== total_count) return undefined;
    results.push(...next.results);
  }
  return results.length === total_count && !hasDuplicates(results) ? results : undefined;
}

/** Whether a page that is said to be the only one lacks elements: the server has cut it. */
function isCut({ results, pagination }: Page): boolean {
  return pagination?.total_pages === 1 && results.length < pagination.total_count;
}

/**
 * Reads a list whose parts have a size, and no count: each begins behind the last element of the one before. One that is
 * shorter than its size, or brings nothing new, is the last.
 *
 * @param startMember the member of the query that names that element by its id
 */
export async function readParts(
  getPage: (query: Query) => Promise<unknown>,
  unexpected: (what: string) => Error,
  startMember: string,
): Promise<unknown[]> {
  const all = new Map<unknown, unknown>();
  let query: Query = {};
  for (let part = 1; part <= MOST_PAGES; part += 1) {
    const body = await getPage(query);
    const { results } = toPage(body, unexpected);
    const known = all.size;
    for (const element of results) all.set(idIn(element) ?? element, element);
    const size = isFields(body) ? body["page_size"] : undefined;
    const last = idIn(results.at(-1));
    if (!isCount(size) || results.length < size || all.size === known || last === undefined)
      return [...all.values()];
    query = { [startMember]: last };
  }
  throw unexpected(`more than ${MOST_PAGES} parts are more than a list can have`);
}

function idIn(element: unknown): string | undefined {
  const id = isFields(element) ? element["id"] : undefined;
  return typeof id === "string" ? id : undefined;
}

function hasDuplicates(results: unknown[]): boolean {
  const ids = results.map((element) => (isFields(element) ? element["id"] : undefined)).filter(Boolean);
  return new Set(ids).size < ids.length;
}

function toPage(body: unknown, unexpected: (what: string) => Error): Page {
  const results: unknown = isFields(body) ? body["results"] : undefined;
  if (!isFields(body) || !Array.isArray(results)) {
    throw unexpected("a list was expected, as { results: [...] }");
  }
  const pagination = body["pagination"];
  if (pagination === undefined || pagination === null) return { results };
  if (!isFields(pagination)) throw unexpected("pagination is not an object");
  const { total_count, total_pages } = pagination;
  if (!isCount(total_count) || !isCount(total_pages)) {
    throw unexpected("pagination has no total_count or no total_pages");
  }
  return { results, pagination: { total_count, total_pages } };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
