import { escapeVariables } from "../../../../core/source/variables.ts";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import type { Json } from "../../../../core/values/json.ts";
import { kinds } from "../../../../core/model/kinds/index.ts";
import { parseManifest, validateManifest } from "../../../../core/manifests/manifest/index.ts";
import { type FuzzReport, mutatedManifest } from "./fuzz.ts";
import { tries } from "../../../fixtures/random-cases.ts";

const seed = 20_261_121;

// A failure names the seed and the index of the text.
test("mutated manifests parse in a process with at most 256 MB of memory", async () => {
  const count = tries(1000);
  const fuzz = JSON.stringify(new URL("fuzz.ts", import.meta.url));
  const script = `import { fuzzManifests } from ${fuzz}; console.log(JSON.stringify(fuzzManifests(${count}, ${seed})))`;
  const limited = ["--max-old-space-size=256", "--input-type=module", "--eval", script];
  const { stdout } = await promisify(execFile)(process.execPath, limited);
  const report = JSON.parse(stdout) as FuzzReport;
  console.log("fuzzed manifests:", report);
  // fuzzManifests throws when a text costs far more than the reference.
  expect(report.worstCost).toBeGreaterThan(0);
  expect(report.worstMegabytes).toBeLessThan(256);
  // Some of the mutations are harmless, some are not.
  expect(report.valid).toBeGreaterThan(count / 20);
  expect(report.valid).toBeLessThan(count * 0.75);
});

test("a failing mutation can be reproduced", () => {
  expect(mutatedManifest(seed, 7)).toBe(mutatedManifest(seed, 7));
  expect(mutatedManifest(seed, 7)).not.toBe(mutatedManifest(seed, 8));
});

const anything = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;

/** Documents whose members have the right names and any value. */
const documents = fc.constantFrom(...kinds).chain((kind) => {
  const members = [
    "name",
    "manage",
    "clone",
    String(kind.parentMember),
    ...Object.keys(kind.fields.properties ?? {}),
  ];
  return fc
    .uniqueArray(fc.tuple(fc.constantFrom(...members), anything), { selector: ([member]) => member })
    .map((entries) => ({ ...Object.fromEntries(entries), kind: kind.name }));
});

/** The same document with every `${` in its values escaped. */
const literal = (document: unknown): unknown =>
  JSON.parse(JSON.stringify(document), (_member, value: unknown) =>
    typeof value === "string" ? escapeVariables(value) : value,
  );

test("any document results in a manifest or in problems, and its text in the same", () => {
  fc.assert(
    fc.property(fc.oneof(anything, documents), (document) => {
      const { manifest, mistakes } = validateManifest(document);
      expect(manifest === undefined).toBe(mistakes.length > 0);
      const { problems } = parseManifest(
        stringify(literal(document), { schema: "core", aliasDuplicateObjects: false }),
        "x",
      );
      if (document !== null)
        expect(problems.map(({ message }) => message).toSorted()).toEqual(
          mistakes.map(({ message }) => message).toSorted(),
        );
    }),
    { numRuns: tries(200) },
  );
});

test("any text results in documents or problems", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      expect(parseManifest(text, "x").documents).toEqual([]);
    }),
    { numRuns: tries(200) },
  );
});
