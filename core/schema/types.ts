import type { Json } from "../json.ts";
import type { FieldSchema } from "../kinds/index.ts";
import { type Fault, type Path, quote, showPath } from "../source/mistake.ts";
import { about } from "./rules.ts";
import { nearest } from "./suggest.ts";

/** What is wrong with a value of the wrong type, or that is none of the values of an enumeration. */
export function explainType(schema: FieldSchema, value: Json, path: Path): Fault {
  const label = showPath(path);
  return {
    message:
      value === null ? `${label} has no value` : `${label} is ${describe(value)}, not ${wanted(schema)}`,
    advice: adviceFor(schema, value, path),
  };
}

function describe(value: Json): string {
  if (Array.isArray(value)) return "a list";
  switch (typeof value) {
    case "string":
      return `the text ${quote(value)}`;
    case "number":
      return `the number ${value}`;
    case "boolean":
      return String(value);
    default:
      return value === null ? "null" : "a mapping";
  }
}

function wanted(schema: FieldSchema): string {
  if (schema.enum)
    return schema.enum.length === 1 ? String(schema.enum[0]) : `one of ${schema.enum.join(", ")}`;
  switch (schema.type) {
    case "integer":
      return "an integer";
    case "boolean":
      return "true or false";
    case "array":
      return "a list";
    case "object":
      return "a mapping";
    default:
      return "a text";
  }
}

function adviceFor(schema: FieldSchema, value: Json, path: Path): string {
  const member = path.at(-1);
  const write = (text: string) => `write ${typeof member === "string" ? `${member}: ` : ""}${text}`;
  if (schema.enum) {
    const values = schema.enum.map(String);
    const near = typeof value === "string" ? nearest(value, values) : undefined;
    return near === undefined
      ? `write ${values.length === 1 ? "" : "one of "}${values.join(", ")}`
      : write(near);
  }
  switch (schema.type) {
    case "integer":
      return isInteger(value)
        ? `${write(String(Number(value)))}, without quotes`
        : `write an integer${about(schema)}`;
    case "boolean": {
      const meant = typeof value === "string" ? booleans[value.toLowerCase()] : undefined;
      return meant === undefined ? "write true or false" : write(meant);
    }
    case "array":
      return isScalar(value)
        ? `${write(`[${listed(value)}]`)}`
        : `write a list: each element on a line that begins with "- "`;
    case "object":
      return `write its members: ${Object.keys(schema.properties ?? {}).join(", ")}`;
    default:
      return textAdvice(schema, value, member);
  }
}

function textAdvice(schema: FieldSchema, value: Json, member: string | number | undefined): string {
  if (typeof value === "number" || typeof value === "boolean")
    return "put quotes around it, so that it is a text";
  if (value !== null) return "write a single text";
  return typeof member === "number"
    ? 'take the element out, or write "" for an empty text'
    : `write a text${about(schema)}`;
}

const booleans: Record<string, string> = {
  true: "true",
  yes: "true",
  on: "true",
  y: "true",
  false: "false",
  no: "false",
  off: "false",
  n: "false",
};

const isInteger = (value: Json) => typeof value === "string" && /^[+-]?\d{1,15}$/.test(value);

const isScalar = (value: Json) => value !== null && typeof value !== "object";

const listed = (value: Json) => (typeof value === "string" ? quote(value) : String(value));
