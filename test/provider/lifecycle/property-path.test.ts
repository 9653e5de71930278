import { expect, test } from "vitest";
import { formatPropertyPath, parsePropertyPath } from "../../../provider/lifecycle/property-path.ts";

test.each([
  ["cpu", ["cpu"]],
  ["source.image.tag", ["source", "image", "tag"]],
  ["ports[0].internalPort", ["ports", 0, "internalPort"]],
  ['advancedSettings["build.timeout_max_sec"]', ["advancedSettings", "build.timeout_max_sec"]],
  [String.raw`variables["say \"a\\b\""].value`, ["variables", String.raw`say "a\b"`, "value"]],
])("%s is written as Pulumi reads it, and read as Pulumi writes it", (text, path) => {
  expect(formatPropertyPath(path)).toBe(text);
  expect(parsePropertyPath(text)).toEqual(path);
});

test.each([
  ["*", ["*"]],
  ["ports[*].internalPort", ["ports", "*", "internalPort"]],
  ["variables.*", ["variables", "*"]],
])("%s stands for several", (text, path) => {
  expect(parsePropertyPath(text)).toEqual(path);
});
