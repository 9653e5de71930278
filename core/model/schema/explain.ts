import { type Json, own, valueAt } from "../../values/json.ts";
import {
  credentialInWord,
  valueMembers,
  withoutCredentialsIn,
} from "../../redaction/credentials-in-values.ts";
import { type DocumentMistake, type Path, quote, showPath, type Mistake } from "../../source/mistake.ts";
import type { SchemaError } from "./check.ts";
import { about, type FieldSchema } from "./field-schema.ts";
import { adviceOnName, nearest } from "./suggest.ts";
import type { MistakeWords, Notation } from "./mistake-words.ts";

/** The mistake of a value of the wrong type, or outside an enumeration, without secrets and credentials. */
function explainType(
  schema: FieldSchema,
  { value, shown }: { value: Json; shown: Json },
  path: Path,
  { notation, isBrief = false }: MistakeWords,
  isSecret: boolean,
): Mistake {
  const label = showPath(path);
  // The message has the list of allowed values, so the text alone is clear.
  const given = schema.enum && typeof shown === "string" ? quote(shown) : notation.describe(shown);
  const allowed = desired(schema, notation);
  const message =
    value === null
      ? `${label} has no value`
      : `${label} must be ${allowed}${isSecret ? "" : `, not ${given}`}`;
  const near =
    isSecret || typeof shown !== "string" ? undefined : nearest(shown, schema.enum?.map(String) ?? []);
  const remark = schema.enum || schema.type === "boolean" ? "" : about(schema);
  const repeatsMessage = near === undefined && value !== null && schema.type !== "object";
  if (isBrief && repeatsMessage) return { message: `${message}${remark}`, advice: "" };
  const example = typeof schema.default === "number" ? `, such as ${schema.default}` : "";
  const general =
    schema.type === "object"
      ? `write its members${membersOf(schema)}`
      : `write ${allowed}${example}${remark}`;
  const mayRepeat = !isSecret && shown === value;
  const sample = !isSecret && schema.type === "array" ? "--flag value" : undefined;
  const repeated = mayRepeat ? value : sample;
  const around = mayRepeat ? notation.around?.(schema, value) : undefined;
  return {
    message,
    advice:
      (repeated === undefined ? undefined : notation.write(schema, repeated, path.at(-1))) ??
      (near === undefined ? general : `did you mean ${near}?`),
    ...(around && { around }),
    ...(shown !== value && { hidesLine: true }),
  };
}

function membersOf(schema: FieldSchema): string {
  return schema.properties ? `: ${Object.keys(schema.properties).join(", ")}` : about(schema);
}

/** A value of a document without its credentials, found by their form, their names, and the words before them. */
function shownAt(document: Json, path: Path, value: Json, schema: FieldSchema): Json {
  if (schema.reference || schema.sibling) return value;
  const name = path.findLast((part): part is string => typeof part === "string" && !valueMembers.has(part));
  const list = valueAt(document, path.slice(0, -1));
  const word =
    Array.isArray(list) && typeof value !== "object"
      ? credentialInWord(list, Number(path.at(-1)), undefined)
      : undefined;
  return word?.shown ?? withoutCredentialsIn(value, name);
}

function desired(schema: FieldSchema, notation: Notation): string {
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

export function explain(error: SchemaError, document: Json, words: MistakeWords): DocumentMistake {
  const { path, schema, value, isRequired, member = "" } = error;
  const orLeaveOut = isRequired ? "" : `, or ${leaveOut(path)}`;
  const isSecret = schema.mayHoldToken ?? words.isSecret?.(error.instancePath) ?? false;
  const shown = () => shownAt(document, path, value, schema);
  const label = showPath(path);
  const wrong = (message: string, advice: string, at: DocumentMistake["at"] = "value"): DocumentMistake => ({
    path,
    at,
    message: `${label} ${message}`,
    advice,
  });

  switch (error.keyword) {
    case "type":
    case "enum":
      return { path, at: "value", ...explainType(schema, { value, shown: shown() }, path, words, isSecret) };
    case "additionalProperties":
      return isSecret
        ? wrong("has an unknown member", `it may have: ${Object.keys(schema.properties ?? {}).join(", ")}`)
        : explainUnknown(schema, path, member, words);
    case "required":
      return explainMissing(schema, path, member, words);
    case "format":
      return isSecret
        ? wrong(`is not a valid ${schema.format}`, `write another${about(schema)}`)
        : explainFormat(schema, path, { text: String(value), shown: String(shown()) }, words);
    case "minimum":
    case "maximum":
      return wrong(
        `must be ${range(schema)}${isSecret ? "" : `, not ${String(shown())}`}`,
        `write a number in that range${about(schema)}`,
      );
    case "minLength":
      return wrong("is empty", `write a text${orLeaveOut}`);
    case "maxLength":
      return wrong(`has more than ${schema.maxLength} characters`, "shorten it");
    case "minItems":
    case "maxItems":
      return wrong(
        `must have ${size(schema)}, not ${Array.isArray(value) ? value.length : "none"}`,
        `write ${size(schema)}${orLeaveOut}`,
        "key",
      );
    default:
      return wrong("is wrong", `check it against the documentation${about(schema)}`);
  }
}

function range({ minimum, maximum }: FieldSchema): string {
  if (maximum === undefined) return `${minimum} or more`;
  return minimum === undefined ? `${maximum} or less` : `from ${minimum} to ${maximum}`;
}

function size({ minItems, maxItems }: FieldSchema): string {
  const elements = (count: number) => `${count} ${count === 1 ? "element" : "elements"}`;
  if (minItems === maxItems) return elements(minItems ?? 0);
  return maxItems === undefined ? `at least ${elements(minItems ?? 0)}` : `at most ${elements(maxItems)}`;
}

function leaveOut(path: Path): string {
  return typeof path.at(-1) === "number" ? "remove the element" : "leave the field out";
}

function explainFormat(
  schema: FieldSchema,
  path: Path,
  { text, shown }: { text: string; shown: string },
  words: MistakeWords,
): DocumentMistake {
  const mistake = words.formats[schema.format ?? ""]?.mistake(text);
  return {
    path,
    at: "value",
    message: `${showPath(path)}: ${quote(shown)} ${mistake?.message ?? `is not a ${schema.format}`}`,
    advice: words.malformed?.(path) ?? mistake?.advice ?? `write another${about(schema)}`,
  };
}

function explainMissing(
  schema: FieldSchema,
  path: Path,
  member: string,
  words: MistakeWords,
): DocumentMistake {
  const message = `${showPath([...path, member])} is missing`;
  const remark = about(own(schema.properties ?? {}, member) ?? {});
  const advice = words.missingMember?.(path, member);
  if (words.isBrief && advice === undefined)
    return { path, at: "value", message: `${message}${remark}`, advice: "" };
  return { path, at: "value", message, advice: advice ?? `add ${member}${remark}` };
}

function explainUnknown(
  schema: FieldSchema,
  path: Path,
  member: string,
  words: MistakeWords,
): DocumentMistake {
  const known = Object.keys(schema.properties ?? {});
  const near = nearest(member, known);
  const what =
    path.length === 0 ? `${words.subject} has no ${words.member}` : `${showPath(path)} has no member`;
  return {
    path: [...path, member],
    at: "key",
    // A plain text in place of an object stands for this member.
    message:
      schema.short === member ? `${showPath(path)} has its value in plain text` : `${what} ${quote(member)}`,
    advice: words.unknownMember?.(path, member, near) ?? adviceOnName(member, known, "it may have"),
  };
}
