import { mapValues } from "../../values/json.ts";
import type { FieldSchema } from "./field-schema.ts";
import type { Formats } from "./format.ts";

export function forEditors(schema: FieldSchema, formats: Formats): object {
  const { type, description, properties, required, entries, items, keys, format } = schema;
  const { additionalProperties: others, minLength, minItems, maxItems, minimum, maximum } = schema;
  const inner = (each: FieldSchema) => forEditors(each, formats);
  return {
    type,
    ...(description !== undefined && { description: description.replaceAll("`", "") }),
    ...(schema.enum && { enum: schema.enum }),
    ...Object.fromEntries(
      Object.entries({ minLength, minItems, maxItems, minimum, maximum }).filter(
        ([, limit]) => limit !== undefined,
      ),
    ),
    ...(format !== undefined && formats[format]?.editor),
    ...(properties && {
      properties: mapValues(properties, inner),
      ...(required && { required }),
      additionalProperties: false,
    }),
    ...(items && { items: inner(items) }),
    ...(!entries && typeof others === "object" && { additionalProperties: inner(others) }),
    ...(entries && {
      ...(keys && { propertyNames: { pattern: keys.pattern } }),
      additionalProperties: inner(entries),
    }),
  };
}
