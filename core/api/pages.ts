import { isFields } from "../json.ts";

/** The query of one page. */
type Query = Record<string, string | number>;

interface Page {
  results: unknown[];
  /** Missing where the whole list is in one answer. */
  pagination?: { total_count: number; total_pages: number };
}

const PAGE_SIZE = 100;
const MOST_PAGES = 10_000;
const MOST_READINGS = 3;

/**
 * Reads all pages of a list. An answer without `pagination` is the whole list. When the list changes while
 * its pages are read, an element may be missed, so it is read again.
 *
 * @param getPage gets the body of one page
 * @param unexpected makes the error for a wrong shape, or a list that does not stay still
 */
export async function readPages(
  getPage: (query: Query) => Promise<unknown>,
  unexpected: (what: string) => Error,
): Promise<unknown[]> {
  for (let reading = 1; reading <= MOST_READINGS; reading += 1) {
    const results = await readOnce(getPage, unexpected);
    if (results) return results;
  }
  throw unexpected(
    `its pages did not add up to the total_count that it states, in each of ${MOST_READINGS} readings; try again later`,
  );
}

async function readOnce(
  getPage: (query: Query) => Promise<unknown>,
  unexpected: (what: string) => Error,
): Promise<unknown[] | undefined> {
  const first = toPage(await getPage({ page: 1, page_size: PAGE_SIZE }), unexpected);
  if (!first.pagination) return first.results;
  const { total_count, total_pages } = first.pagination;
  if (total_pages > MOST_PAGES) throw unexpected(`${total_pages} pages are more than a list can have`);
  const results = [...first.results];
  for (let page = 2; page <= total_pages; page += 1) {
    const next = toPage(await getPage({ page, page_size: PAGE_SIZE }), unexpected);
    if (next.pagination?.total_count !== total_count) return undefined;
    results.push(...next.results);
  }
  return results.length === total_count && !hasTwins(results) ? results : undefined;
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

function hasTwins(results: unknown[]): boolean {
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
