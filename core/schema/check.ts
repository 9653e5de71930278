import { isFields, type Json, once } from "../json.ts";
import type { FieldSchema } from "./field-schema.ts";
import type { Formats } from "./formats.ts";

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

/** Finds the errors in a value. */
export type Check = (value: Json) => SchemaError[];

/** A schema, and the formats that it names. */
export interface Subject {
  schema: FieldSchema;
  formats: Formats;
}

/** The check of a subject. */
export function checkFor({ schema, formats }: Subject): Check {
  return (value) => {
    const visit = new Visit(formats);
    visit.value(value, schema);
    return visit.errors;
  };
}

/** The check of each subject, by a key. A subject is prepared when it is first needed: few kinds occur in a run. */
export function checksFor<Key extends object>(subjectOf: (key: Key) => Subject): (key: Key) => Check {
  return once((key: Key) => checkFor(subjectOf(key)));
}

/**
 * A walk through a value beside its schema. It knows the rules of JSON Schema that a `FieldSchema` can have, and finds the errors that
 * ajv finds, in its order; a property test compares the two. ajv itself turns a schema into code, which takes longer than a whole small
 * plan, and the code of all kinds is five times as long as the rest of what a plan loads.
 */
class Visit {
  readonly errors: SchemaError[] = [];
  readonly #formats: Formats;
  /** Where the walk is. */
  readonly #path: (string | number)[] = [];

  constructor(formats: Formats) {
    this.#formats = formats;
  }

  value(value: Json, schema: FieldSchema): void {
    // A value of the wrong type breaks other rules too, but that is one mistake.
    if (!isOfType(value, schema.type)) return this.#add("type", value, schema);
    if (schema.enum?.includes(value) === false) this.#add("enum", value, schema);
    if (typeof value === "number") this.#number(value, schema);
    else if (typeof value === "string") this.#text(value, schema);
    if (Array.isArray(value)) this.#list(value, schema);
    else if (isFields(value)) this.#object(value, schema);
  }

  #number(value: number, schema: FieldSchema): void {
    if (value > (schema.maximum ?? Infinity)) this.#add("maximum", value, schema);
    if (value < (schema.minimum ?? -Infinity)) this.#add("minimum", value, schema);
  }

  #text(value: string, schema: FieldSchema): void {
    const { maxLength = Infinity, minLength = 0, format } = schema;
    if (value.length > maxLength && lengthOf(value) > maxLength) this.#add("maxLength", value, schema);
    if (value.length < 2 * minLength && lengthOf(value) < minLength) this.#add("minLength", value, schema);
    if (format === undefined) return;
    const known = this.#formats[format];
    if (!known) throw new TypeError(`a schema names the format ${format}, which is unknown`);
    if (!known.rule(value)) this.#add("format", value, schema);
  }

  #list(value: readonly Json[], schema: FieldSchema): void {
    const { maxItems = Infinity, minItems = 0, items } = schema;
    if (value.length > maxItems) this.#add("maxItems", value as Json, schema);
    if (value.length < minItems) this.#add("minItems", value as Json, schema);
    if (items) for (const [index, element] of value.entries()) this.#inside(index, element, items);
  }

  #object(value: { [member: string]: Json }, schema: FieldSchema): void {
    const { required = [], additionalProperties = true, properties = {} } = schema;
    for (const member of required)
      if (!Object.hasOwn(value, member)) this.#add("required", value, schema, member);
    if (additionalProperties !== true)
      for (const member of Object.keys(value)) {
        if (Object.hasOwn(properties, member)) continue;
        if (additionalProperties === false) this.#add("additionalProperties", value, schema, member);
        else this.#inside(member, value[member] as Json, additionalProperties);
      }
    for (const member of Object.keys(properties))
      if (Object.hasOwn(value, member))
        this.#inside(member, value[member] as Json, properties[member] as FieldSchema);
  }

  #inside(part: string | number, value: Json, schema: FieldSchema): void {
    this.#path.push(part);
    this.value(value, schema);
    this.#path.pop();
  }

  #add(keyword: string, value: Json, schema: FieldSchema, member?: string): void {
    const pointer = this.#path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`);
    this.errors.push({
      keyword,
      instancePath: pointer.join(""),
      schema,
      value,
      ...(member !== undefined && { member }),
    });
  }
}

function isOfType(value: Json, type: FieldSchema["type"]): boolean {
  switch (type) {
    case undefined:
      return true;
    case "integer":
      return Number.isInteger(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return isFields(value);
    default:
      return typeof value === type;
  }
}

/** In characters, as JSON Schema counts. */
const lengthOf = (text: string): number => Array.from(text).length;
