// The inputs of examples: the one source of the programs in all languages.
import type { Fields, Json } from "../../../core/values/json.ts";
import { alternativesOf, type FieldSchema } from "../../../core/model/schema/field-schema.ts";

/** Inputs with all members that a creation needs. */
export function exampleOf(name: string, inputs: FieldSchema): Fields {
  return { ...neededIn(inputs), ...others[name] };
}

function neededIn(schema: FieldSchema): Fields {
  const { properties = {}, required = [], needs = [], needsOneOf = [], alternatives = [] } = schema;
  const declared: Fields = {};
  // Of alternatives, the first is enough.
  const [first] = needsOneOf.length > 0 ? needsOneOf : (alternatives[0] ?? []);
  const isDeclared = needsOneOf.length > 0 || required.length + needs.length === 0;
  for (const member of new Set([
    ...required,
    ...needs,
    ...(isDeclared && first !== undefined ? [first] : []),
  ])) {
    const inner = properties[member];
    const excludes = alternativesOf(schema, { [member]: true });
    const isExcluded = alternativesOf(schema, declared).some((index) => !excludes.includes(index));
    if (inner && !(isExcluded && excludes.length > 0)) declared[member] = valueOf(member, inner);
  }
  return declared;
}

function valueOf(member: string, schema: FieldSchema): Json {
  const { examples, enum: words, items, entries, properties, type, format, minimum = 1 } = schema;
  const [known = words?.[0]] = examples ?? [];
  if (known !== undefined) return known;
  if (items) return [valueOf(member, items)];
  if (entries) return { key: valueOf(member, entries) };
  if (properties) return neededIn(schema);
  if (type === "integer") return minimum;
  if (type === "boolean") return true;
  if (type === "object") return {};
  return texts[format ?? ""] ?? texts[member] ?? member;
}

const id = "3f0c5b0e-7a68-4c6e-9d3c-0d1f6a1f4a11";

const texts: Readonly<Record<string, string>> = {
  uuid: id,
  email: "ada@example.com",
  name: "example",
  cluster: "eu-west",
  explicitVersion: "1.9",
  region: "eu-west-3",
  role: "Viewer",
  scheduledAt: "0 3 * * *",
  startTime: "2026-01-01T08:00:00Z",
  stopTime: "2026-01-01T20:00:00Z",
  targetUrl: "https://example.com/hook",
  timezone: "Europe/Paris",
  version: "16",
};

/** Inputs that a rule requires beside the schema. */
const others: Readonly<Record<string, Fields>> = {
  AwsCredentials: { accessKeyId: "AKIAEXAMPLE", secretAccessKey: "secret" },
  Deployment: { services: [id] },
};
