import { type FieldSchema, type Kind, kinds } from "../kinds/index.ts";
import { documentSchema } from "./document-schema.ts";
import { formatsFor } from "./formats.ts";
import { defaultsKind, everyKind, scopeKinds } from "./validate-defaults.ts";

/** JSON Schema. */
interface JsonSchema {
  [keyword: string]: unknown;
}

// yaml-language-server, which most editors use, supports this draft best.
const dialect = "http://json-schema.org/draft-07/schema#";

/**
 * The JSON Schema (draft-07) of the documents of a kind, for editors: the checks of infrasync, as far as JSON Schema
 * can express them, with null where it resets a field.
 */
export function manifestSchema(kind: Kind): object {
  return { $schema: dialect, title: `infrasync: ${kind.name}`, ...documentForEditors(kind) };
}

/** The JSON Schema of documents of any kind. */
export function anyManifestSchema(): object {
  return {
    $schema: dialect,
    title: "infrasync: manifest",
    type: "object",
    required: ["kind"],
    properties: {
      kind: {
        enum: [...kinds.map(({ name }) => name), defaultsKind],
        description:
          "Kind of the resource; `Defaults` for fields of all resources in a project or an environment.",
      },
    },
    defaultSnippets: kinds.map(snippetOf),
    allOf: [
      ...kinds.map(({ name }) => whereIs("kind", name, { $ref: `#/definitions/${name}` })),
      whereIs("kind", defaultsKind, { $ref: `#/definitions/${defaultsKind}` }),
    ],
    definitions: {
      ...Object.fromEntries(kinds.map((kind) => [kind.name, documentForEditors(kind)])),
      [defaultsKind]: defaultsForEditors(),
    },
  };
}

/** What an editor offers in an empty document: the members that every document of the kind needs. */
function snippetOf(kind: Kind): JsonSchema {
  const { required = [] } = documentSchema(kind);
  const members = required.map((member, index) => [member, member === "kind" ? kind.name : `$${index}`]);
  return { label: kind.name, description: kind.description, body: Object.fromEntries(members) };
}

function whereIs(member: string, value: string, schema: JsonSchema): JsonSchema {
  // oxlint-disable-next-line unicorn/no-thenable
  return { if: { properties: { [member]: { const: value } }, required: [member] }, then: schema };
}

/** Defaults for a kind have the fields of its documents. */
function defaultsForEditors(): JsonSchema {
  const inside = kinds.filter(({ parent }) => parent !== undefined);
  return {
    description:
      "Fields for all resources inside a project or an environment. What a resource states itself wins.",
    type: "object",
    properties: {
      kind: { const: defaultsKind },
      for: {
        enum: [...inside.map(({ name }) => name), everyKind],
        description: "Kind of the resources, or `*` for every kind, each as far as it has the fields.",
      },
      ...Object.fromEntries(
        scopeKinds.map(({ slug, name }) => [
          slug,
          { type: "string", description: `The ${name} that the resources are in.` },
        ]),
      ),
    },
    required: ["for"],
    oneOf: scopeKinds.map(({ slug }) => ({ required: [slug] })),
    allOf: inside.map((kind) => whereIs("for", kind.name, { properties: fieldsForEditors(kind) })),
  };
}

function fieldsForEditors(kind: Kind): JsonSchema {
  const properties = documentForEditors(kind)["properties"] as JsonSchema;
  const fields = Object.keys(kind.fields.properties ?? {});
  return Object.fromEntries(fields.map((member) => [member, properties[member]]));
}

function documentForEditors(kind: Kind): JsonSchema {
  const formats = formatsFor(kind);
  const convert = (schema: FieldSchema, nullable: boolean): JsonSchema => ({
    ...described(schema),
    ...values(schema, nullable),
    ...(schema.format !== undefined && formats[schema.format]?.editor),
    ...(schema.items && {
      items: convert(schema.items, false),
      ...(schema.set?.length === 0 && { uniqueItems: true }),
    }),
    ...(schema.properties && !schema.opaque && members(schema, schema.properties)),
    ...(schema.entries && entries(schema, schema.entries)),
    ...(!schema.entries &&
      typeof schema.additionalProperties === "object" && {
        additionalProperties: convert(schema.additionalProperties, false),
      }),
  });
  const entries = ({ keys }: FieldSchema, entry: FieldSchema): JsonSchema => ({
    ...(keys && {
      propertyNames: { pattern: keys.pattern, patternErrorMessage: `This ${keys.message}: ${keys.advice}.` },
    }),
    additionalProperties: {
      ...convert(entry, true),
      ...(entry.short !== undefined && { type: ["object", "string", "null"] }),
    },
  });
  const members = (parent: FieldSchema, properties: Record<string, FieldSchema>): JsonSchema => {
    const { required = [] } = parent;
    return {
      properties: Object.fromEntries(
        Object.entries(properties).map(([member, schema]) => [
          member,
          convert(schema, schema.resettable !== false && !required.includes(member)),
        ]),
      ),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
      ...exclusions(parent, properties),
    };
  };
  return convert(documentSchema(kind), false);
}

/** The description of a field, twice: editors render the second as Markdown. */
function described({ description, immutable }: FieldSchema): JsonSchema {
  const text = [description, immutable === undefined ? undefined : `Fixed: ${immutable}.`]
    .filter(Boolean)
    .join(" ");
  if (text === "") return {};
  return text.includes("`")
    ? { description: text.replaceAll("`", ""), markdownDescription: text }
    : { description: text };
}

const asTheyAre = [
  "default",
  "examples",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
] as const;

function values(schema: FieldSchema, nullable: boolean): JsonSchema {
  return {
    ...(schema.type !== undefined && { type: nullable ? [schema.type, "null"] : schema.type }),
    ...(schema.enum && { enum: nullable ? [...schema.enum, null] : schema.enum }),
    ...Object.fromEntries(
      asTheyAre.filter((keyword) => keyword in schema).map((keyword) => [keyword, schema[keyword]]),
    ),
  };
}

/** Pairs of members of different alternatives, which must not both have a value. */
function exclusions({ alternatives = [] }: FieldSchema, properties: Record<string, FieldSchema>): JsonSchema {
  const typed = (member: string) => [member, { type: properties[member]?.type }];
  const pairs = alternatives.flatMap((group, index) =>
    alternatives
      .slice(index + 1)
      .flatMap((others) => group.flatMap((left) => others.map((right) => [left, right]))),
  );
  return pairs.length === 0
    ? {}
    : {
        allOf: pairs.map((pair) => ({
          not: { type: "object", required: pair, properties: Object.fromEntries(pair.map(typed)) },
        })),
      };
}
