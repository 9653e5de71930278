import fc from "fast-check";
import { expect, test } from "vitest";
import { commentsIn, editText } from "../../../../core/import/manifest-update/edit/index.ts";
import { type Fields, isFields, type Json } from "../../../../core/values/json.ts";
import { Lines } from "../../../../core/source/lines.ts";
import { readDocuments } from "../../../../core/source/document.ts";
import { Variables } from "../../../../core/source/variables.ts";
import { randomNumbers, randomYaml } from "../../../fixtures/random-yaml.ts";
import { tries } from "../../../fixtures/random-cases.ts";

const words = fc.constantFrom(
  "info",
  "a b",
  "yes",
  "1.4.2",
  "5",
  "",
  "it's",
  'say "x"',
  "# no comment",
  "a: b",
  "[x]",
  "${X}",
  "- y",
  "0 3 * * *",
  "one\ntwo",
  "one\n\n  two\nthree",
  "tab\there",
  " edge ",
  "http://x/y?z={a}",
  "é漢",
  "@at",
  "null",
);
const keys = fc.constantFrom("name", "cpu", "tag", "on", "a b", "x", "y", "z", "variables");
const { value: anyValue } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    words,
    fc.integer({ min: -5, max: 3000 }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(keys, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const anyFields = fc.dictionary(keys, anyValue, {
  minKeys: 1,
  maxKeys: 6,
  noNullPrototype: true,
}) as fc.Arbitrary<Fields>;

/** Another value that has much of the first one: members and elements come, go and change. */
function mutated(value: Json, random: () => number, fresh: () => Json, depth = 0): Json {
  if (depth > 0 && random() < 0.15) return fresh();
  if (Array.isArray(value)) {
    const kept = value.flatMap((element) =>
      random() < 0.2 ? [] : [mutated(element, random, fresh, depth + 1)],
    );
    if (random() < 0.3) kept.splice(Math.floor(random() * (kept.length + 1)), 0, fresh());
    return kept;
  }
  if (!isFields(value)) return value;
  const kept = Object.entries(value).flatMap(([key, inner]) =>
    random() < 0.2 ? [] : [[key, mutated(inner, random, fresh, depth + 1)] as const],
  );
  if (random() < 0.3) kept.push([`new${Math.floor(random() * 3)}`, fresh()]);
  return Object.fromEntries(kept);
}

const valuesOf = (text: string) =>
  [...readDocuments(new Lines(text, "f"), new Variables())].map(({ value, mistakes }) => {
    expect(mistakes).toEqual([]);
    return value;
  });

test("an edited document has its new value, and the text has every comment and all else as before", () => {
  fc.assert(
    fc.property(
      fc.array(anyFields, { minLength: 1, maxLength: 3 }),
      fc.infiniteStream(anyValue),
      fc.integer({ min: 0, max: 1e9 }),
      (documents, fresh, seed) => {
        const random = randomNumbers(seed);
        const texts = documents.map((document, index) => randomYaml(document, seed + index));
        const newline = texts.some((text) => text.includes("\r\n")) ? "\r\n" : "\n";
        const text = texts
          .map((each) => each.replaceAll(/\r?\n/g, newline).replace(/[^\n]$/, `$&${newline}`))
          .join(`---${newline}`);
        const before = valuesOf(text);
        expect(before).toEqual(documents);
        const chosen = Math.floor(random() * documents.length);
        const after = mutated(before[chosen] ?? null, random, () => fresh.next().value ?? null) as Fields;
        if (Object.keys(after).length === 0) return;
        const edited = editText(
          text,
          [{ index: chosen, schema: {}, before: before[chosen] as Fields, after }],
          new Variables(),
        );
        expect(valuesOf(edited)).toEqual(before.map((value, index) => (index === chosen ? after : value)));
        for (const comment of commentsIn(text)) expect(edited).toContain(comment);
        expect(commentsIn(edited).length).toBe(commentsIn(text).length);
        if (newline === "\r\n") expect(edited.replaceAll("\r\n", "")).not.toContain("\n");
      },
    ),
    { numRuns: tries(200) },
  );
});
