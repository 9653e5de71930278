import { expect, test } from "vitest";
import { extractPath, sopsReference } from "../../../../core/model/schema/sops.ts";

test.each([
  ["secrets.yaml#password", "secrets.yaml", '["password"]'],
  ["a/b.yaml#database.password", "a/b.yaml", '["database"]["password"]'],
  ["secrets.yaml#users[0].password", "secrets.yaml", '["users"][0]["password"]'],
  ["secrets.yaml#grid[1][12]", "secrets.yaml", '["grid"][1][12]'],
  ['secrets.yaml#["db.password"]', "secrets.yaml", '["db.password"]'],
  ['secrets.yaml#hosts["db.example.com"].key', "secrets.yaml", '["hosts"]["db.example.com"]["key"]'],
  ['secrets.yaml#["a#b"]', "secrets.yaml", '["a#b"]'],
  ["secrets.yaml#0", "secrets.yaml", '["0"]'],
])("a reference to a key of sops is read whole: %s", (text, file, path) => {
  const reference = sopsReference(text);
  expect(reference?.file).toBe(file);
  expect(reference && extractPath(reference)).toBe(path);
});

test.each([
  "secrets.yaml",
  "#key",
  "secrets.yaml#",
  "secrets.yaml#a#b",
  "secrets.yaml#a..b",
  "secrets.yaml#.a",
  "secrets.yaml#a.",
  "secrets.yaml#[0]",
  "secrets.yaml#a[x]",
  "secrets.yaml#a[0",
  "secrets.yaml#a[-1]",
  "secrets.yaml#a[0]b",
  'secrets.yaml#["a"',
  'secrets.yaml#["a\\"b"]',
  "secrets.yaml#['a']",
  "secrets.yaml#a b",
])("what would be dropped is refused: %s", (text) => {
  expect(sopsReference(text)).toBeUndefined();
});
