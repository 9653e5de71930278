import { stringify } from "yaml";
import { type FieldChange, formatPath } from "../../core/fields/compare.ts";
import type { Json } from "../../core/json.ts";
import type { FieldSchema } from "../../core/schema/field-schema.ts";
import { escapeControl } from "../../core/text.ts";
import type { Colors } from "../terminal/colors.ts";
import { unifiedDiff } from "./difference.ts";
import { indent, schemaAt } from "./text.ts";
import { inline, readable, type Row } from "./values.ts";

/** Values up to this length are shown on the line of their field. */
const inlineWidth = 72;

/** Values are aligned in a column; paths longer than this do not widen it. */
const pathColumn = 44;

/** Changed fields of a resource, one a line: `cpu  500m -> 1000m`; long texts as a difference. */
export function renderChanges(
  schema: FieldSchema,
  changes: readonly FieldChange[],
  colors: Colors,
): string[] {
  const width = columnOf(changes.map((change) => rewrittenSecret(schema, change) ?? change.path));
  return changes.map((change) => {
    const { path, before, after } = change;
    const secret = rewrittenSecret(schema, change);
    if (secret) return row(secret, writtenAgain, width);
    const [left, right] = [before, after].map((value) => (value === undefined ? undefined : readable(value)));
    const unit = schemaAt(schema, path)?.unit;
    if (isShort(left) && isShort(right))
      return row(path, `${inline(left, unit)} ${colors.dim("->")} ${inline(right, unit)}`, width);
    return `${escapeControl(formatPath(path))}\n${indent(unifiedDiff(asText(left), asText(right), colors), 2)}`;
  });
}

/** The note of a plan on a secret that it writes without being able to compare the value. */
export const writtenAgain = "written again";

/** The path of the secret that a change only orders to be written again. */
export function rewrittenSecret(schema: FieldSchema, { path, after }: FieldChange): string[] | undefined {
  const isOrder = after === true && path.at(-1) === "rotate" && schemaAt(schema, path)?.place === "engine";
  return isOrder ? path.slice(0, -1) : undefined;
}

/** Fields, one a line: `cpu  500m`; long texts below. */
export function renderRows(rows: readonly Row[]): string[] {
  const width = columnOf(rows.map(({ path }) => path));
  return rows.map(({ path, value, unit }) => {
    const shown = readable(value);
    if (isShort(shown)) return row(path, inline(shown, unit), width);
    const lines = asText(shown)
      .trimEnd()
      .split("\n")
      .map((line) => escapeControl(line));
    return `${escapeControl(formatPath(path))}\n${indent(lines.join("\n"), 2)}`;
  });
}

function row(path: readonly string[], value: string, width: number): string {
  return `${escapeControl(formatPath(path)).padEnd(width)}  ${value}`;
}

function columnOf(paths: readonly (readonly string[])[]): number {
  const lengths = paths
    .map((path) => escapeControl(formatPath(path)).length)
    .filter((length) => length <= pathColumn);
  return Math.max(0, ...lengths);
}

/** Whether a value is shown on the line of its field. */
export function isShort(value: Json | undefined): boolean {
  if (typeof value === "string" && value.trimEnd().includes("\n")) return false;
  return inline(value).length <= inlineWidth;
}

/** A value as a text of several lines. */
export function asText(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : stringify(value, { lineWidth: 0 });
}
