import { expect, test } from "vitest";
import { inline, readable } from "../../../cli/render/values.ts";
import type { Json } from "../../../core/values/json.ts";

test.each<[Json, string]>([
  [null, "(none)"],
  ["eu-west", "eu-west"],
  ["The shop, from catalogue to checkout", "The shop, from catalogue to checkout"],
  ["", '""'],
  [" a", '" a"'],
  ["500", '"500"'],
  ["0x10", '"0x10"'],
  ["true", '"true"'],
  ["null", '"null"'],
  ["(none)", '"(none)"'],
  ["[a]", '"[a]"'],
  ['say "hi"', 'say "hi"'],
  ["a\nb", '"a\\nb"'],
  ["a\u001b[2Jb", '"a\\u001b[2Jb"'],
  ["a\u202eb", '"a\\u202eb"'],
  ["0 3 * * *", "0 3 * * *"],
  [500, "500"],
  [false, "false"],
  [[], "[]"],
  [{}, "{}"],
  [["--all", "a, b", ""], '[--all, "a, b", ""]'],
  [{ internal_port: 8080, name: "x}" }, '{ internal_port: 8080, name: "x}" }'],
])("the value %j is shown as %s", (value, expected) => {
  expect(inline(value)).toBe(expected);
});

test("references are shown by name, elements without their ids", () => {
  expect(readable({ id: "1", name: "docker-hub" })).toBe("docker-hub");
  expect(readable({ id: "1" })).toBe("1");
  expect(readable([{ id: "1", internal_port: 80 }])).toEqual([{ internal_port: 80 }]);
});
