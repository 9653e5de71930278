import { type Fields, isFields, mapFields } from "../../values/json.ts";
import type { PartRequest } from "./part.ts";

/** Says that a PUT, which replaces an entry, sends back the members of the entry that this version does not know. */
export function keepingUnknown(
  entry: Fields | undefined,
  known: readonly string[],
): Pick<PartRequest, "withUnknown"> {
  const unknown = unknownOf(entry, known);
  return Object.keys(unknown).length === 0 ? {} : { withUnknown: (body) => ({ ...unknown, ...body }) };
}

/** The members of an entry that this version does not know, as a later version of the API may have them. */
export function unknownOf(entry: Fields | undefined, known: readonly string[]): Fields {
  if (!isFields(entry)) return {};
  return mapFields(entry, (value, member) => (value === null || known.includes(member) ? undefined : value));
}
