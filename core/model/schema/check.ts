import type { ErrorObject } from "ajv";
import { isFields, type Json, once, own } from "../../values/json.ts";
import type { Path } from "../../source/mistake.ts";
import type { FieldSchema } from "./field-schema.ts";
import type { Format, Formats } from "./format.ts";

/** A violated rule of a schema. */
export interface SchemaError {
  /** The rule: `required`. */
  keyword: string;
  /** A JSON pointer to the value: `/source/image/tag`. */
  instancePath: string;
  /** The same as a path, where a number is the index of an element. */
  path: Path;
  /** The schema with the rule, and the value. */
  schema: FieldSchema;
  value: Json;
  isRequired: boolean;
  /** The unknown (`additionalProperties`) or missing (`required`) member. */
  member?: string;
}

export type Check = (value: Json) => SchemaError[];

/** The code that ajv has made of a schema; it needs the rules of the schema's formats. */
export type CompiledCheck = (rules: Readonly<Record<string, Format["rule"]>>) => {
  (value: Json): boolean;
  errors?: ErrorObject[] | null;
};

/** A schema with the code that ajv has made of it (`tools/checks.ts`), and its formats. */
export interface CheckedSchema {
  made: CompiledCheck | undefined;
  /** Needed only for errors. */
  schema: () => FieldSchema;
  formats: Formats;
}

export function checkFor({ made, schema, formats }: CheckedSchema): Check {
  if (!made) throw new TypeError("there is no check of this schema: npm run build makes it");
  const rules = Object.entries(formats).map(([name, { rule }]) => [name, rule] as const);
  const validate = made(Object.fromEntries(rules));
  return (value) => (validate(value) ? [] : errorsIn(validate.errors ?? [], value, schema()));
}

/** The check of each subject, by a key. A subject is prepared on first use: few kinds occur in a run. */
export function checksFor<Key extends object>(subjectOf: (key: Key) => CheckedSchema): (key: Key) => Check {
  return once((key: Key) => checkFor(subjectOf(key)));
}

function errorsIn(errors: readonly ErrorObject[], value: Json, schema: FieldSchema): SchemaError[] {
  // A value of the wrong type breaks other rules too, but that is one mistake.
  const ofType = new Set(
    errors.flatMap(({ keyword, instancePath }) => (keyword === "type" ? [instancePath] : [])),
  );
  return errors
    .filter(({ keyword, instancePath }) => keyword === "type" || !ofType.has(instancePath))
    .map(({ keyword, instancePath, params }) => {
      const member = params["additionalProperty"] ?? params["missingProperty"];
      return {
        keyword,
        instancePath,
        ...placeIn(value, schema, instancePath),
        ...(typeof member === "string" && { member }),
      };
    });
}

type Place = Pick<SchemaError, "path" | "value" | "schema" | "isRequired">;

function placeIn(value: Json, schema: FieldSchema, pointer: string): Place {
  let place: Place = { path: [], value, schema, isRequired: true };
  for (const escaped of pointer.split("/").slice(1)) {
    const part = escaped.replaceAll("~1", "/").replaceAll("~0", "~");
    place = inside(place, part);
  }
  return place;
}

function inside({ path, value, schema }: Place, part: string): Place {
  if (Array.isArray(value)) {
    const index = Number(part);
    const items = schema.items ?? {};
    return { path: [...path, index], value: value[index] ?? null, schema: items, isRequired: false };
  }
  const { properties = {}, required = [], additionalProperties } = schema;
  const others = typeof additionalProperties === "object" ? additionalProperties : {};
  return {
    path: [...path, part],
    value: (isFields(value) ? own(value, part) : undefined) ?? null,
    schema: own(properties, part) ?? others,
    isRequired: required.includes(part),
  };
}
