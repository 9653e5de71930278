import { elementLabel, referenceLabel } from "../../core/fields/elements.ts";
import { type Fields, isFields, type Json, own } from "../../core/json.ts";
import type { FieldSchema } from "../../core/kinds/schema.ts";
import { escapeControl } from "../../core/text.ts";

/** A value on one line, as a person reads it: `500`, `eu-west`, `[--all, "a b, c"]`. */
export function inline(value: Json | undefined): string {
  if (value === undefined || value === null) return "(none)";
  if (typeof value === "string") return bare(value);
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (isFields(value)) {
    const members = Object.entries(value).map(
      ([member, inner]) => `${escapeControl(member)}: ${inline(inner)}`,
    );
    return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
  }
  return String(value);
}

/** Quotes only what could be taken for something else. */
function bare(text: string): string {
  const isAmbiguous =
    text === "" ||
    text.trim() !== text ||
    /[",[\]{}\n]/.test(text) ||
    /^(?:true|false|null|~|\(none\))$/i.test(text);
  const isNumber = text !== "" && Number.isFinite(Number(text));
  return escapeControl(isAmbiguous || isNumber ? JSON.stringify(text) : text);
}

/** A value with references by their names, and without the ids that the API gives to elements. */
export function readable(value: Json): Json {
  if (Array.isArray(value)) return value.map(readable);
  if (!isFields(value)) return value;
  const members = Object.entries(value);
  const isReference =
    typeof value["id"] === "string" && members.every(([member]) => member === "id" || member === "name");
  if (isReference) return referenceLabel(value);
  return Object.fromEntries(
    members.filter(([member]) => member !== "id").map(([member, inner]) => [member, readable(inner)]),
  );
}

/** A field of a resource, for a table. */
export interface Row {
  path: string[];
  value: Json;
}

/** The fields of a resource one by one, in the order of the schema; elements of sets by what they are known by. */
export function rowsOf(schema: FieldSchema, fields: Fields, path: string[] = []): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([member, inside]) => {
    const value = own(fields, member);
    if (value === undefined) return [];
    const here = [...path, member];
    if (inside.properties && !inside.opaque && isFields(value) && Object.keys(value).length > 0)
      return rowsOf(inside, value, here);
    if (inside.set?.length && Array.isArray(value)) {
      return value.map((element) => ({
        path: [...here, `[${elementLabel(inside, element)}]`],
        value: element,
      }));
    }
    return [{ path: here, value }];
  });
}
