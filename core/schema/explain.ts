import { isFields, type Json, own } from "../json.ts";
import { type DocumentMistake, type Path, quote, showPath } from "../source/mistake.ts";
import type { SchemaError } from "./check.ts";
import { about, type FieldSchema } from "./field-schema.ts";
import { nearest } from "./suggest.ts";
import type { MistakeTerms } from "./terms.ts";
import { explainType } from "./types.ts";

/** An error that the schema finds as a mistake, in the terms of the author of the document. */
export function explain(error: SchemaError, document: Json, terms: MistakeTerms): DocumentMistake {
  const path = pathOf(error.instancePath, document);
  const { schema, value, member = "" } = error;
  const isSecret = terms.isSecret?.(error.instancePath) ?? false;
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
      return { path, at: "value", ...explainType(schema, value, path, terms.notation, isSecret) };
    case "additionalProperties":
      return isSecret
        ? wrong("has an unknown member", `it may have: ${Object.keys(schema.properties ?? {}).join(", ")}`)
        : explainUnknown(schema, path, member, terms);
    case "required":
      return explainMissing(schema, path, member, terms);
    case "format":
      return isSecret
        ? wrong(`is not a valid ${schema.format}`, `write another${about(schema)}`)
        : explainFormat(schema, path, String(value), terms);
    case "minimum":
    case "maximum":
      return wrong(
        `must be ${range(schema)}${isSecret ? "" : `, not ${String(value)}`}`,
        `write a number in that range${about(schema)}`,
      );
    case "minLength":
      return wrong("is empty", `write a text, or ${leaveOut(path)}`);
    case "maxLength":
      return wrong(`has more than ${schema.maxLength} characters`, "shorten it");
    case "minItems":
    case "maxItems":
      return wrong(
        `must have ${size(schema)}, not ${Array.isArray(value) ? value.length : "none"}`,
        `write ${size(schema)}, or ${leaveOut(path)}`,
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

function explainFormat(schema: FieldSchema, path: Path, text: string, terms: MistakeTerms): DocumentMistake {
  const mistake = terms.formats[schema.format ?? ""]?.mistake(text);
  return {
    path,
    at: "value",
    message: `${showPath(path)}: ${quote(text)} ${mistake?.message ?? `is not a ${schema.format}`}`,
    advice: terms.malformed?.(path) ?? mistake?.advice ?? `write another${about(schema)}`,
  };
}

function explainMissing(
  schema: FieldSchema,
  path: Path,
  member: string,
  terms: MistakeTerms,
): DocumentMistake {
  const memberSchema = own(schema.properties ?? {}, member) ?? {};
  return {
    path,
    at: "value",
    message: `${showPath([...path, member])} is missing`,
    advice: terms.missingMember?.(path, member) ?? `add ${member}${about(memberSchema)}`,
  };
}

function explainUnknown(
  schema: FieldSchema,
  path: Path,
  member: string,
  terms: MistakeTerms,
): DocumentMistake {
  const known = Object.keys(schema.properties ?? {});
  const near = nearest(member, known);
  const what =
    path.length === 0 ? `${terms.subject} has no ${terms.member}` : `${showPath(path)} has no member`;
  return {
    path: [...path, member],
    at: "key",
    // A plain text in place of an object stands for this member, which the object does not have.
    message:
      schema.short === member
        ? `${showPath(path)} states its value in plain text`
        : `${what} ${quote(member)}`,
    advice:
      terms.unknownMember?.(path, member, near) ??
      (near === undefined ? `it may have: ${known.join(", ")}` : `did you mean ${near}?`),
  };
}

/** A JSON pointer as a path; a number is an index only where the value is a list. */
function pathOf(pointer: string, document: Json): Path {
  const path: (string | number)[] = [];
  let at: Json | undefined = document;
  for (const escaped of pointer.split("/").slice(1)) {
    const part = escaped.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(at)) {
      path.push(Number(part));
      at = at[Number(part)];
    } else {
      path.push(part);
      at = isFields(at) ? own(at, part) : undefined;
    }
  }
  return path;
}
