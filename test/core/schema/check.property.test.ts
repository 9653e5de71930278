import { Ajv, type ErrorObject } from "ajv";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isFields, type Json } from "../../../core/json.ts";
import { kinds } from "../../../core/kinds/index.ts";
import { documentSchema } from "../../../core/manifest/document-schema.ts";
import { formatsFor } from "../../../core/manifest/formats.ts";
import * as checks from "../../../core/manifest/generated/checks.ts";
import { type Compiled, checksFor } from "../../../core/schema/check.ts";
import type { FieldSchema } from "../../../core/schema/field-schema.ts";
import { type Formats, plainFormats } from "../../../core/schema/formats.ts";
import { inputSchema } from "../../../provider/lifecycle/inputs.ts";
import * as inputChecks from "../../../provider/lifecycle/generated/checks.ts";
import * as policyChecks from "../../../reconciler/policy/generated/checks.ts";
import { policyFormats, policySchema } from "../../../reconciler/policy/schema.ts";
import { tries } from "../../fixtures/random-cases.ts";

const ofDocuments: Readonly<Record<string, Compiled>> = checks;
const ofInputs: Readonly<Record<string, Compiled>> = inputChecks;

const subjects: { name: string; schema: FieldSchema; formats: Formats; compiled: Compiled | undefined }[] = [
  ...kinds.map((kind) => ({
    name: kind.name,
    schema: documentSchema(kind),
    formats: formatsFor(kind),
    compiled: ofDocuments[kind.name],
  })),
  ...kinds.map((kind) => ({
    name: `${kind.name} in a program`,
    schema: inputSchema(kind),
    formats: plainFormats,
    compiled: ofInputs[kind.name],
  })),
  { name: "a policy", schema: policySchema, formats: policyFormats, compiled: policyChecks.policy },
];

test.each(subjects)(
  "the errors of $name are those of its schema compiled anew, in its order",
  ({ schema, formats, compiled }) => {
    const check = checksFor(
      () => compiled,
      () => schema,
    )("");
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
  },
);

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
