import fc from "fast-check";
import { stringify, type ToStringOptions } from "yaml";
import { describe, expect, test } from "vitest";
import { isFields, type Json } from "../../../core/json.ts";
import { parseDocuments } from "../../../core/source/document.ts";
import { Lines } from "../../../core/source/lines.ts";
import type { Path } from "../../../core/source/mistake.ts";
import { readPlain } from "../../../core/source/plain.ts";
import type { SourceDocument } from "../../../core/source/source-document.ts";
import { Variables } from "../../../core/source/variables.ts";
import { mutatedManifest } from "../manifest/fuzz.ts";
import { plainTexts } from "./plain-texts.ts";
import { tries } from "../../fixtures/random-cases.ts";

// Texts that the plain reader accepts read as the YAML parser reads them: the same values, the same places, no mistake.

const variables = () =>
  new Variables(
    new Map([
      ["TAG", "1.4.2"],
      ["N", "3"],
    ]),
  );

/** All that is known of the documents of a text: values, starts, mistakes and the offset of each path. */
const known = (documents: Iterable<SourceDocument>) =>
  [...documents].map(({ value, start, mistakes, holes, offsetOf }) => ({
    value,
    // The order of members, too.
    text: JSON.stringify(value),
    start,
    mistakes,
    holes,
    offsets:
      value === undefined
        ? []
        : pathsIn(value).map((path) => ({
            path,
            key: offsetOf(path, "key"),
            value: offsetOf(path, "value"),
          })),
  }));

/** The paths of all values, and for each one that leads to nothing. */
function pathsIn(value: Json, path: Path = []): Path[] {
  const inner = Array.isArray(value)
    ? value.flatMap((element, index) => pathsIn(element, [...path, index]))
    : isFields(value)
      ? Object.keys(value).flatMap((member) => pathsIn(value[member] ?? null, [...path, member]))
      : [];
  return [path, [...path, "absent"], [...path, 99], ...inner];
}

/** Compares both readers; says whether the plain one accepts the text. */
function compare(text: string): boolean {
  const plain = readPlain(text, variables());
  if (plain)
    expect(known(plain), JSON.stringify(text)).toEqual(
      known(parseDocuments(new Lines(text, ""), variables())),
    );
  return plain !== undefined;
}

describe("a text that the plain reader accepts reads as with the parser", () => {
  test.for(plainTexts.map((text, index) => ({ text, index })))(
    "text $index, which it accepts",
    ({ text }) => {
      expect(compare(text)).toBe(true);
    },
  );

  test("mutated texts", () => {
    const count = Number(process.env["PLAIN_TEXTS"] ?? 3000);
    let accepted = 0;
    for (let index = 0; index < count; index += 1)
      if (compare(mutatedManifest(11, index, plainTexts))) accepted += 1;
    expect(accepted / count).toBeGreaterThan(0.1);
  });

  test("random values, as the YAML library writes them", () => {
    const styles: readonly ToStringOptions[] = [
      {},
      { indent: 4 },
      { indentSeq: false },
      { defaultStringType: "QUOTE_SINGLE" },
      { defaultStringType: "QUOTE_DOUBLE" },
      { collectionStyle: "flow", lineWidth: 0 },
    ];
    fc.assert(
      fc.property(fc.dictionary(key, value, { maxKeys: 4 }), fc.constantFrom(...styles), (fields, style) => {
        compare(stringify(fields, style));
      }),
      { numRuns: tries(250) },
    );
  });

  test("short lines of the characters that mean something in YAML", () => {
    const piece = fc.constantFrom(
      ..."abn01-:#&*!|>'\"%@`,[]{}?~.$ \n".split(""),
      "  ",
      "- ",
      ": ",
      " #",
      "\n  ",
      "\n- ",
      "\n---\n",
      "null",
      "true",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        compare(`a: ${pieces.join("")}\nb: 1\n`);
        compare(`a:\n  - ${pieces.join("")}\n`);
        compare(pieces.join(""));
      }),
      { numRuns: tries(1000) },
    );
  });
});

const key = fc.oneof(
  fc.constantFrom("a", "name", "__proto__", "constructor", "x-y/z.w", "null"),
  fc.string({ maxLength: 6 }),
);
const text = fc.oneof(
  fc.constantFrom(
    "",
    "yes",
    "1.10",
    "1.4.2",
    "0x10",
    "-0",
    "null",
    "~",
    "a: b",
    "a #b",
    "--all",
    "- a",
    "x:y",
    "12:30",
    "1e3",
    ".5",
    "5.",
    "+1",
    "é ",
  ),
  fc.string({ maxLength: 12 }),
  fc.array(fc.string({ maxLength: 8 }), { minLength: 2, maxLength: 4 }).map((lines) => lines.join("\n")),
  fc.lorem({ maxCount: 30 }),
);
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(key, tie("value"), { maxKeys: 3 }),
  ),
}));
