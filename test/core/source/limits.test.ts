import { expect, test } from "vitest";
import { firstProblems } from "../../../core/problems/problem.ts";
import { parseManifest } from "../../../core/manifests/manifest/index.ts";
import { job, report } from "../../fixtures/manifest-problems.ts";

const levels = 20_000;

test.each([
  ["lists in brackets", "[".repeat(levels)],
  ["mappings in braces", "{a: ".repeat(levels)],
  ["pairs in brackets", "[a: ".repeat(levels)],
  ["lists of dashes", "- ".repeat(levels)],
  ["keys with question marks", "? ".repeat(levels)],
  [
    "mappings by indentation",
    Array.from({ length: 1000 }, (_, level) => `${" ".repeat(level)}a:`).join("\n"),
  ],
])("20,000 levels of nesting are an error: %s", (_what, nested) => {
  const { documents, problems } = parseManifest(`${job("cpu: 1")}\n---\n${nested}`, "x");
  expect(documents).toHaveLength(1);
  expect(problems.map(({ message, position }) => `${position?.line}: ${message}`)).toEqual([
    expect.stringMatching(/^\d+: nested more than 100 levels deep$/),
  ]);
});

test("less than a hundred levels of nesting are accepted", () => {
  const config = `${"[".repeat(80)}${"]".repeat(80)}`;
  const scaler = `{ scaler_type: cpu, role: PRIMARY, config_json: { a: ${config} } }`;
  const text = `kind: Application\nenvironment: a/b\nname: x\nautoscaling: { scalers: [${scaler}] }`;
  expect(parseManifest(text, "x").problems).toEqual([]);
});

test("a file over 1 MiB, counted in bytes, is an error", () => {
  const padded = (size: number) => `kind: Project\nname: xx\n#${"ä".repeat((size - 24) / 2)}`;
  expect(Buffer.byteLength(padded(1 << 20))).toBe(1 << 20);
  expect(report(padded(1 << 20))).toBe("");
  expect(report(padded((1 << 20) + 2))).toMatchInlineSnapshot(`
    "x.yaml is larger than 1 MiB
        split it into several files"
  `);
});

test("a binary file is an error", () => {
  expect(report("kind: Project\nname: x\0")).toMatchInlineSnapshot(`
    "x.yaml is not a text in UTF-8
        if it is a text, save it in UTF-8; leave other files out"
  `);
});

test("a document that is too long is an error", () => {
  const members = Array.from({ length: 20_000 }, (_, index) => `field_${index}: x\n`).join("");
  expect(report(`${job("cpu: x")}\n---\n${job(members)}`)).toMatchInlineSnapshot(`
    "4:6 cpu must be a whole number, not the text "x"
        write a whole number, such as 500 (CPU in millicores: 1000 is one CPU)
    7148:14 a document has more than 50,000 YAML tokens
        a document declares one resource; put --- before each; the rest of this file has not been read"
  `);
});

test("a hundred problems are listed and the others counted", () => {
  const documents = Array.from({ length: 150 }, () => job("cpu: x")).join("\n---\n");
  const { problems } = parseManifest(documents, "x");
  expect(problems).toHaveLength(101);
  expect(problems.at(-1)).toMatchObject({
    message: "and 50 more in this file",
    position: { line: 504, column: 6 },
  });
});

test("a hundred problems of one document are listed and the others counted", () => {
  const { problems } = parseManifest(
    job(Array.from({ length: 300 }, (_, index) => `f${index}: x`).join("\n")),
    "x",
  );
  expect(problems).toHaveLength(101);
  expect(problems.at(-1)?.message).toBe("and 200 more in this file");
});

test("reading stops in a file with too many problems", () => {
  const { problems } = parseManifest("kind: x\n---\n".repeat(50_000), "x");
  expect(problems).toHaveLength(101);
  expect(problems.at(-1)?.message).toBe("and at least 1,001 more in this file");
});

test("reading stops in a file that is hardly YAML", () => {
  const { problems } = parseManifest("- a\n".concat("b: c\n".repeat(50_000)), "x");
  expect(problems).toHaveLength(101);
  expect(problems.at(-1)?.message).toMatch(/^and [\d,]+ more in this file$/);
});

test("the problems that are only counted are counted one by one, in the sum of several files too", () => {
  const file = Array.from({ length: 150 }, () => job("cpu: x")).join("\n---\n");
  const problems = Array.from(
    { length: 3 },
    (_, index) => parseManifest(file, `${index}.yaml`).problems,
  ).flat();
  expect(firstProblems(problems).at(-1)?.message).toBe("and 350 more");
});
