import { type Fields, isFields, type Json, mapFields, own } from "../json.ts";
import { type FieldSchema, hasMembers, memberOf } from "../schema/field-schema.ts";

/** An entry as its main member alone, where it has no other: `info` for `{ value: info }`. */
export function shortForm<Value extends Json | undefined>(
  { short }: FieldSchema,
  entry: Value,
): Json | Value {
  if (short === undefined || !isFields(entry)) return entry;
  return Object.keys(entry).length === 1 ? (own(entry, short) ?? entry) : entry;
}

/** Stated fields with every entry that is stated by its main member alone written out: `{ value: info }` for `info`. */
export function withoutShortForms(schema: FieldSchema, fields: Fields): Fields {
  if (!hasMembers(schema)) return fields;
  return mapFields(fields, (value, member) => longForm(memberOf(schema, member) ?? {}, value));
}

function longForm(schema: FieldSchema, value: Json): Json {
  if (isFields(value)) return withoutShortForms(schema, value);
  const { short } = schema;
  return short === undefined || value === null || Array.isArray(value) ? value : { [short]: value };
}
