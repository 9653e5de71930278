import type { PagedList } from "./list-evidence.ts";
import { PageRead } from "./page-read.ts";

const MOST_READINGS = 3;

export function pagesBeyondFirst(length: number, size: number): number {
  return Math.max(0, Math.ceil(length / size) - 1);
}

/**
 * Reads all elements of a list. The API documents neither the largest page nor the length of a list. So a page that the
 * server may have cut is followed by another, which has to overlap with it: then nothing is missing between them. A list
 * that changes while its pages are read is read again.
 */
export async function readPages(list: PagedList): Promise<unknown[]> {
  const { server, unexpected } = list;
  await server.load();
  for (const each of list.witnesses ?? []) if (each.isShared) list.run.longLists.set(each.path, each);
  let doubt = "";
  for (let number = 1; number <= MOST_READINGS; number += 1) {
    const reading = new PageRead(list);
    const known = number === 1 && list.empty === "known" ? { results: [] } : undefined;
    const results = await reading.read(number < MOST_READINGS, known);
    if (results) {
      await server.save();
      return results;
    }
    ({ doubt } = reading.evidence);
    list.run.forget();
  }
  server.forget();
  await server.save();
  throw unexpected(
    `${doubt}, in each of ${MOST_READINGS} attempts`,
    "try again later; if this continues, report it to the operator of the server",
  );
}
