import { type Fields, isFields, type Json, mapFields, own } from "../../values/json.ts";
import { elementLabel } from "../schema/elements.ts";
import { type FieldSchema, listForm } from "../schema/field-schema.ts";

/** The key of an entry in a declared list: its content, in brackets, like that of an element of a set. */
export function entryKey(schema: FieldSchema, entry: Json): string {
  return `[${elementLabel(listForm(schema), entry)}]`;
}

export function withKeyedEntries({ properties = {} }: FieldSchema, fields: Fields): Fields {
  return mapFields(fields, (value, member) => keyedEntries(own(properties, member) ?? {}, value));
}

export function keyedEntries(schema: FieldSchema, value: Json): Json {
  return schema.keyedBy && Array.isArray(value)
    ? Object.fromEntries(value.map((entry) => [entryKey(schema, entry), entry]))
    : value;
}

export function listedEntries({ keyedBy }: FieldSchema, value: Json): Json {
  return keyedBy && isFields(value) ? Object.values(value) : value;
}

/** The path of a member in a document, where entries of a declared list have an index. */
export function pathInDocument(
  { properties = {} }: FieldSchema,
  fields: Fields,
  path: readonly (string | number)[],
): readonly (string | number)[] {
  const [member, key, ...rest] = path;
  const entries = own(fields, String(member));
  if (typeof key !== "string" || !own(properties, String(member))?.keyedBy || !isFields(entries)) return path;
  const index = Object.keys(entries).indexOf(key);
  return index < 0 ? path.slice(0, 1) : [String(member), index, ...rest];
}
