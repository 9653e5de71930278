import { stringify } from "yaml";
import { type FieldChange, formatPath } from "../../core/model/fields/compare.ts";
import type { Fields, Json } from "../../core/values/json.ts";
import type { Detail, FieldRow } from "../../core/report/block.ts";
import { differenceOf } from "../../core/report/difference.ts";
import { type FieldSchema, schemaAt } from "../../core/model/schema/field-schema.ts";
import { inline, readable, rowsOf } from "./values.ts";

/** Values up to this length are shown on the line of their field. */
const inlineWidth = 72;

/** Changed fields of a resource: values on one line, long texts as a difference. */
export function changedFields(schema: FieldSchema, changes: readonly FieldChange[]): Detail[] {
  const rows = changes.map((change) => changedField(schema, change));
  return rows.length === 0 ? [] : [{ detail: "fields", compares: true, rows }];
}

/** The fields of a resource that does not exist yet. */
export function fieldsOf(schema: FieldSchema, fields: Fields): Detail[] {
  const rows = rowsOf(schema, fields).map(({ path, value, unit }): FieldRow => {
    const shown = readable(value);
    const name = formatPath(path);
    return isShort(shown) ? { path: name, after: inline(shown, unit) } : { path: name, text: asText(shown) };
  });
  return rows.length === 0 ? [] : [{ detail: "fields", compares: false, rows }];
}

function changedField(schema: FieldSchema, { path, before, after }: FieldChange): FieldRow {
  const at = schemaAt(schema, path);
  // A change that only orders a secret to be written again, whose values nobody can compare.
  if (after === true && path.at(-1) === "rotate" && at?.place === "engine")
    return { path: formatPath(path.slice(0, -1)), note: "written again" };
  const name = formatPath(path);
  const [left, right] = [before, after].map((value) => (value === undefined ? undefined : readable(value)));
  if (isShort(left) && isShort(right))
    return { path: name, before: inline(left, at?.unit), after: inline(right, at?.unit) };
  const difference = differenceOf(asText(left), asText(right));
  return typeof difference === "string" ? { path: name, text: difference } : { path: name, difference };
}

function isShort(value: Json | undefined): boolean {
  if (typeof value === "string" && value.trimEnd().includes("\n")) return false;
  return inline(value).length <= inlineWidth;
}

function asText(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : stringify(value, { lineWidth: 0 });
}
