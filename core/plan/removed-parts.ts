import { type Fields, isFields, own } from "../json.ts";
import { statedParts } from "../parts/index.ts";
import type { Action } from "./action.ts";

/** The parts that an action removes from a resource that stays, with the name of their sort and their key. */
export function removedParts(action: Action): { sort: string; key: string }[] {
  if (action.type !== "update") return [];
  const removable = statedParts(action.address.kind).filter(({ form }) => !form.isPermanent);
  return removable.flatMap(({ member, name }) => {
    const left = own(action.expected, member);
    const keys = action.changes.flatMap(({ path: [top, key], after }) =>
      top === member && key !== undefined && after === undefined && !isThere(left, key) ? [key] : [],
    );
    return [...new Set(keys)].map((key) => ({ sort: name, key }));
  });
}

function isThere(entries: Fields[string] | undefined, key: string): boolean {
  return isFields(entries) && Object.hasOwn(entries, key);
}
