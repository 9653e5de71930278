import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { kindOf, kinds } from "../../../../core/model/kinds/index.ts";
import {
  anyManifestSchema,
  formatManifest,
  manifestSchema,
  parseManifest,
} from "../../../../core/manifests/manifest/index.ts";
import { parse } from "yaml";
import { arbitraryManifest } from "./random-manifests.ts";
import { tries } from "../../../fixtures/random-cases.ts";

/** A validator without our extensions, as an editor uses it. */
function editor(schema: object) {
  const ajv = new Ajv({
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    keywords: ["markdownDescription", "defaultSnippets", "patternErrorMessage"],
  });
  addFormats.default(ajv, ["email", "uri", "uuid", "date-time"]);
  return ajv.compile(schema);
}

const any = editor(anyManifestSchema());
const ofKind = new Map(kinds.map((kind) => [kind, editor(manifestSchema(kind))]));

test("the editor schema accepts the manifests that infrasync accepts", () => {
  fc.assert(
    fc.property(arbitraryManifest, (manifest) => {
      const document: unknown = parse(formatManifest(manifest), { schema: "core" });
      const validate = ofKind.get(manifest.kind);
      expect(validate?.(document), JSON.stringify(validate?.errors)).toBe(true);
      expect(any(document), JSON.stringify(any.errors)).toBe(true);
    }),
    { numRuns: tries(50) },
  );
});

describe("the editor schema refuses mistakes, as infrasync does", () => {
  const job = (fields: object) => ({ kind: "Job", environment: "shop/staging", name: "x", ...fields });
  test.each([
    ["another kind", { kind: "Queue", name: "x" }],
    ["the kind in another case", { kind: "job", environment: "a/b", name: "x" }],
    ["no name", { kind: "Project" }],
    ["a number for a name", { kind: "Project", name: 1 }],
    ["no parent", { kind: "Job", name: "x" }],
    ["half a parent", { kind: "Job", environment: "staging", name: "x" }],
    ["an unknown field", job({ memroy: 1 })],
    ["the wrong type", job({ cpu: "500" })],
    ["what is out of range", job({ port: 0 })],
    ["six fields of a cron expression", job({ schedule: { cronjob: { scheduled_at: "0 0 3 * * *" } } })],
    ["both kinds of schedule", job({ schedule: { cronjob: {}, on_stop: {} } })],
    ["both sources", job({ source: { image: {}, docker: {} } })],
    ["two types of a probe", job({ healthchecks: { liveness_probe: { type: { tcp: {}, exec: {} } } } })],
    ["null that resets nothing", job({ auto_deploy: null })],
    ["null in a list", job({ labels_groups: [null] })],
    ["the same group twice", job({ labels_groups: ["a", "a"] })],
    ["no URI", job({ icon_uri: "x" })],
    ["a clone of a project", { kind: "Project", name: "x", clone: { from: "y" } }],
    ["pruning a job", job({ manage: { prune: true } })],
    ["an ignored field that does not exist", job({ manage: { ignore: ["ports"] } })],
    ["no id", job({ manage: { id: "x" } })],
  ])("%s", (_what, document) => {
    expect(any(document)).toBe(false);
    expect(parseManifest(JSON.stringify(document), "x").documents).toEqual([]);
  });
});

test("the schema of an environment", () => {
  expect(manifestSchema(kindOf("Environment"))).toMatchObject({
    $schema: "http://json-schema.org/draft-07/schema#",
    required: ["kind", "project", "name"],
    additionalProperties: false,
    properties: {
      kind: { enum: ["Environment"] },
      mode: {
        anyOf: [{ enum: ["DEVELOPMENT", "STAGING", "PRODUCTION", "PREVIEW"] }, { type: "string" }],
        markdownDescription: expect.stringContaining("`PREVIEW`"),
      },
    },
  });
});

test("every pattern has a sentence for the texts that do not fit, and an editor has examples to offer", () => {
  const schemas = objectsIn(anyManifestSchema());
  const withPattern = schemas.filter(({ pattern }) => pattern !== undefined);
  expect(withPattern.length).toBeGreaterThan(50);
  expect(withPattern.filter(({ patternErrorMessage }) => patternErrorMessage === undefined)).toEqual([]);
  const withExamples = schemas.filter((schema): schema is Schema & { examples: unknown[] } =>
    Array.isArray(schema["examples"]),
  );
  // Many kinds have the same fields.
  const distinct = new Map(withExamples.map((schema) => [JSON.stringify(schema), schema]));
  const wrong = [...distinct.values()].filter((schema) => {
    const accepts = editor(schema);
    return !schema.examples.every((example) => accepts(example));
  });
  expect(wrong).toEqual([]);
  const job = withExamples.flatMap(({ description, examples }) =>
    typeof description === "string" ? [[description, examples]] : [],
  );
  expect(Object.fromEntries(job)).toMatchObject({
    "Image tag.": ["1.4.2"],
    "Cluster that it runs on, by name or id. Fixed: an environment cannot be moved to another cluster.": [
      "eu-west",
    ],
  });
});

type Schema = Record<string, unknown>;

function objectsIn(value: unknown): Schema[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  if (typeof value !== "object" || value === null) return [];
  return [value as Schema, ...Object.values(value).flatMap(objectsIn)];
}
