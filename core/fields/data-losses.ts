import { type Fields, isFields, type Json, own } from "../json.ts";
import { elementLabel } from "../schema/elements.ts";
import { type FieldSchema, memberOf } from "../schema/field-schema.ts";
import type { FieldChange } from "./compare.ts";

/** An element of a field that holds data. */
export interface DataElement {
  /** What it is called: `volume`. */
  sort: string;
  key: string;
}

/** All elements that hold data: their data goes with the resource. */
export function dataIn(schema: FieldSchema, value: Fields | Json): DataElement[] {
  const { holdsData: sort, properties = {} } = schema;
  if (sort !== undefined && Array.isArray(value))
    return value.map((element) => ({ sort, key: elementLabel(schema, element) }));
  if (!isFields(value)) return [];
  return Object.entries(properties).flatMap(([member, inner]) => dataIn(inner, own(value, member) ?? null));
}

/** The elements that changes remove and whose data goes with them. An element under another key is a new, empty one. */
export function dataLossesIn(schema: FieldSchema, changes: readonly FieldChange[]): DataElement[] {
  return changes.flatMap(({ path, before, after }) => {
    if (before === undefined || after !== undefined) return [];
    const label = path.at(-1) ?? "";
    const set = schemaAt(schema, path.slice(0, -1));
    return set?.holdsData === undefined
      ? []
      : [{ sort: set.holdsData, key: label.replace(/^\[(.*)\]$/s, "$1") }];
  });
}

function schemaAt(schema: FieldSchema, path: readonly string[]): FieldSchema | undefined {
  return path.reduce<FieldSchema | undefined>(
    (inner, member) => inner && (member.startsWith("[") ? inner.items : memberOf(inner, member)),
    schema,
  );
}
