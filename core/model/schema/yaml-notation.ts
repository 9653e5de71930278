import { isFields, type Json } from "../../values/json.ts";
import { nearest } from "./suggest.ts";
import type { FieldSchema, Unit } from "./field-schema.ts";
import { describeValue, type Notation } from "./mistake-words.ts";
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
        return isInteger(value)
          ? `${write(String(Number(value)))}, without quotes`
          : written(numberMeant(schema, value, member), write);
      case "boolean": {
        const meant = typeof value === "string" ? booleans[value.toLowerCase()] : undefined;
        return meant === undefined ? undefined : write(meant);
      }
      case "array":
        return (
          written(writeList(schema, value), write) ??
          `write a list: begin each element with "- " on a line of its own`
        );
      case "string":
        return writeText(schema, value, member, write);
      case "object":
        return written(writeEntries(schema, value) ?? writeElement(schema, value), write);
      default:
        return undefined;
    }
  },
  around(schema, value) {
    const { type, enum: choice } = schema;
    if (type === "string" && !choice && ["number", "boolean"].includes(typeof value)) return ['"', '"'];
    const element = typeof value === "number" ? writeElement(schema, value) : undefined;
    if (element === undefined) return undefined;
    const [before = "", after = ""] = element.split(String(value));
    return [before, after];
  },
};

function written(value: string | number | undefined, write: (text: string) => string): string | undefined {
  return value === undefined ? undefined : write(String(value));
}

/** The probable list: the words of a command line, one element, or the keys of a mapping of elements. */
function writeList({ items = {} }: FieldSchema, value: Json): string | undefined {
  if (isFields(value)) {
    const known = Object.keys(value).some(
      (member) => items.properties && Object.hasOwn(items.properties, member),
    );
    const elements = known ? [] : Object.keys(value).map((key) => writeElement(items, key));
    return elements.length > 0 && elements.every((each) => each !== undefined)
      ? `[${elements.join(", ")}]`
      : undefined;
  }
  // A value of another type than the elements is no element.
  if (items.enum && !items.enum.includes(value)) return `[${items.enum.join(", ")}]`;
  if (items.type === "object") return written(writeElement(items, value), (text) => `[${text}]`);
  if (!isScalar(value)) return undefined;
  const words = String(value).match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  return typeof value === "string"
    ? `[${words.map((word) => quote(word.replaceAll(/^(["'])(.*)\1$/g, "$2"))).join(", ")}]`
    : `[${String(value)}]`;
}

/** The probable element of a number, with its required members: `8080`, and `"8080:80"` as in compose. */
function writeElement({ type, properties = {}, needs = [] }: FieldSchema, value: Json): string | undefined {
  const [number] = Object.entries(properties).find(([, inner]) => inner.type === "integer") ?? [];
  const [, digits] = /^(?:\d+:)*(\d+)(?:\/\w+)?$/.exec(isScalar(value) ? String(value) : "") ?? [];
  if (type !== "object" || number === undefined || digits === undefined) return undefined;
  const others = needs.filter((member) => member !== number && properties[member]?.type === "boolean");
  return `{ ${[`${number}: ${digits}`, ...others.map((member) => `${member}: false`)].join(", ")} }`;
}

/** The probable mapping of a list of assignments or names, of names and values as in Kubernetes, or of a text. */
function writeEntries({ entries }: FieldSchema, value: Json): string | undefined {
  if (!entries || isFields(value) || value === null) return undefined;
  const list = Array.isArray(value) ? value : [value];
  // A document does not contain the value of a secret, so no message repeats one.
  const isSecret = entries.properties?.["from_env"] !== undefined;
  const entryOf = (key: string, text: string | undefined) => {
    if (isSecret) return `{ from_env: ${key} }`;
    return text === undefined ? (entries.type === "object" ? "{}" : '""') : textOf(text);
  };
  const all = list.map((one): string | undefined => {
    const { name, key = name, value: its } = isFields(one) ? one : {};
    if (typeof key === "string" && isScalar(its ?? null)) return `${key}: ${entryOf(key, String(its))}`;
    const [, word, text] = /^([\w.-]+)(?:\s*[=:]\s*(.*))?$/.exec(typeof one === "string" ? one : "") ?? [];
    // A word alone may be the secret itself.
    if (isSecret && text === undefined) return "KEY: { from_env: KEY }";
    return word === undefined ? undefined : `${word}: ${entryOf(word, text)}`;
  });
  return all.length > 0 && all.every((each) => each !== undefined) ? `{ ${all.join(", ")} }` : undefined;
}

/** A text, in quotes where YAML needs them. */
function textOf(text: string): string {
  return /^[a-z][\w./-]*$/i.test(text) && !Object.hasOwn(booleans, text.toLowerCase()) ? text : quote(text);
}

function writeText(
  { restIn }: FieldSchema,
  value: Json,
  member: string | number | undefined,
  write: (text: string) => string,
): string | undefined {
  if (typeof value === "number" || typeof value === "boolean")
    return "put quotes around it to make it a text";
  const [first, ...others] = Array.isArray(value) ? value : isFields(value) ? Object.values(value) : [];
  if (typeof first === "string" && (others.length === 0 || restIn !== undefined)) {
    const rest =
      others.length === 0 ? "" : `, and ${restIn}: [${others.map((each) => quote(String(each))).join(", ")}]`;
    return write(textOf(first)) + rest;
  }
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

/** The factors of other units of a field. Multiples of bytes are binary: `1G` is `1Gi`. */
const scales: Record<Unit | "seconds" | "minutes", Readonly<Record<string, number>>> = {
  millicores: { "": 1000, m: 1, millicores: 1, core: 1000, cores: 1000, vcpu: 1000, cpu: 1000 },
  MB: { k: 1 / 1024, m: 1, g: 1024, t: 1024 ** 2 },
  GB: { m: 1 / 1024, g: 1, t: 1024 },
  GiB: { m: 1 / 1024, g: 1, t: 1024 },
  seconds: { ms: 1 / 1000, s: 1, sec: 1, second: 1, seconds: 1, m: 60, min: 60, h: 3600, d: 86_400 },
  minutes: { s: 1 / 60, m: 1, min: 1, h: 60, d: 1440 },
};

const ofBytes: ReadonlySet<string> = new Set(["MB", "GB", "GiB"]);

/** The whole number of a value with a unit: `512Mi`, `"500m"`, `0.5` of a CPU, `30s`. Undefined for other values. */
function numberMeant(
  { type, unit, minimum = 0 }: FieldSchema,
  value: Json,
  member: string | number | undefined,
): number | undefined {
  const own = unit ?? unitOf(String(member));
  if (type !== "integer" || !own || (typeof value !== "string" && typeof value !== "number"))
    return undefined;
  const [, amount = "", given = ""] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(String(value).trim()) ?? [];
  if (amount === "") return undefined;
  // Bytes have many spellings: Mi, MiB, MB, M, m.
  const spelled = ofBytes.has(own)
    ? given.toLowerCase().replace(/(?<=[kmgt])i?b?$/, "")
    : given.toLowerCase();
  const scale = Object.hasOwn(scales[own], spelled) ? scales[own][spelled] : undefined;
  if (scale === undefined) return undefined;
  return Math.max(minimum, Math.ceil(Number(amount) * scale));
}

/** The unit at the end of a field's name: `period_seconds`. */
function unitOf(member: string): keyof typeof scales | undefined {
  const [, unit] = /_(sec|seconds|minutes|gib)$/.exec(member) ?? [];
  if (unit === "sec" || unit === "seconds") return "seconds";
  return unit === "gib" ? "GiB" : unit === "minutes" ? "minutes" : undefined;
}
