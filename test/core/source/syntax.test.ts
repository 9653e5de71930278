import { expect, test } from "vitest";
import { parseManifest } from "../../../core/manifests/manifest/index.ts";
import { job, report } from "../../fixtures/manifest-problems.ts";

test("problems of the YAML parser have advice", () => {
  expect(report(job("description: see: below"))).toMatchInlineSnapshot(`
    "4:14 invalid YAML: nested mappings are not allowed in compact mappings
        put quotes around a text that has ": " in it, or begin the inner mapping on a line of its own"
  `);
  expect(report(job("source:\n\timage: {}"))).toMatchInlineSnapshot(`
    "5:1 invalid YAML: tabs are not allowed as indentation
        indent with spaces"
  `);
  expect(report(job("source:\n    image: {}\n  docker: {}"))).toMatchInlineSnapshot(`
    "6:1 invalid YAML: all mapping items must start at the same column
        indent what belongs together by the same number of spaces, and close each bracket"
  `);
  expect(report(job("description: @home"))).toMatchInlineSnapshot(`
    "4:14 invalid YAML: plain value cannot start with reserved character @
        put quotes around the text"
  `);
  expect(report(job('description: "C:\\q"'))).toMatchInlineSnapshot(`
    "4:17 invalid YAML: invalid escape sequence \\q
        write \\\\ for a backslash, or use single quotes"
  `);
  expect(report(job("labels_groups: [a, b"))).toMatchInlineSnapshot(`
    "4:21 invalid YAML: flow sequence in block collection must be sufficiently indented and end with a ]
        indent what belongs together by the same number of spaces, and close each bracket"
  `);
  expect(report(job('description: "open'))).toMatchInlineSnapshot(`
    "4:19 invalid YAML: missing closing "quote
        close the quotes and brackets that are open, and put a space after each colon"
  `);
  expect(report(job("description\ncpu: 1"))).toMatchInlineSnapshot(`
    "4:1 invalid YAML: implicit keys need to be on a single line
        write KEY: VALUE on one line, and indent its members below"
  `);
  expect(report(job("description: !secret x"))).toMatchInlineSnapshot(`
    "4:14 invalid YAML: unresolved tag: !secret
        remove the tag (the word that begins with !)"
  `);
  expect(report(job("description: !!binary aGk="))).toMatchInlineSnapshot(`
    "4:14 invalid YAML: unresolved tag: tag:yaml.org,2002:binary
        remove the tag (the word that begins with !)"
  `);
  expect(report(job("? [a]\n: b"))).toMatchInlineSnapshot(`
    "4:3 invalid YAML: the key is not a text
        write a plain text as the key"
  `);
  expect(report("- a\nb: 1")).toMatchInlineSnapshot(`
    "2:1 invalid YAML: unexpected scalar at node end
        check the quotes, brackets and indentation here and in the line above"
  `);
  expect(report("%FOO\n---\nkind: Project\nname: x")).toMatchInlineSnapshot(`
    "1:1 invalid YAML: unknown directive %FOO
        remove the line that begins with %"
  `);
});

test("a document with a syntax error does not hide the problems of the others", () => {
  expect(report(`${job("cpu: [1")}\n---\n${job("cpu: x")}`)).toMatchInlineSnapshot(`
    "5:1 invalid YAML: flow sequence in block collection must be sufficiently indented and end with a ]
        indent what belongs together by the same number of spaces, and close each bracket
    9:6 cpu must be a whole number, not the text "x"
        write a whole number, such as 500 (CPU in millicores: 1000 is one CPU)"
  `);
});

test("a line is reported once", () => {
  expect(report("- a\nb: 1: 2: 3").split("\n")).toHaveLength(2);
});

test("files are YAML 1.2: yes is a text, 010 is ten, << is an ordinary key", () => {
  expect(report(job("auto_preview: yes\ncpu: 010"))).toMatchInlineSnapshot(`
    "4:15 auto_preview must be true or false, not the text "yes"
        write auto_preview: true"
  `);
  expect(parseManifest(job("cpu: 010"), "x").documents[0]?.fields).toEqual({ cpu: 10 });
  expect(report(job("<<: { cpu: 1 }"))).toMatchInlineSnapshot(`
    "4:1 a Job has no field "<<"
        YAML 1.2 has no merge keys; write the fields out"
  `);
  expect(report("%YAML 1.1\n---\nkind: Project\nname: x")).toMatchInlineSnapshot(`
    "1:1 manifests are YAML 1.2, not 1.1
        remove the line that begins with %YAML"
  `);
});

test("a duplicate key is an error at the second position", () => {
  expect(report(job("cpu: 1\nmemory: 2\ncpu: 3\nkind: Job"))).toMatchInlineSnapshot(`
    "6:1 duplicate key "cpu"
        keep one of them
    7:1 duplicate key "kind"
        keep one of them, or put --- on a line of its own before it: there the next document begins"
  `);
});

test("numbers that JSON cannot carry exactly are errors", () => {
  expect(report(job("cpu: .inf"))).toMatchInlineSnapshot(`
    "4:6 Infinity is not a number that the API knows
        write a number, or put quotes around it if it is a text"
  `);
  expect(report(job("cpu: .nan"))).toMatchInlineSnapshot(`
    "4:6 NaN is not a number that the API knows
        write a number, or put quotes around it if it is a text"
  `);
  expect(report(job("cpu: 9007199254740993"))).toMatchInlineSnapshot(`
    "4:6 the number is too large to be exact
        put quotes around it if it is a text"
  `);
  expect(parseManifest(job("cpu: 9007199254740992"), "x").problems).toEqual([]);
});

test("invalid Unicode is an error", () => {
  expect(report(job('description: "\\ud83d"'))).toMatchInlineSnapshot(`
    "4:14 half of a surrogate pair is not a character
        write the character itself, or \\U and its eight digits"
  `);
  expect(parseManifest(job('description: "\\ud83d\\ude00"'), "x").documents[0]?.fields).toEqual({
    description: "😀",
  });
});

test("control characters are errors at their position", () => {
  expect(report(job("description: a\u001Bb"))).toMatchInlineSnapshot(`
    "4:15 the control character \\x1b is not allowed in YAML
        remove it, or write it as \\x1b inside double quotes"
  `);
  expect(parseManifest(job('description: "a\\x1bb"'), "x").documents[0]?.fields).toEqual({
    description: "a\u001Bb",
  });
});

const nothing = { documents: [], defaults: [], templates: [], uses: [], problems: [] };

test("empty documents are ignored", () => {
  expect(parseManifest("", "x")).toEqual(nothing);
  expect(parseManifest("# nothing\n", "x")).toEqual(nothing);
  expect(parseManifest("---\n---\n# nothing\n---\n...\n", "x")).toEqual(nothing);
});

test.each([
  ["kind: Project\nname: shop\n---\n\uFEFFkind: Project\nname: blog\n", 4],
  ["kind: Project\r\nname: shop\r\n\uFEFF---\r\nkind: Project\r\nname: blog\r\n", 3],
  ["\uFEFFkind: Project\n\uFEFFname: shop\n", 2],
])("a byte order mark that is not at the start of a file is an error: %j", (text, line) => {
  expect(parseManifest(text, "x").problems).toMatchObject([
    { message: "a byte order mark (U+FEFF) inside the file", position: { line, column: 1 } },
  ]);
});

test("a byte order mark inside a text is part of it", () => {
  const { documents, problems } = parseManifest('kind: Project\nname: shop\ndescription: "\uFEFFa"\n', "x");
  expect(problems).toEqual([]);
  expect(documents[0]?.fields).toEqual({ description: "\uFEFFa" });
});

test("a byte order mark at the start of a file is accepted", () => {
  const { documents, problems } = parseManifest("\uFEFFkind: Project\nname: shop\n", "x");
  expect(problems).toEqual([]);
  expect(documents[0]?.position(["kind"]).column).toBe(7);
});
