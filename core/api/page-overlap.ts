import { idIn } from "./list-page.ts";

/** The page, and its size, that begins with a known element, and reaches as far as possible. */
export function overlapping(known: number, most: number): [page: number, size: number] {
  let best: [page: number, size: number] = [2, known - 1];
  let end = 0;
  for (let size = most; size > most / 2; size -= 1) {
    const before = Math.floor((known - 1) / size);
    if ((before + 1) * size <= end) continue;
    best = [before + 1, size];
    end = (before + 1) * size;
  }
  return best;
}

/** The known elements with those of an overlapping page; undefined: it does not overlap, or has others in between. */
export function join(known: unknown[], page: unknown[]): unknown[] | undefined {
  const start = known.findIndex((element) => keyOf(element) === keyOf(page[0]));
  if (start === -1 || start + page.length < known.length) return undefined;
  const overlap = known.length - start;
  if (!isSame(page.slice(0, overlap), known.slice(start))) return undefined;
  const joined = [...known, ...page.slice(overlap)];
  return hasDuplicates(joined) ? undefined : joined;
}

export function isSame(one: unknown[], other: unknown[]): boolean {
  return one.length === other.length && one.every((element, index) => keyOf(element) === keyOf(other[index]));
}

/** Whether all elements are among others, in any order. */
export function isWithin(elements: unknown[], others: unknown[]): boolean {
  const keys = new Set(others.map(keyOf));
  return elements.every((element) => keys.has(keyOf(element)));
}

export function keyOf(element: unknown): string {
  return idIn(element) ?? JSON.stringify(element) ?? "";
}

export function hasDuplicates(results: unknown[]): boolean {
  const ids = results.map(idIn).filter((id) => id !== undefined);
  return new Set(ids).size < ids.length;
}
