import { type FieldSchema, memberOf } from "../schema/field-schema.ts";
import type { FieldChange } from "./compare.ts";

/** The elements that changes remove and whose data goes with them. An element under another key is a new, empty one. */
export function dataLossesIn(
  schema: FieldSchema,
  changes: readonly FieldChange[],
): { sort: string; key: string }[] {
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
