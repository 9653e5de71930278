import { type FieldSchema, memberOf } from "../../core/schema/field-schema.ts";

/** The schema of the field at a path, such as `["ports", "[8080/HTTP]", "name"]`; undefined where there is none. */
export function schemaAt(schema: FieldSchema, path: readonly string[]): FieldSchema | undefined {
  let at: FieldSchema | undefined = schema;
  for (const part of path) at = at && (part.startsWith("[") ? (at.items ?? at.entries) : memberOf(at, part));
  return at;
}
