import type { ErrorObject } from "ajv";
import { isFields, type Json, own } from "../json.ts";
import type { FieldSchema } from "./field-schema.ts";

/** A rule of a schema that a value breaks. */
export interface SchemaError {
  /** The rule: `required`. */
  keyword: string;
  /** Of the value, as a JSON pointer: `/source/image/tag`. */
  instancePath: string;
  /** The schema that has the rule, and the value that breaks it. */
  schema: FieldSchema;
  value: Json;
  /** The member that is unknown (`additionalProperties`) or missing (`required`). */
  member?: string;
}

/** A function that ajv has compiled from a schema; `npm run generate` writes them. */
export interface Compiled {
  (value: Json): boolean;
  errors?: ErrorObject[] | null;
}

/** Finds the errors in a value. */
export type Check = (value: Json) => SchemaError[];

/** The check of each subject. Its schema, which explains errors, is computed when it is first needed. */
export function checksFor<Subject>(
  compiledOf: (subject: Subject) => Compiled | undefined,
  schemaOf: (subject: Subject) => FieldSchema,
): (subject: Subject) => Check {
  const schemas = new Map<Subject, FieldSchema>();
  return (subject) => (value) => {
    const compiled = compiledOf(subject);
    if (!compiled) throw new TypeError("a schema has not been compiled: npm run generate");
    if (compiled(value)) return [];
    const schema = schemas.get(subject) ?? schemaOf(subject);
    schemas.set(subject, schema);
    return toThePoint(compiled.errors ?? []).map((error) => located(error, schema, value));
  };
}

/** A value of the wrong type also breaks other rules; those errors are left out. */
function toThePoint(errors: readonly ErrorObject[]): ErrorObject[] {
  const ofWrongType = new Set(
    errors.filter(({ keyword }) => keyword === "type").map(({ instancePath }) => instancePath),
  );
  return errors.filter(({ keyword, instancePath }) => keyword === "type" || !ofWrongType.has(instancePath));
}

function located(
  { keyword, instancePath, params }: ErrorObject,
  schema: FieldSchema,
  value: Json,
): SchemaError {
  let at = { schema, value };
  for (const escaped of instancePath.split("/").slice(1))
    at = inside(at.schema, at.value, escaped.replaceAll("~1", "/").replaceAll("~0", "~"));
  const member: unknown = params["additionalProperty"] ?? params["missingProperty"];
  return { keyword, instancePath, ...at, ...(typeof member === "string" && { member }) };
}

function inside(schema: FieldSchema, value: Json, part: string): { schema: FieldSchema; value: Json } {
  if (Array.isArray(value)) return { schema: schema.items ?? {}, value: value[Number(part)] ?? null };
  const { properties = {}, additionalProperties } = schema;
  const others = isFields(additionalProperties) ? (additionalProperties as FieldSchema) : {};
  return {
    schema: own(properties, part) ?? others,
    value: isFields(value) ? (own(value, part) ?? null) : null,
  };
}
