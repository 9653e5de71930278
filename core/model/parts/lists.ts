import { type Fields, once, own } from "../../values/json.ts";
import type { Part, PartEntry, PartListing } from "./part.ts";

/** A resource with parts: some paths contain its parent. */
export interface PartOwner {
  id: string;
  parentId: string;
}

/** The entries of lists of parts, by the keys of the lists. */
export type PartLists = ReadonlyMap<string, readonly Fields[]>;

/** Equal for the same list. Ids are case insensitive. */
export function listingKey({ path, query = {} }: PartListing): string {
  return JSON.stringify([path, query]).toLowerCase();
}

const listOfSort = once((part: Part): string => listingKey(part.listing("id", "parent")));

/** Whether two sorts of parts of a resource are in one list. */
export function shareList(one: Part, other: Part): boolean {
  return listOfSort(one) === listOfSort(other);
}

export function listsOf(parts: readonly Part[]): number {
  return listingsOf({ id: "id", parentId: "parent" }, parts).size;
}

export function listingsOf({ id, parentId }: PartOwner, parts: readonly Part[]): Map<string, PartListing> {
  return new Map(
    parts.map((part) => {
      const listing = part.listing(id, parentId);
      return [listingKey(listing), listing];
    }),
  );
}

/** The parts of a resource; undefined: a list is unknown. @param declared the fields of its document */
export function partsIn(
  lists: PartLists,
  { id, parentId }: PartOwner,
  parts: readonly Part[],
  declared: Fields = {},
): PartEntry[] | undefined {
  const found: PartEntry[] = [];
  for (const part of parts) {
    const listed = lists.get(listingKey(part.listing(id, parentId)));
    if (!listed) return undefined;
    const desired = own(declared, part.member);
    for (const response of listed) {
      const key = part.keyOf(response);
      if (key !== undefined)
        found.push({
          part,
          key,
          isOwn: part.isOwn?.(response, id, listed, desired) ?? true,
          isReadable: !part.form?.isWriteOnly,
          response,
          ...(part.form?.isSingle && { desired, seenBy: id }),
        });
    }
  }
  return found;
}
