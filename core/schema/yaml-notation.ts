import type { Json } from "../json.ts";
import { nearest } from "./suggest.ts";
import type { FieldSchema } from "./field-schema.ts";
import { describeValue, type Notation } from "./terms.ts";
import { quote } from "../source/mistake.ts";

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
      case "object":
        return writeObject(schema, value, write);
      default:
        return undefined;
    }
  },
};

/** Members for a number alone, as in `ports: [8080]`, and for a list of assignments, as in `variables: [A=b]`. */
function writeObject(
  { properties = {}, entries }: FieldSchema,
  value: Json,
  write: (text: string) => string,
): string | undefined {
  if (typeof value === "number") {
    const [number] = Object.entries(properties).find(([, { type }]) => type === "integer") ?? [];
    return number === undefined ? undefined : write(`{ ${number}: ${value} }`);
  }
  if (!entries || !Array.isArray(value)) return undefined;
  const keys = value.flatMap((one) =>
    typeof one === "string" ? (/^(\w+)\s*[=:]/.exec(one)?.[1] ?? []) : [],
  );
  return keys.length === 0 ? undefined : write(`{ ${keys.map((key) => `${key}: VALUE`).join(", ")} }`);
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
