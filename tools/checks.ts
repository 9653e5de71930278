/**
 * Compiles the schemas of documents, of the inputs of Pulumi programs and of policies with ajv, into functions: compiling them takes
 * longer than all else that a small plan does. With --check, fails instead when the files are stale.
 */
import { Ajv, _ } from "ajv";
import standalone from "ajv/dist/standalone/index.js";
import { kinds } from "../core/kinds/index.ts";
import { documentSchema } from "../core/manifest/document-schema.ts";
import { formatsFor } from "../core/manifest/formats.ts";
import type { FieldSchema } from "../core/schema/field-schema.ts";
import { type Formats, plainFormats } from "../core/schema/formats.ts";
import { inputSchema } from "../provider/lifecycle/inputs.ts";
import { policyFormats, policySchema } from "../reconciler/policy/schema.ts";
import { writeFolder } from "./folder.ts";

/** A schema, and the formats that it names. */
interface Subject {
  /** An identifier of JavaScript. */
  name: string;
  schema: FieldSchema;
  formats: Formats;
}

/** A schema as ajv gets it: without annotations, which check nothing. */
type Bare = { [keyword: string]: unknown };

const checking = [
  "type",
  "enum",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
  "minLength",
  "maxLength",
  "required",
] as const;

/**
 * The text of a module that exports a function for each subject. Parts that several schemas have are compiled once.
 *
 * @param formats statements that declare `formats`: the rules of formats by name
 */
function compiled(subjects: readonly Subject[], formats: string): string {
  const shared = new Map<string, string>();
  const counts = new Map<string, number>();
  const all = Object.fromEntries(subjects.map((subject) => [subject.name, bare(subject.schema, subject)]));
  for (const schema of Object.values(all)) count(schema, counts);
  const roots = Object.fromEntries(
    Object.entries(all).map(([name, schema]) => [name, share(schema, counts, shared, true)]),
  );
  const $defs: Bare = { ...roots };
  for (const [text, name] of shared) $defs[name] = share(JSON.parse(text) as Bare, counts, shared, true);
  const ajv = new Ajv({
    allErrors: true,
    strict: false,
    messages: false,
    inlineRefs: false,
    code: { source: true, esm: true, formats: _`formats` },
  });
  for (const subject of subjects)
    for (const name of Object.keys(subject.formats)) ajv.addFormat(formatName(subject, name), () => true);
  ajv.addSchema({ $id: "checks", $defs });
  const code = standalone.default(
    ajv,
    Object.fromEntries(subjects.map(({ name }) => [name, `checks#/$defs/${name}`])),
  );
  return [
    "// @ts-nocheck",
    "// Written by `npm run generate`.",
    formats,
    // Characters, as ajv counts them; ajv writes `require` into modules too.
    code.replace('require("ajv/dist/runtime/ucs2length").default', "(text) => Array.from(text).length"),
    "",
  ].join("\n");
}

/** The name of a rule: that of a plain format is the same for all subjects. */
function formatName({ name, formats }: Subject, format: string): string {
  return formats[format] === plainFormats[format] ? format : `${name} ${format}`;
}

function bare(schema: FieldSchema, subject: Subject): Bare {
  const { format, properties, items, additionalProperties } = schema;
  const inside = (inner: FieldSchema) => bare(inner, subject);
  return {
    ...Object.fromEntries(
      checking.flatMap((each) => (schema[each] === undefined ? [] : [[each, schema[each]]])),
    ),
    ...(format !== undefined && { format: formatName(subject, format) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([member, inner]) => [member, inside(inner)]),
      ),
    }),
    ...(items && { items: inside(items) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === "boolean" ? additionalProperties : inside(additionalProperties),
    }),
  };
}

function count(schema: Bare, counts: Map<string, number>): void {
  const text = JSON.stringify(schema);
  counts.set(text, (counts.get(text) ?? 0) + 1);
  for (const inner of innerOf(schema)) count(inner, counts);
}

/** The schema with references in place of the parts that occur more than once. */
function share(
  schema: Bare,
  counts: Map<string, number>,
  shared: Map<string, string>,
  isWhole = false,
): Bare {
  const text = JSON.stringify(schema);
  const isObject = schema["properties"] !== undefined || schema["items"] !== undefined;
  if (!isWhole && isObject && (counts.get(text) ?? 0) > 1) {
    const name = shared.get(text) ?? `shared${shared.size}`;
    shared.set(text, name);
    return { $ref: `#/$defs/${name}` };
  }
  const inside = (inner: unknown) => share(inner as Bare, counts, shared);
  const { properties, items, additionalProperties } = schema;
  return {
    ...schema,
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties as Bare).map(([member, inner]) => [member, inside(inner)]),
      ),
    }),
    ...(items !== undefined && { items: inside(items) }),
    ...(typeof additionalProperties === "object" && { additionalProperties: inside(additionalProperties) }),
  };
}

function innerOf({ properties, items, additionalProperties }: Bare): Bare[] {
  return [
    ...Object.values((properties ?? {}) as Record<string, Bare>),
    ...(items === undefined ? [] : [items as Bare]),
    ...(typeof additionalProperties === "object" ? [additionalProperties as Bare] : []),
  ];
}
/** The files, by their folders. */
const folders = {
  "core/manifest/generated": compiled(
    kinds.map((kind) => ({ name: kind.name, schema: documentSchema(kind), formats: formatsFor(kind) })),
    'import { rulesOfKinds } from "../formats.ts";\nconst formats = rulesOfKinds();',
  ),
  "provider/lifecycle/generated": compiled(
    kinds.map((kind) => ({ name: kind.name, schema: inputSchema(kind), formats: plainFormats })),
    'import { plainRules as formats } from "../../../core/schema/formats.ts";',
  ),
  "reconciler/policy/generated": compiled(
    [{ name: "policy", schema: policySchema, formats: policyFormats }],
    'import { plainRules } from "../../../core/schema/formats.ts";\nimport { policyFormats } from "../schema.ts";\nconst formats = { ...plainRules, "policy date-time": policyFormats["date-time"].rule };',
  ),
};
for (const [folder, text] of Object.entries(folders)) writeFolder(folder, new Map([["checks.ts", text]]));
