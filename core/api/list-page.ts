import { isFields } from "../values/json.ts";
import { escapeControl, shorten } from "../values/text.ts";

export interface ListPage {
  results: unknown[];
  /** Absent: the server does not tell the length of the list. */
  pagination?: { total_count: number; total_pages: number };
}

const MOST_PARTS = 10_000;

/** @param unexpected makes the error for a wrong shape */
export function toListPage(body: unknown, unexpected: (what: string) => Error): ListPage {
  const results: unknown = isFields(body) ? body["results"] : undefined;
  if (!isFields(body) || !Array.isArray(results)) {
    throw unexpected(`the API should return a list ({ results: [...] }), and returned ${formOf(body)}`);
  }
  const pagination = body["pagination"];
  if (pagination === undefined || pagination === null) return { results };
  const { total_count, total_pages } = isFields(pagination) ? pagination : {};
  if (!isCount(total_count) || !isCount(total_pages))
    throw unexpected("pagination has no total_count or no total_pages");
  return { results, pagination: { total_count, total_pages } };
}

/** The form of a value, without its content. */
function formOf(value: unknown): string {
  if (Array.isArray(value)) return "a list without results";
  if (!isFields(value)) return value === null ? "null" : `a ${typeof value}`;
  const members = Object.keys(value).map((member) => shorten(escapeControl(member), 40));
  return members.length === 0 ? "{}" : `an object with ${members.slice(0, 5).join(", ")}`;
}

/** Reads a list without page numbers, each part from the last element on. A short part, or one with known elements, is the last. */
export async function readParts(
  getPage: (query: Record<string, string>) => Promise<unknown>,
  unexpected: (what: string) => Error,
  startMember: string,
): Promise<unknown[]> {
  const all = new Map<unknown, unknown>();
  let query = {};
  for (let part = 1; part <= MOST_PARTS; part += 1) {
    const body = await getPage(query);
    const { results } = toListPage(body, unexpected);
    const known = all.size;
    for (const element of results) all.set(idIn(element) ?? element, element);
    const size = isFields(body) ? body["page_size"] : undefined;
    const last = idIn(results.at(-1));
    const isShort = isCount(size) && results.length < size;
    if (isShort || all.size === known || last === undefined) return [...all.values()];
    query = { [startMember]: last };
  }
  throw unexpected(`the list has more than ${MOST_PARTS} parts`);
}

export function idIn(element: unknown): string | undefined {
  const id = isFields(element) ? element["id"] : undefined;
  return typeof id === "string" ? id : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Whether the server tells that a list has more pages than the first. */
export function isCountedBeyond({ results, pagination }: ListPage): boolean {
  return pagination !== undefined && pagination.total_count > results.length && pagination.total_pages > 1;
}
