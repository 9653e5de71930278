import { Ajv, type ErrorObject } from "ajv";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isFields, type Json } from "../../../core/json.ts";
import { kinds } from "../../../core/kinds/index.ts";
import { documentSchema } from "../../../core/manifest/document-schema.ts";
import { formatsFor } from "../../../core/manifest/formats.ts";
import { checkFor } from "../../../core/schema/check.ts";
import type { FieldSchema } from "../../../core/schema/field-schema.ts";
import { type Formats, plainFormats } from "../../../core/schema/formats.ts";
import { inputSchema } from "../../../provider/lifecycle/inputs.ts";
import { policyFormats, policySchema } from "../../../reconciler/policy/schema.ts";
import { tries } from "../../fixtures/random-cases.ts";

/** A schema with every rule that a field can have, several of them at a value. */
const everyRule: FieldSchema = {
  type: "object",
  properties: {
    ports: {
      type: "array",
      minItems: 2,
      maxItems: 2,
      items: { type: "integer", minimum: 5, maximum: 60_000, enum: [1, 5, 80] },
    },
    name: { type: "string", minLength: 3, maxLength: 4, format: "name", enum: ["shop", "cpu"] },
    free: {
      type: "object",
      additionalProperties: { type: "string", maxLength: 2 },
      required: ["a/b", "c~d"],
    },
    any: { enum: [null, true, "cpu"] },
  },
  required: ["kind", "name"],
  additionalProperties: false,
};

const subjects: { name: string; schema: FieldSchema; formats: Formats }[] = [
  ...kinds.map((kind) => ({ name: kind.name, schema: documentSchema(kind), formats: formatsFor(kind) })),
  ...kinds.map((kind) => ({
    name: `${kind.name} in a program`,
    schema: inputSchema(kind),
    formats: plainFormats,
  })),
  { name: "a policy", schema: policySchema, formats: policyFormats },
  { name: "every rule", schema: everyRule, formats: plainFormats },
];

test.each(subjects)("the errors of $name are those that ajv finds, in its order", ({ schema, formats }) => {
  const check = checkFor({ schema, formats });
  const byAjv = ajvErrors(schema, formats);
  let wrong = 0;
  fc.assert(
    fc.property(valueOf(schema), (value) => {
      const found = check(value).map(({ keyword, instancePath, member, schema: its }) => ({
        keyword,
        instancePath,
        member,
        schema: its,
      }));
      if (found.length > 0) wrong += 1;
      expect(found).toEqual(byAjv(value));
    }),
    { numRuns: tries(100) },
  );
  expect(wrong).toBeGreaterThan(33);
});

/** What ajv finds in a value. A value of the wrong type breaks other rules too; those errors are left out. */
function ajvErrors(schema: FieldSchema, formats: Formats) {
  const ajv = new Ajv({ allErrors: true, strict: false, verbose: true });
  for (const [name, { rule }] of Object.entries(formats)) ajv.addFormat(name, rule);
  const validate = ajv.compile(schema);
  return (value: Json) => {
    const errors: ErrorObject[] = validate(value) ? [] : (validate.errors ?? []);
    const ofType = new Set(
      errors.filter(({ keyword }) => keyword === "type").map(({ instancePath }) => instancePath),
    );
    return errors
      .filter(({ keyword, instancePath }) => keyword === "type" || !ofType.has(instancePath))
      .map(({ keyword, instancePath, parentSchema, params: { additionalProperty, missingProperty } }) => ({
        keyword,
        instancePath,
        schema: parentSchema,
        member: (additionalProperty ?? missingProperty) as string | undefined,
      }));
  };
}

/** Values that are mostly of the form of a schema, with members missing, others added, and values of other types. */
function valueOf(schema: FieldSchema): fc.Arbitrary<Json> {
  return fc.oneof({ weight: 8, arbitrary: fitting(schema) }, { weight: 1, arbitrary: anything });
}

const scalar = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string({ unit: "grapheme" }),
);
const memberName = fc.oneof(
  fc.constantFrom("name", "a/b", "c~d", "kind", "ports"),
  fc.string({ maxLength: 5 }),
);
const anything = fc
  .oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.dictionary(memberName, scalar, { maxKeys: 3 }))
  .map((value): Json => value);
const words = fc.oneof(
  fc.string({ maxLength: 12, unit: "grapheme" }),
  fc.constantFrom(
    "shop",
    "shop/staging",
    "0 3 * * *",
    "Europe/Paris",
    "12h",
    "https://example.com/icon.svg",
    "2026-01-01T08:00:00Z",
    "00000000-0000-4000-8000-000000000000",
    "cpu",
  ),
);

function fitting(schema: FieldSchema): fc.Arbitrary<Json> {
  const { properties, additionalProperties, items } = schema;
  switch (schema.type) {
    case "object": {
      const known = Object.fromEntries(
        Object.entries(properties ?? {}).map(([member, inner]) => [member, valueOf(inner)]),
      );
      const free = isFields(additionalProperties) ? valueOf(additionalProperties as FieldSchema) : anything;
      return fc
        .tuple(fc.record(known, { requiredKeys: [] }), fc.dictionary(memberName, free, { maxKeys: 2 }))
        .map(([stated, others]) => ({ ...others, ...stated }) as Json);
    }
    case "array":
      return fc.array(items ? valueOf(items) : anything, { maxLength: 3 }).map((list): Json => list);
    case "integer":
      return fc.oneof(fc.integer({ min: -1, max: 70_000 }), fc.integer());
    case "boolean":
      return fc.boolean();
    case "string":
      return schema.enum ? fc.oneof(fc.constantFrom(...schema.enum), words) : words;
    default:
      return schema.enum ? fc.constantFrom(...schema.enum) : anything;
  }
}
