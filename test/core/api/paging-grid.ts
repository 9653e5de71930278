import { expect, test } from "vitest";
import { type Client, createClient, type PersistentText } from "../../../core/api/index.ts";
import { serve } from "../../fixtures/http-server.ts";
import { quickClock } from "../../fixtures/quick-clock.ts";

/** How a server pages its lists. */
export interface Paging {
  /** The most that it gives in one page. */
  cut?: number;
  /** The most bytes that it gives in one page. */
  bytes?: number;
  /** It gives pages of its own size. */
  fixed?: number;
  /** It takes every page for the first. */
  ignoresPage?: boolean;
  /** It does not know pages at all. */
  ignoresBoth?: boolean;
  /** It says how long the list is: rightly, or it counts the page, or it has counted some time ago. */
  counts?: "list" | "page" | "less" | "more" | "one page";
  /** At each end of a page, an element is missing, or there twice. */
  joins?: "drops" | "doubles";
  /** It refuses pages behind the last, sizes above its own, all sizes but a few, or the query. */
  refuses?: "pages" | "sizes" | "other sizes" | "query";
  /** The first page is page 0. */
  fromZero?: boolean;
  /** Page 2 is empty, whatever is in the list. */
  emptyBeyond?: boolean;
  /** Each answer has another order. */
  order?: "changes";
}

export const elements = (count: number) =>
  Array.from({ length: count }, (_none, index) => ({ id: `id-${index}` }));

function fitting(list: object[], most: number): object[] {
  let length = 0;
  return list.filter((element) => (length += JSON.stringify(element).length) <= most);
}

function answerOf(list: object[], paging: Paging, query: URLSearchParams): { status: number; body: object } {
  const { cut = Infinity, bytes = Infinity, fixed, joins, refuses, counts } = paging;
  const refused = { status: 400, body: { status: 400 } };
  if (refuses === "query" && query.size > 0) return refused;
  if (paging.ignoresBoth || query.size === 0)
    return { status: 200, body: { results: fitting(list.slice(0, cut), bytes) } };
  const requested = Number(query.get("page_size"));
  if (refuses === "sizes" && requested > cut) return refused;
  if (refuses === "other sizes" && requested < 1000 && requested !== cut) return refused;
  if (paging.emptyBeyond && query.get("page") !== "1") return { status: 200, body: { results: [] } };
  const size = fixed ?? Math.min(requested, cut);
  const page = paging.ignoresPage ? 1 : Number(query.get("page")) + (paging.fromZero ? 1 : 0);
  const shift = page === 1 ? 0 : { drops: 1, doubles: -1, none: 0 }[joins ?? "none"];
  const start = (page - 1) * size + shift;
  const results = fitting(list.slice(start, start + size), bytes);
  if (refuses === "pages" && results.length === 0 && page > 1) return { status: 404, body: { status: 404 } };
  const total = {
    list: list.length,
    page: results.length,
    less: Math.max(0, list.length - 1),
    more: list.length + 1,
    "one page": list.length,
  }[counts ?? "list"];
  const total_pages = counts === "one page" ? 1 : Math.ceil(total / size);
  const pagination = { page, page_size: size, total_count: total, total_pages };
  return { status: 200, body: { results, ...(counts && { pagination }) } };
}

/** @param paging how it pages the list at a path */
export async function startServer(paging: Paging | ((path: string) => Paging)) {
  const lists = new Map<string, object[]>();
  let turns = 0;
  const { url } = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    const its = typeof paging === "function" ? paging(pathname) : paging;
    const list = lists.get(pathname) ?? [];
    turns += its.order ? 5 : 0;
    const start = turns % Math.max(1, list.length);
    const { status, body } = answerOf([...list.slice(start), ...list.slice(0, start)], its, searchParams);
    response.statusCode = status;
    response.end(JSON.stringify(body));
  });
  return { url, lists };
}

export const clientFor = (baseUrl: string, pages?: PersistentText): Client =>
  createClient({ baseUrl, token: "t", onQuota: "fail", pages }, quickClock());

const lengths = [0, 1, 9, 10, 19, 20, 21, 30, 38, 39, 40, 41, 49, 50, 51, 99, 100, 101, 119, 120, 121, 250];

/** Servers that a client finds out, and reads as they are. */
const readable = (cuts: readonly number[]): Paging[] => [
  {},
  { ignoresPage: true, counts: "list" },
  { joins: "doubles" },
  { joins: "doubles", counts: "list" },
  { fixed: 20, counts: "list" },
  ...(["list", "page", "less", "one page", undefined] as const).flatMap((counts) =>
    cuts.flatMap((cut): Paging[] => [
      { cut, ...(counts && { counts }) },
      { cut, refuses: "pages", ...(counts && { counts }) },
      { cut, joins: "doubles", ...(counts && { counts }) },
    ]),
  ),
  ...cuts.map((cut): Paging => ({ cut, refuses: "sizes" })),
  { cut: 15, counts: "page" },
];

/** Servers that show too little, or contradict themselves. */
const doubtful = (cuts: readonly number[]): Paging[] => [
  { counts: "more" },
  { ignoresBoth: true },
  { refuses: "query" },
  { ignoresPage: true },
  { fixed: 20 },
  { fixed: 20, refuses: "pages" },
  ...cuts.flatMap((cut): Paging[] => [
    { cut, ignoresPage: true },
    { cut, ignoresPage: true, counts: "list" },
    { cut, ignoresPage: true, counts: "one page" },
    { cut, joins: "drops" },
    { cut, joins: "drops", counts: "list" },
    { cut, joins: "drops", counts: "page" },
    { cut, counts: "more" },
    { cut, ignoresBoth: true },
    { cut, joins: "drops", counts: "less" },
    { cut, refuses: "query" },
    { cut, emptyBeyond: true },
    { cut, fromZero: true },
    { cut, fromZero: true, counts: "list" },
    { cut, refuses: "other sizes" },
    { cut, refuses: "other sizes", counts: "list" },
  ]),
];

/** Tests every sort of server that cuts its pages to these sizes. */
export function testServers(cuts: readonly number[]): void {
  test.each(readable(cuts))("every list of a server with %j is read as it is", async (paging) => {
    const { url, lists } = await startServer(paging);
    const client = clientFor(url);
    for (const length of [...lengths, ...lengths.toReversed()]) {
      const list = elements(length);
      lists.set("/x", list);
      expect(await client.list("/x")).toEqual(list);
    }
  });

  test.each(doubtful(cuts))("no list of a server with %j is taken for another", async (paging) => {
    const { url, lists } = await startServer(paging);
    for (const length of lengths) {
      const list = elements(length);
      lists.set("/x", list);
      const read = await clientFor(url)
        .list("/x")
        .catch((error: unknown) => error);
      if (read instanceof Error) expect(read).toMatchObject({ code: "unexpected_answer" });
      else expect(read).toEqual(list);
    }
  });
}
