import { type Fields, isFields, type Json, mapFields, mapList, own } from "../../values/json.ts";
import { type FieldSchema, hasMembers, memberOf } from "../schema/field-schema.ts";

/** The short form of an entry with only its main member: `info` for `{ value: info }`. */
export function shortForm<Value extends Json | undefined>(
  { short }: FieldSchema,
  entry: Value,
): Json | Value {
  if (short === undefined || !isFields(entry)) return entry;
  return Object.keys(entry).length === 1 ? (own(entry, short) ?? entry) : entry;
}

/** Expands short entries: `{ value: info }` for `info`. */
export function withoutShortForms(schema: FieldSchema, fields: Fields): Fields {
  if (!hasMembers(schema)) return fields;
  return mapFields(fields, (value, member) => longForm(memberOf(schema, member) ?? {}, value));
}

function longForm(schema: FieldSchema, value: Json): Json {
  if (isFields(value)) return withoutShortForms(schema, value);
  const { short, items } = schema;
  if (items && Array.isArray(value))
    return mapList(value, (element) => (isFields(element) ? withoutShortForms(items, element) : element));
  return short === undefined || value === null || Array.isArray(value) ? value : { [short]: value };
}
