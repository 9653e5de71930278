import { type FieldSchema, memberOf, type Unit } from "../../core/schema/field-schema.ts";

/** A number with its unit, as a person reads it: `250m` of CPU, `512 MB`, `1 GB`. */
export function withUnit(value: number, unit: Unit): string {
  if (unit === "millicores") return `${value}m`;
  return unit === "MB" && value >= 1024 && value % 1024 === 0 ? `${value / 1024} GB` : `${value} ${unit}`;
}

/** The schema of the field at a path, such as `["ports", "[8080/HTTP]", "name"]`; undefined where there is none. */
export function schemaAt(schema: FieldSchema, path: readonly string[]): FieldSchema | undefined {
  let at: FieldSchema | undefined = schema;
  for (const part of path) at = at && (part.startsWith("[") ? (at.items ?? at.entries) : memberOf(at, part));
  return at;
}
