import type { ErrorObject } from "ajv";
import { type Json, own } from "../../core/json.ts";
import type { FieldSchema, Kind } from "../../core/kinds/index.ts";
import { formatsFor } from "../../core/schema/formats.ts";
import { quote } from "../../core/source/mistake.ts";
import { about } from "../../core/schema/rules.ts";
import { nearest } from "../../core/schema/suggest.ts";
import { camelCase } from "./casing.ts";

/**
 * What the validator finds, in terms of the program.
 *
 * @param isSecret whether nothing of the value may be shown
 */
export function explain(kind: Kind, error: ErrorObject, isSecret: boolean): string {
  // The validator is told to hand over the schema and the value that it speaks of.
  const schema = (error.parentSchema ?? {}) as FieldSchema;
  const value = error.data as Json;
  const path = pathOf(error.instancePath);
  const must = (what: string, not = describe(value)): string =>
    `${path} must be ${what}${isSecret ? "" : `, not ${not}`}${about(schema)}`;

  switch (error.keyword) {
    case "type":
      // Not the value itself, which may be secret: nothing is known of it.
      return must(wanted(schema), typeOf(value));
    case "enum":
      return (
        must(wanted(schema)) + (isSecret ? "" : didYouMean(String(value), (schema.enum ?? []).map(String)))
      );
    case "additionalProperties":
      return explainUnknown(kind, schema, path, String(error.params["additionalProperty"]), isSecret);
    case "required":
      return explainMissing(schema, path, String(error.params["missingProperty"]));
    case "format":
      return isSecret
        ? `${path} is secret, and is no valid ${schema.format}${about(schema)}`
        : explainFormat(kind, schema, path, String(value));
    case "minimum":
    case "maximum":
      return must(range(schema));
    case "minLength":
      return `${path} is an empty text; give it a value, or leave it out`;
    case "minItems":
      return `${path} is an empty list; give it an element, or leave it out`;
    default:
      return `${path} ${error.message ?? "is wrong"}${about(schema)}`;
  }
}

function wanted(schema: FieldSchema): string {
  if (schema.enum) {
    const values = schema.enum.map((value) => JSON.stringify(value));
    return values.length === 1 ? String(values[0]) : `one of ${values.join(", ")}`;
  }
  switch (schema.type) {
    case "integer":
      return "a whole number";
    case "boolean":
      return "true or false";
    case "array":
      return "a list";
    case "object":
      return `an object with ${Object.keys(schema.properties ?? {}).join(", ")}`;
    default:
      return "a text";
  }
}

function range({ minimum, maximum }: FieldSchema): string {
  return maximum === undefined ? `${minimum} or more` : `from ${minimum} to ${maximum}`;
}

function describe(value: Json): string {
  return typeof value === "string" ? `the text ${quote(value)}` : String(value);
}

function typeOf(value: Json): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return "a text";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function explainUnknown(
  kind: Kind,
  schema: FieldSchema,
  path: string,
  member: string,
  isSecret: boolean,
): string {
  const known = Object.keys(schema.properties ?? {});
  // The keys of a secret object may be as secret as its values.
  if (isSecret) return `${path} has a member that is not known; it may have: ${known.join(", ")}`;
  const what =
    path === "" ? `a ${kind.name} has no input ${quote(member)}` : `${path} has no member ${quote(member)}`;
  if (path === "" && Object.keys(kind.reports).some((reported) => camelCase(reported) === member)) {
    return `${what}; leave it out: the API reports it, and it cannot be set`;
  }
  return what + (didYouMean(member, known) || `; it may have: ${known.join(", ")}`);
}

function explainMissing(schema: FieldSchema, path: string, member: string): string {
  const memberSchema = own(schema.properties ?? {}, member) ?? {};
  return `${path === "" ? "" : `${path}.`}${member} is needed${about(memberSchema)}`;
}

function explainFormat(kind: Kind, schema: FieldSchema, path: string, text: string): string {
  if (path === kind.parentMember && kind.parent) {
    return `${path}: ${quote(text)} is no id; pass the id of the ${kind.parent.name}: \`${kind.parentMember}: my${kind.parent.name}.id\``;
  }
  const fault = formatsFor(kind)[schema.format ?? ""]?.fault(text);
  return fault
    ? `${path}: ${quote(text)} ${fault.message}; ${fault.advice}`
    : `${path}: ${quote(text)} is no ${schema.format}`;
}

function didYouMean(text: string, known: string[]): string {
  const near = nearest(text, known);
  return near === undefined ? "" : `; did you mean ${near}?`;
}

/** A JSON pointer as a program would write it: `ports[0].internalPort`. */
function pathOf(pointer: string): string {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : `${index === 0 ? "" : "."}${part}`))
    .join("");
}
