import { type FieldSchema, kinds } from "../../core/model/kinds/index.ts";
import { declaredParts } from "../../core/model/parts/index.ts";
import { schemaFor } from "../../core/model/schema/field-schema.ts";

export interface FieldRow {
  /** For example `ports[].internal_port`. */
  path: string;
  schema: FieldSchema;
  isRequired: boolean;
  /** The field is required to create the resource without a clone. */
  isNeeded: boolean;
}

/** The fields of the declarable parts, each part once. */
export function partRows(): FieldRow[] {
  const parts = kinds.flatMap((kind) =>
    declaredParts(kind).flatMap(({ member, form }) =>
      form.isSingle ? [] : [[member, form.schema] as const],
    ),
  );
  return [...new Map(parts)].flatMap(([member, schema]) => {
    const { entries, items, ...object } = schemaFor(schema, "document");
    if (items) return fieldRows(items, `${member}[].`);
    if (!entries) return fieldRows(object, `${member}.`);
    return entries.properties
      ? fieldRows(entries, `${member}.KEY.`)
      : [{ path: `${member}.KEY`, schema: entries, isRequired: false, isNeeded: false }];
  });
}

/** A row for each field, followed by the fields inside it. A field whose members equal those of an earlier field refers to that field. */
export function fieldRows(
  schema: FieldSchema,
  prefix = "",
  seen: Map<string, string> = new Map(),
): FieldRow[] {
  const { properties = {}, needs = [], required = [] } = schema;
  return Object.entries(properties).flatMap(([member, inside]) => {
    const path = prefix + member;
    const isRequired = required.includes(member);
    const row: FieldRow = {
      path,
      schema: inside,
      isRequired,
      isNeeded: isRequired || needs.includes(member),
    };
    const held = inside.entries ?? (inside.items?.properties ? inside.items : inside);
    // The fields of parts are declared once, for all kinds.
    if (inside.part && prefix === "") return [row];
    if (!held.properties || held.opaque) return [row];
    const content = JSON.stringify(held.properties);
    const earlier = seen.get(content);
    if (earlier !== undefined) {
      const description = `${inside.description ?? ""} Same members as \`${earlier}\`.`;
      return [{ ...row, schema: { ...inside, description } }];
    }
    seen.set(content, path);
    return [
      row,
      ...fieldRows(held, `${path}${inside.entries ? ".KEY" : held === inside ? "" : "[]"}.`, seen),
    ];
  });
}
