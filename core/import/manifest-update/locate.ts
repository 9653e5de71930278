import { entryKey } from "../../model/fields/list-entries.ts";
import { type Fields, isFields, type Json, own } from "../../values/json.ts";
import { elementLabel } from "../../model/schema/elements.ts";
import { type FieldSchema, memberOf } from "../../model/schema/field-schema.ts";

/** A path in the value of a document: members and indices. */
export type ValuePath = readonly (string | number)[];

/** The place of a field in the value of a document, or the declared part of its path. */
export interface FieldPlace {
  /** The path of the field, or of the last declared member on the way. */
  path: ValuePath;
  schema: FieldSchema;
  /** The undeclared rest of the path of the field; none: the field is declared. */
  rest: readonly string[];
}

/** Finds a field in the value of a document. @param field members, and elements of lists in brackets, as in plans */
export function locate(kindSchema: FieldSchema, value: Fields, field: readonly string[]): FieldPlace {
  const path: (string | number)[] = [];
  let schema = kindSchema;
  let at: Json = value;
  for (const [depth, part] of field.entries()) {
    const next = step(schema, at, part);
    if (!next) return { path, schema, rest: field.slice(depth) };
    path.push(next.part);
    ({ schema, value: at } = next);
  }
  return { path, schema, rest: [] };
}

function step(
  schema: FieldSchema,
  at: Json,
  part: string,
): { part: string | number; schema: FieldSchema; value: Json } | undefined {
  if (Array.isArray(at)) {
    const labelOf = (element: Json) =>
      schema.keyedBy ? entryKey(schema, element) : `[${elementLabel(schema, element)}]`;
    const index = at.findIndex((element) => labelOf(element) === part);
    const inside = (schema.keyedBy ? schema.entries : schema.items) ?? {};
    return index < 0 ? undefined : { part: index, schema: inside, value: at[index] ?? null };
  }
  const value = isFields(at) ? own(at, part) : undefined;
  return value === undefined ? undefined : { part, schema: memberOf(schema, part) ?? {}, value };
}
