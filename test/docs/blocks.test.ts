import { expect, test } from "vitest";
import { blocksOf } from "./markdown.ts";
import { matches, stepsOf } from "./transcript.ts";
import { updatedOutput } from "./update.ts";

test.each([
  { expected: [], actual: [], same: true },
  { expected: ["a"], actual: [], same: false },
  { expected: [], actual: ["a"], same: false },
  { expected: ["a"], actual: ["b"], same: false },
  { expected: ["a …"], actual: ["a b"], same: true },
  { expected: ["a … c"], actual: ["a b"], same: false },
  { expected: ["a.c"], actual: ["abc"], same: false },
  { expected: ["…"], actual: [], same: true },
  { expected: ["a", "…"], actual: ["a"], same: true },
  { expected: ["…", "c"], actual: ["a", "b", "c"], same: true },
  { expected: ["a", "…", "c", "…", "e"], actual: ["a", "b", "c", "c", "d", "e"], same: true },
  { expected: ["a", "…", "c"], actual: ["a", "b"], same: false },
  { expected: ["…", "b"], actual: ["b", "c"], same: false },
  { expected: ["x", "[1/2] a", "[2/2] b", "y"], actual: ["x", "[1/2] b", "[2/2] a", "y"], same: true },
  { expected: ["[1/2] a", "[2/2] b"], actual: ["[1/2] a", "[2/2] c"], same: false },
  { expected: ["[1/2] a", "x", "[2/2] b"], actual: ["[1/2] b", "x", "[2/2] a"], same: false },
])("$expected matches $actual: $same", ({ expected, actual, same }) => {
  expect(matches(expected, actual)).toBe(same);
});

test("a transcript contains commands with their output and their exit code", () => {
  const steps = stepsOf([
    "$ cat <<END",
    "> text",
    "> END",
    "text",
    "",
    "> more",
    "$ false # exit 1",
    "$ serve # in a terminal of its own",
  ]);
  expect(steps).toMatchObject([
    { command: "cat <<END\ntext\nEND", output: ["text", "", "> more"], exitCode: 0, start: 0, end: 6 },
    { command: "false", output: [], exitCode: 1, isBeside: false, start: 6, end: 7 },
    { command: "serve", isBeside: true },
  ]);
});

test("a block has a language, a file name, and the file that runs it", () => {
  const page = [
    "text",
    "```yaml",
    "# file: shop/shop.yaml",
    "kind: Project",
    "```",
    "- item",
    "",
    "  <!-- run by: .ci/run -->",
    "  ```console",
    "  $ npm test",
    "  ```",
  ];
  expect(blocksOf(page)).toEqual([
    {
      language: "yaml",
      file: "shop/shop.yaml",
      lines: ["# file: shop/shop.yaml", "kind: Project"],
      line: 3,
      runBy: undefined,
    },
    { language: "console", file: undefined, lines: ["$ npm test"], line: 10, runBy: ".ci/run" },
  ]);
});

test.each([
  { expected: [], actual: ["made in 5 s"], updated: ["made in 5 s"] },
  { expected: ["a …", "b"], actual: ["a 1", "c"], updated: ["a …", "c"] },
  { expected: ["…", "done: 1"], actual: ["a", "b", "done: 2"], updated: ["…", "done: 2"] },
  { expected: ["…", "x", "done: 1"], actual: ["a", "b", "x", "done: 2"], updated: ["…", "x", "done: 2"] },
  { expected: ["x 1", "…", "y 1"], actual: ["x 2", "a", "y 2"], updated: ["x 2", "…", "y 2"] },
  { expected: ["x", "…"], actual: ["x", "y"], updated: ["x", "…"] },
  { expected: ["x", "…"], actual: ["x"], updated: ["x", "…"] },
  { expected: ["x"], actual: ["x", "http://127.0.0.1:80"], updated: ["x", "http://127.0.0.1:…"] },
  { expected: ["x", "gone"], actual: ["x"], updated: ["x"] },
])("$expected becomes $updated for the output $actual", ({ expected, actual, updated }) => {
  expect(updatedOutput(expected, actual)).toEqual(updated);
});
