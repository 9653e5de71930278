import picocolors from "picocolors";
import { describe, expect, test } from "vitest";
import { renderProblems } from "../../../../cli/render/problems.ts";
import { problemsJson } from "../../../../cli/render/json.ts";
import { type Kind, kinds } from "../../../../core/model/kinds/index.ts";
import type { FieldSchema } from "../../../../core/model/schema/field-schema.ts";
import { check } from "../../../../provider/lifecycle/check.ts";
import { inputSchema } from "../../../../provider/lifecycle/inputs.ts";
import type { Json } from "../../../../core/values/json.ts";
import { desiredOf } from "../../../fixtures/desired.ts";

const canary = "c4nary-hunter2";
const digits = "73519042";

const plainColors = picocolors.createColors(false);

/** A place of a document that can hold a secret. `[]` is an element of a list, `*` an entry with any key. */
interface Place {
  path: string[];
  schema: FieldSchema;
  /** The member beside it with which it is a secret. */
  when?: string;
}

/** Every place of a schema whose value the API never shows, or hides, or that may have a token in it. */
function placesIn(schema: FieldSchema, path: string[] = []): Place[] {
  const { properties = {}, items, entries } = schema;
  const isSource = Object.values(properties).some(({ neverShown }) => neverShown);
  if (schema.secret || isSource || schema.mayHoldToken) return [{ path, schema }];
  return [
    ...Object.entries(properties).flatMap(([member, inner]) =>
      inner.hiddenWhen === undefined
        ? placesIn(inner, [...path, member])
        : [{ path: [...path, member], schema: inner, when: inner.hiddenWhen }],
    ),
    ...(items ? placesIn(items, [...path, "[]"]) : []),
    ...(entries ? placesIn(entries, [...path, "*"]) : []),
  ];
}

/** The ways in which somebody may write a secret where its source belongs, after the key. */
const forms: readonly [what: string, yaml: string][] = [
  ["a text", canary],
  ["two words", `"${canary} x"`],
  ["a number", digits],
  ["a list", `[${canary}]`],
  ["a mapping", `{ ${canary}: 1 }`],
  ["a key alone", `{ ${canary} }`],
  ["an assignment", `{ "A=${canary}" }`],
  ["a list of assignments", `["A=${canary}", { name: A, value: ${canary} }]`],
  ["a source that is no name", `{ from_env: "${canary} x" }`],
  ["a source of sops", `{ from_sops: "${canary}" }`],
  ["an output", `{ from: ${canary} }`],
  ["an output of a kind", `{ from: "job:${canary}", output: ${canary} }`],
  ["a file of the system", `{ from_file: "/proc/${canary}" }`],
  ["a source that is a list", `{ from_env: [${canary}] }`],
  ["a source that is a number", `{ from_env: ${digits} }`],
  ["a source that is a mapping", `{ from_env: { ${canary}: ${canary} } }`],
  ["two sources", `{ from_env: A, from_file: ${canary} }`],
  ["an unknown member", `{ from_env: A, ${canary}: x }`],
  ["a plain value", `{ value: ${canary} }`],
  ["a wrong version", `{ from_env: A, version: [${canary}] }`],
  ["a member twice", `{ from_env: A, from_env: ${canary} }`],
  ["an unknown member twice", `{ ${canary}: A, ${canary}: B }`],
  ["a tag", `!${canary} x`],
  ["a tag and a text", `!x ${canary}`],
  ["an anchor", `&${canary} x`],
  ["two anchors", `&a &${canary} x`],
  ["an alias", `*${canary}`],
  ["an alias inside", `{ from_env: *${canary} }`],
  ["open quotes", `"${canary}`],
  ["open single quotes", `'${canary}`],
  ["an escape", `"\\q${canary}"`],
  ["an open list", `[${canary}`],
  ["an open mapping", `{ from_env: ${canary}`],
  ["a colon", `x: ${canary}`],
  ["a colon after", `${canary}: x: y`],
  ["a directive", `%${canary}`],
  ["an at sign", `@${canary}`],
  ["a backtick", `\`${canary}`],
  ["a block that ends", `|\n      x\n ${canary}`],
  ["a block", `|\n            ${canary}`],
  ["lines of keys", `\n            ${canary}: x\n            ${canary}: y`],
  ["a line of text", `\n            ${canary}`],
  ["a list of lines", `\n            - ${canary}\n            - ${canary}`],
  ["a tab", `\n\t${canary}: x`],
  ["an open variable", `"\${${canary}"`],
  ["an unknown variable", `"\${${canary}:x}"`],
  ["a placeholder of an output", `"${canary} [credential]"`],
  ["ciphertext", `"ENC[AES256_GCM,data:${canary}]"`],
  [
    "a conflict",
    `|\n            <<<<<<< ${canary}\n            =======\n            ${canary}\n            >>>>>>> x`,
  ],
];

/** A document in which the place is written in this way. */
function documentWith(kind: Kind, { path, when }: Place, yaml: string): string {
  const lines: string[] = [`kind: ${kind.name}`, "name: x"];
  if (kind.parentMember !== undefined)
    lines.push(`${kind.parentMember}: ${["a", "b", "c"].slice(0, kind.depth).join("/")}`);
  let indent = "";
  let lead = "";
  for (const [index, part] of path.entries()) {
    const isLast = index === path.length - 1;
    if (part === "[]") {
      lead = "- ";
      if (isLast) lines.push(`${indent}- ${yaml}`);
      continue;
    }
    const key = part === "*" ? "LOCK" : part;
    if (isLast && when !== undefined) {
      lines.push(`${indent}${lead}${when}: true`);
      lead = lead && "  ";
    }
    lines.push(`${indent}${lead}${key}:${isLast ? ` ${yaml}` : ""}`);
    indent += lead ? "    " : "  ";
    lead = "";
  }
  return `${lines.join("\n")}\n`;
}

const places = kinds.flatMap((kind) =>
  placesIn(kind.fields).map((place) => ({ kind, place, at: `${kind.name}.${place.path.join(".")}` })),
);
/** One place of each form: `secrets` is the same in every kind. */
const different = [...new Map(places.map((each) => [each.place.path.join("."), each])).values()];

function shown(text: string): string {
  const { problems } = desiredOf(text);
  return renderProblems(problems, plainColors) + JSON.stringify(problemsJson(problems));
}

test("the schema has places for secrets", () => {
  expect(different.map(({ place }) => place.path.join("."))).toContain("secrets.*");
  expect(different.length).toBeGreaterThan(15);
});

describe.each(different)("at $at", ({ kind, place }) => {
  test("no mistake shows what stands there", () => {
    const reported = forms.flatMap(([what, yaml]) => {
      const text = documentWith(kind, place, yaml);
      const outer = documentWith(kind, { ...place, path: place.path.slice(0, -1) }, yaml);
      return [text, ...(place.path.at(-1) === "*" ? [outer] : [])].flatMap((each) => {
        const output = shown(each);
        return /c4nary|hunter2|73519042/.test(output) ? [`${what}:\n${each}\n${output}`] : [];
      });
    });
    expect(reported.join("\n\n")).toBe("");
  });
});

/** Values in the place of a text, in a program. */
const values: readonly Json[] = [
  canary,
  `${canary}\n`,
  `${canary} [credential]`,
  `ENC[AES256_GCM,data:${canary}]`,
  73_519_042,
  [canary],
  [{ [canary]: canary }],
  { [canary]: canary },
  { LOCK: [canary] },
  { LOCK: { [canary]: canary } },
  { LOCK: { value: [canary] } },
  { value: [canary] },
  { value: canary, [canary]: 1 },
  { fromEnv: canary },
];

test("no failure of the check of a program shows a secret input", () => {
  const reported = kinds.flatMap((kind) =>
    placesIn(inputSchema(kind)).flatMap(({ path, when }) =>
      values.flatMap((value) => {
        const inputs = path.reduceRight<Json>((inside, part, index) => {
          if (part === "[]") return [inside];
          const beside = when !== undefined && index === path.length - 1 ? { [when]: true } : {};
          return { [part === "*" ? "LOCK" : part]: inside, ...beside };
        }, value);
        const { failures } = check(kind, {}, inputs as never);
        const output = JSON.stringify(failures);
        return /c4nary|hunter2|73519042/.test(output)
          ? [`${kind.name} ${JSON.stringify(inputs)}: ${output}`]
          : [];
      }),
    ),
  );
  expect(reported.join("\n")).toBe("");
});
