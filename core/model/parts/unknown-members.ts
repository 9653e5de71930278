import { type Fields, isFields, mapFields } from "../../values/json.ts";
import type { PartRequest } from "./part.ts";

/** Makes a PUT, which replaces an entry, send back the unknown members of the entry. */
export function keepingUnknown(
  entry: Fields | undefined,
  known: readonly string[],
): Pick<PartRequest, "withUnknown"> {
  const unknown = unknownOf(entry, known);
  return Object.keys(unknown).length === 0 ? {} : { withUnknown: (body) => ({ ...unknown, ...body }) };
}

/** The unknown members of an entry, as a later version of the API may have them. */
export function unknownOf(entry: Fields | undefined, known: readonly string[]): Fields {
  if (!isFields(entry)) return {};
  return mapFields(entry, (value, member) => (value === null || known.includes(member) ? undefined : value));
}
