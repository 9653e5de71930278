import { type FieldSchema, memberOf } from "../../core/schema/field-schema.ts";

export { counted, indent, wrap } from "../../core/text.ts";

/** A duration in milliseconds as a person reads it: `0.4 s`, `58 s`, `4 min`. */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  return seconds < 100 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

/** The time left until a date: `58 s`, `43 min`. Servers give dates in whole seconds, so the result may be 1 s too low. */
export function timeLeft(until: Date, now: number): string {
  const seconds = Math.max(1, Math.floor((until.getTime() - now) / 1000));
  return seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

/** The schema of the field at a path, such as `["ports", "[8080/HTTP]", "name"]`; undefined where there is none. */
export function schemaAt(schema: FieldSchema, path: readonly string[]): FieldSchema | undefined {
  let at: FieldSchema | undefined = schema;
  for (const part of path) at = at && (part.startsWith("[") ? (at.items ?? at.entries) : memberOf(at, part));
  return at;
}
