import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { advised } from "../../../cli/render/command-advice.ts";
import { fitted } from "../../../cli/render/width.ts";

test("the rest of a broken line is indented below its text", () => {
  const line = "  + job  one two  three four five";
  expect(fitted(`${line}\n+ short`, 20)).toBe(
    ["  + job  one two", "    three four five", "+ short"].join("\n"),
  );
  expect(fitted(line, undefined)).toBe(line);
});

test("a line is broken by the columns that its characters take", () => {
  expect(fitted("名前名前 名前名前 名前", 12)).toBe(["名前名前", "  名前名前", "  名前"].join("\n"));
});

test("a colour ends with its line, and begins again below", () => {
  expect(fitted("\u001B[31mone two three\u001B[39m", 10)).toBe(
    ["\u001B[31mone two\u001B[39m", "  \u001B[31mthree\u001B[39m"].join("\n"),
  );
});

test("a line that begins beyond the width has a word a line", () => {
  expect(fitted(`${" ".repeat(50)}one two`, 40)).toBe(`${" ".repeat(50)}one\n${" ".repeat(52)}two`);
});

test("a command on a line of its own is broken so that a shell reads it as one", async () => {
  const words = [
    "deploy",
    "job:shop/my env/a",
    "job:shop/production/nightly-report",
    "--reason",
    "it's slow",
    "--wait",
  ];
  const shown = fitted(advised("To deploy:", words), 40);
  expect(shown).toMatchInlineSnapshot(`
    "To deploy:
      infrasync deploy 'job:shop/my env/a' \\
          job:shop/production/nightly-report \\
          --reason 'it'\\''s slow' --wait"
  `);
  const [, ...command] = shown.split("\n");
  const read = execFileSync("sh", ["-c", `infrasync() { printf '%s\\n' "$@"; }\n${command.join("\n")}`], {
    encoding: "utf8",
  });
  expect(read.trimEnd().split("\n")).toEqual(words);
});
