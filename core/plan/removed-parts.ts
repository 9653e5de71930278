import { type Fields, isFields, own } from "../json.ts";
import { type StatedPart, statedParts } from "../parts/index.ts";
import type { Action } from "./action.ts";

/** The parts that an action removes from its resource, by its own changes. */
export function removedParts(action: Action): { part: StatedPart; sort: string; key: string }[] {
  if (action.type !== "update") return [];
  const removable = statedParts(action.address.kind).filter(({ form }) => !form.isPermanent);
  return removable.flatMap((part) => {
    const { member, name } = part;
    const left = own(action.expected, member);
    const keys = action.changes.flatMap(({ path: [top, key], after }) =>
      top === member && key !== undefined && after === undefined && !isThere(left, key) ? [key] : [],
    );
    return [...new Set(keys)].map((key) => ({ part, sort: name, key }));
  });
}

function isThere(entries: Fields[string] | undefined, key: string): boolean {
  return isFields(entries) && Object.hasOwn(entries, key);
}
