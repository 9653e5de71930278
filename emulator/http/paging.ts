import { HttpError } from "../world/errors.ts";
import type { Behaviour } from "../world/behaviour.ts";

type Query = Readonly<Record<string, string | undefined>>;

const DEFAULT_PAGE_SIZE = 100;

/** `{results}`, and `pagination` when the request asks for a page; where the behaviour says so, in the ways of other servers. */
export function page<Item>(
  items: readonly Item[],
  query: Query,
  behaviour: Behaviour,
  view: (item: Item) => object,
) {
  const { page_cap = Infinity, fixed_page_size, no_pages, refuses_pages, page_joins } = behaviour;
  const isRequested = query["page"] !== undefined || query["page_size"] !== undefined;
  if (isRequested && refuses_pages === "query") throw new HttpError(400, "page: is unknown");
  if (no_pages || refuses_pages === "query" || !isRequested)
    return { results: fitting(items.slice(0, page_cap).map(view), behaviour) };
  const requested = positive(query, "page_size", DEFAULT_PAGE_SIZE);
  const given = positive(query, "page", 1);
  if (requested > page_cap && refuses_pages === "size")
    throw new HttpError(400, `page_size: must be at most ${page_cap}`);
  const number = behaviour.ignores_page ? 1 : given + (behaviour.pages_from_zero ? 1 : 0);
  const size = Math.min(fixed_page_size ?? requested, page_cap);
  const shift = number === 1 || !page_joins ? 0 : { drops: 1, doubles: -1 }[page_joins];
  const start = (number - 1) * size + shift;
  const results = fitting(items.slice(start, start + size).map(view), behaviour);
  if (number > 1 && results.length === 0 && refuses_pages === "beyond")
    throw new HttpError(404, `there is no page ${given}`);
  if (behaviour.silent_pages) return { results };
  const total = counted(items.length, results.length, behaviour);
  const total_pages = behaviour.page_counts === "one page" ? 1 : Math.ceil(total / size);
  return { results, pagination: { page: given, page_size: size, total_count: total, total_pages } };
}

/** The first elements of a page, as far as the server has room for them. */
function fitting(views: object[], { page_bytes = Infinity }: Behaviour): object[] {
  let bytes = 0;
  return views.filter((each) => (bytes += JSON.stringify(each).length) <= page_bytes);
}

function counted(all: number, onPage: number, { page_counts }: Behaviour): number {
  switch (page_counts) {
    case "page":
      return onPage;
    case "less":
      return Math.max(0, all - 1);
    case "more":
      return all + 1;
    default:
      return all;
  }
}

export function positive(query: Query, name: string, otherwise: number): number {
  const text = query[name];
  if (text === undefined) return otherwise;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new HttpError(400, `${name}: must be an integer, at least 1`);
  return Number(text);
}
