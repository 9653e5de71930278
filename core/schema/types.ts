import type { Json } from "../json.ts";
import { type Mistake, type Path, quote, showPath } from "../source/mistake.ts";
import { about, type FieldSchema } from "./field-schema.ts";
import { nearest } from "./suggest.ts";
import type { Notation } from "./terms.ts";

/** The mistake of a value that has the wrong type or is not in an enumeration; a secret is not shown. */
export function explainType(
  schema: FieldSchema,
  value: Json,
  path: Path,
  notation: Notation,
  isSecret: boolean,
): Mistake {
  const label = showPath(path);
  // With the list of allowed values in the message, the text alone is clear.
  const given = schema.enum && typeof value === "string" ? quote(value) : notation.describe(value);
  const general = generalAdvice(schema, isSecret ? undefined : value);
  return {
    message:
      value === null
        ? `${label} has no value`
        : `${label} must be ${wanted(schema, notation)}${isSecret ? "" : `, not ${given}`}`,
    advice: isSecret ? general : (notation.write(schema, value, path.at(-1)) ?? general),
  };
}

function wanted(schema: FieldSchema, notation: Notation): string {
  if (schema.enum) return schema.enum.length === 1 ? String(schema.enum[0]) : oneOf(schema.enum);
  switch (schema.type) {
    case "integer":
      return "a whole number";
    case "boolean":
      return "true or false";
    case "array":
      return "a list";
    case "object":
      return notation.object;
    default:
      return "a text";
  }
}

const oneOf = (values: readonly Json[]) => `one of ${values.join(", ")}`;

function generalAdvice(schema: FieldSchema, value: Json | undefined): string {
  if (schema.enum) {
    const near = typeof value === "string" ? nearest(value, schema.enum.map(String)) : undefined;
    if (near !== undefined) return `did you mean ${near}?`;
    return schema.enum.length === 1 ? `write ${String(schema.enum[0])}` : `write ${oneOf(schema.enum)}`;
  }
  switch (schema.type) {
    case "integer":
      return `write a whole number${about(schema)}`;
    case "boolean":
      return "write true or false";
    case "array":
      return `write a list${about(schema)}`;
    case "object":
      return schema.properties
        ? `write its members: ${Object.keys(schema.properties).join(", ")}`
        : `write its members${about(schema)}`;
    default:
      return `write a text${about(schema)}`;
  }
}
