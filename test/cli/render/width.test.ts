import { expect, test } from "vitest";
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
