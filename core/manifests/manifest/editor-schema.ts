import { type FieldSchema, type Kind, kinds } from "../../model/kinds/index.ts";
import { mapValues } from "../../values/json.ts";
import { documentSchema } from "./document-schema.ts";
import { formatsFor } from "./formats.ts";
import { templateKind } from "../../source/document.ts";
import { templateSchema, useSchema } from "./template-schema.ts";
import { defaultsKind, everyKind, managedOfOne, scopeKinds } from "./validate-defaults.ts";

interface JsonSchema {
  [keyword: string]: unknown;
}

// yaml-language-server, which most editors use, supports this draft best.
const dialect = "http://json-schema.org/draft-07/schema#";

/** The JSON Schema of the documents of a kind, for editors: the checks that it can express, and null where it resets. */
export function manifestSchema(kind: Kind): object {
  return { $schema: dialect, title: `infrasync: ${kind.name}`, ...documentForEditors(kind) };
}

export function defaultsManifestSchema(): object {
  return { $schema: dialect, title: `infrasync: ${defaultsKind}`, ...defaultsForEditors() };
}

export function templateManifestSchema(): object {
  return { $schema: dialect, title: `infrasync: ${templateKind}`, ...templateSchema };
}

/** The JSON Schema of documents of any kind. */
export function anyManifestSchema(): object {
  return {
    $schema: dialect,
    title: "infrasync: manifest",
    type: "object",
    properties: {
      kind: {
        enum: [...kinds.map(({ name }) => name), defaultsKind, templateKind],
        description:
          "Kind of the resource; `Defaults` for fields of all resources in a project or an environment; `Template` for documents with parameters.",
      },
    },
    if: { required: ["from"], not: { required: ["kind"] } },
    // oxlint-disable-next-line unicorn/no-thenable
    then: { $ref: "#/definitions/from" },
    else: { required: ["kind"] },
    defaultSnippets: kinds.map(snippetOf),
    allOf: [
      ...kinds.map(({ name }) => whereIs("kind", name, { $ref: `#/definitions/${name}` })),
      ...[defaultsKind, templateKind].map((name) => whereIs("kind", name, { $ref: `#/definitions/${name}` })),
    ],
    definitions: {
      ...Object.fromEntries(kinds.map((kind) => [kind.name, documentForEditors(kind)])),
      [defaultsKind]: defaultsForEditors(),
      [templateKind]: templateSchema,
      from: useSchema,
    },
  };
}

/** The place of `${NAME}` in a text, as the command line fills it in. */
const variable = String.raw`\$\{`;

const orElse = (value: string) => `Write ${value}, or a variable such as \${NAME}.`;

/** The schema of a value that may contain variables, which are unknown before a run. */
function orVariable(schema: JsonSchema): JsonSchema {
  const { default: fallback, examples, ...value } = schema;
  const { type, pattern, patternErrorMessage } = value;
  const offered = {
    ...(fallback !== undefined && { default: fallback }),
    ...(examples !== undefined && { examples }),
  };
  const types = Array.isArray(type) ? (type as string[]) : [type];
  if (!types.some((each) => ["string", "integer", "boolean"].includes(String(each)))) return schema;
  if ("enum" in value || "format" in value)
    return {
      ...offered,
      anyOf: [
        value,
        { type: "string", pattern: variable, patternErrorMessage: orElse("a value that is allowed") },
      ],
    };
  if (!types.includes("string"))
    return {
      ...schema,
      type: [...types, "string"],
      pattern: variable,
      patternErrorMessage: orElse(types.includes("boolean") ? "true or false" : "a whole number"),
    };
  return pattern === undefined
    ? schema
    : { ...schema, pattern: `(?:${String(pattern)})|${variable}`, patternErrorMessage };
}

/** The suggestion of an editor in an empty document: the required members. */
function snippetOf(kind: Kind): JsonSchema {
  const { required = [] } = documentSchema(kind);
  const members = required.map((member, index) => [member, member === "kind" ? kind.name : `$${index}`]);
  return { label: kind.name, description: kind.description, body: Object.fromEntries(members) };
}

function whereIs(member: string, value: string | boolean, schema: JsonSchema): JsonSchema {
  // oxlint-disable-next-line unicorn/no-thenable
  return { if: { properties: { [member]: { const: value } }, required: [member] }, then: schema };
}

function defaultsForEditors(): JsonSchema {
  const inside = kinds.filter(({ parent }) => parent !== undefined);
  return {
    description:
      "Fields for all resources inside a project or an environment. A field of the resource itself wins.",
    type: "object",
    properties: {
      kind: { const: defaultsKind },
      for: {
        enum: [...inside.map(({ name }) => name), everyKind],
        description: "Kind of the resources, or `*` for all kinds that have the fields.",
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
    allOf: [
      ...inside.map((kind) => whereIs("for", kind.name, inDefaults([kind]))),
      whereIs("for", everyKind, { propertyNames: inDefaults(inside)["propertyNames"] }),
    ],
  };
}

/** The fields of defaults for these kinds: those of their documents, except fields of a single resource. */
function inDefaults(of: readonly Kind[]): JsonSchema {
  const properties: JsonSchema = Object.assign({}, ...of.map(defaultableIn));
  const names = ["kind", "for", ...scopeKinds.map(({ slug }) => slug), ...Object.keys(properties)];
  return { properties, propertyNames: { enum: names } };
}

function defaultableIn(kind: Kind): JsonSchema {
  const properties = documentForEditors(kind)["properties"] as JsonSchema;
  const fields = Object.keys(kind.fields.properties ?? {}).map((member) => [member, properties[member]]);
  const manage = properties["manage"] as JsonSchema;
  const managed = Object.entries(manage["properties"] as JsonSchema);
  return {
    manage: {
      ...manage,
      properties: Object.fromEntries(managed.filter(([member]) => !managedOfOne.includes(member))),
    },
    ...Object.fromEntries(fields),
  };
}

function documentForEditors(kind: Kind): JsonSchema {
  const formats = formatsFor(kind);
  const convert = (schema: FieldSchema, nullable: boolean): JsonSchema => ({
    ...helpOf(schema),
    ...orVariable({
      ...values(schema, nullable),
      ...(schema.format !== undefined && formats[schema.format]?.editor),
    }),
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
      ...(Object.hasOwn(entry.properties ?? {}, entry.short ?? "") && { type: ["object", "string", "null"] }),
    },
  });
  const members = (parent: FieldSchema, properties: Record<string, FieldSchema>): JsonSchema => {
    const { required = [] } = parent;
    return {
      properties: mapValues(properties, (schema, member) =>
        convert(schema, schema.resettable !== false && !required.includes(member)),
      ),
      ...(required.length > 0 && { required }),
      ...(parent.needsOneOf && { minProperties: 1 }),
      additionalProperties: false,
      ...exclusions(parent, properties),
    };
  };
  const document = documentSchema(kind);
  const { properties = {}, required = [] } = document;
  const { properties: converted, ...others } = convert(document, false);
  return {
    ...others,
    properties: {
      ...(converted as JsonSchema),
      // An editor has to know the kind.
      kind: { ...helpOf(properties["kind"] ?? {}), type: "string", enum: [kind.name] },
    },
    // A document that removes a resource only names it.
    ...whereIs("$remove", true, { propertyNames: { enum: ["$remove", ...required] } }),
  };
}

/** The description of a field, twice: editors render the second as Markdown. */
function helpOf({ description, immutable }: FieldSchema): JsonSchema {
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
