import { isFields, type Json } from "../../values/json.ts";
import { nearest } from "./suggest.ts";
import type { FieldSchema } from "./field-schema.ts";
import { describeValue, type Notation } from "./terms.ts";
import { quote } from "../../source/mistake.ts";

const object = "a mapping";

/** The notation of YAML, with suggestions for common typing mistakes. */
export const yamlNotation: Notation = {
  object,
  describe: (value) => describeValue(value, object),
  write(schema, value, member) {
    const write = (text: string) => `write ${typeof member === "string" ? `${member}: ` : ""}${text}`;
    if (schema.enum) {
      const near = typeof value === "string" ? nearest(value, schema.enum.map(String)) : undefined;
      return near === undefined ? undefined : write(near);
    }
    switch (schema.type) {
      case "integer":
        return isInteger(value) ? `${write(String(Number(value)))}, without quotes` : undefined;
      case "boolean": {
        const meant = typeof value === "string" ? booleans[value.toLowerCase()] : undefined;
        return meant === undefined ? undefined : write(meant);
      }
      case "array":
        // A value of a type that no element has is not an element.
        if (schema.items?.enum && !schema.items.enum.includes(value))
          return `write a list of ${schema.items.enum.join(", ")}`;
        return isScalar(value)
          ? write(`[${typeof value === "string" ? quote(value) : String(value)}]`)
          : `write a list: begin each element with "- " on a line of its own`;
      case "string":
        return writeText(value, member);
      case "object": {
        const entries = writeEntries(schema, value);
        return entries && write(entries);
      }
      default:
        return undefined;
    }
  },
  around({ type, enum: choice, properties = {} }, value) {
    if (type === "string" && !choice && ["number", "boolean"].includes(typeof value)) return ['"', '"'];
    const [number] = Object.entries(properties).find(([, inner]) => inner.type === "integer") ?? [];
    return type === "object" && number !== undefined && typeof value === "number"
      ? [`{ ${number}: `, " }"]
      : undefined;
  },
};

/** The mapping that a list of assignments means, as in `variables: [A=b]`, and one of names and values, as Kubernetes has it. */
function writeEntries({ entries }: FieldSchema, value: Json): string | undefined {
  if (!entries || !Array.isArray(value)) return undefined;
  const all = value.flatMap((one): [key: string, value: string][] => {
    const { name, key = name, value: its } = isFields(one) ? one : {};
    if (typeof key === "string" && isScalar(its ?? null)) return [[key, String(its)]];
    const [, word, rest] = /^([\w.-]+)\s*[=:]\s*(.*)$/.exec(typeof one === "string" ? one : "") ?? [];
    return word === undefined ? [] : [[word, rest ?? ""]];
  });
  // A document does not state the value of a secret, and so no message repeats it.
  const isSecret = entries.properties?.["from_env"] !== undefined;
  const written = all.map(([key, its]) => `${key}: ${isSecret ? `{ from_env: ${key} }` : textOf(its)}`);
  return all.length === 0 ? undefined : `{ ${written.join(", ")} }`;
}

/** A text, in quotes where YAML would read something else without them. */
function textOf(text: string): string {
  return /^[a-z][\w./-]*$/i.test(text) && !Object.hasOwn(booleans, text.toLowerCase()) ? text : quote(text);
}

function writeText(value: Json, member: string | number | undefined): string | undefined {
  if (typeof value === "number" || typeof value === "boolean")
    return "put quotes around it to make it a text";
  if (value !== null) return "write a single text";
  return typeof member === "number" ? 'remove the element, or write "" for an empty text' : undefined;
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
