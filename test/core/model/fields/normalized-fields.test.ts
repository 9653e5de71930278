import { describe, expect, test } from "vitest";
import type { FieldChange } from "../../../../core/model/fields/compare.ts";
import { type Normalization, rewriting } from "../../../../core/model/fields/normalization.ts";
import {
  markNormalized,
  showsMember,
  normalizedFields,
} from "../../../../core/model/fields/normalized-fields.ts";
import type { Fields, Json } from "../../../../core/values/json.ts";
import { kindOf } from "../../../../core/model/kinds/index.ts";

const { fields: schema } = kindOf("Application");

describe("how a server may have derived the live value from the wanted value", () => {
  test.each<[name: string, live: Json, desired: Json, Normalization | undefined]>([
    ["the same", "a", "a", undefined],
    ["another text", "b", "a", undefined],
    ["a space at the end", "a", "a ", "white_space"],
    ["a line break at the end, as of a YAML block", "a\nb", "a\nb\n", "white_space"],
    ["other line breaks", "a\nb", "a\r\nb", "white_space"],
    ["two spaces for one", "0 3 * * *", "0  3 * * *", "white_space"],
    ["a space more on the server", "a ", "a", "white_space"],
    ["a space that parts words", "ab", "a b", undefined],
    ["lower case", "acme/api", "Acme/API", "letter_case"],
    ["upper case", "UTC", "utc", "letter_case"],
    ["lower case, and a space less", "a", " A", "letter_case"],
    ["a capital letter that only the server has", "Some text", "some text", undefined],
    ["another order of a list", ["a", "b"], ["b", "a"], "order"],
    ["another list", ["a", "b"], ["b", "c"], undefined],
    ["a shorter list", ["a"], ["a", "a"], undefined],
    ["spaces in a list", ["a"], ["a "], "white_space"],
    ["another order inside an object", { a: [1, 2] }, { a: [2, 1] }, "order"],
    ["lower case inside an object", { a: "x" }, { a: "X" }, "letter_case"],
    ["near", 500, 510, undefined],
    ["doubled", 500, 1000, undefined],
    ["half as much again", 500, 750, undefined],
    ["rounder than it is live", 510, 500, undefined],
    ["next to nothing", 501, 503, undefined],
    ["another type", 1, "1", undefined],
    ["a truth", true, false, undefined],
    ["an id of the organization", { id: "a", name: "A" }, { id: "b", name: "B" }, undefined],
  ])("%s", (_name, live, desired, expected) => {
    expect(rewriting(live, desired)).toBe(expected);
  });
});

describe("the changes of a plan that the server may not keep", () => {
  const marked = (changes: FieldChange[], isShown = true) =>
    markNormalized(schema, changes, () => isShown).map(({ normalized }) => normalized);

  test.each<[name: string, changes: FieldChange[], (Normalization | undefined)[]]>([
    [
      "a number that is near: somebody has changed it",
      [{ path: ["cpu"], before: 500, after: 510 }],
      [undefined],
    ],
    ["a field that comes", [{ path: ["icon_uri"], after: "app://x" }], [undefined]],
    ["a name in another spelling", [{ path: ["name"], before: "a-b", after: "A b" }], ["spelling"]],
    ["another name", [{ path: ["name"], before: "a", after: "b" }], [undefined]],
    [
      "an element whose key has been rewritten",
      [
        { path: ["storage", "[/data]"], before: { mount_point: "/data", size: 1, type: "FAST_SSD" } },
        { path: ["storage", "[/Data]"], after: { mount_point: "/Data", size: 1 } },
      ],
      ["letter_case", "letter_case"],
    ],
    [
      "an element in the place of another",
      [
        { path: ["storage", "[/a]"], before: { mount_point: "/a" } },
        { path: ["storage", "[/b]"], after: { mount_point: "/b" } },
      ],
      [undefined, undefined],
    ],
  ])("%s", (_name, changes, expected) => {
    expect(marked(changes)).toEqual(expected);
  });

  test("a field missing from all responses, its removal, and a change that is no field are not such changes", () => {
    expect(
      marked(
        [
          { path: ["icon_uri"], after: "app://x" },
          { path: ["icon_uri"], before: "app://x" },
          { path: ["storage", "[/a]"], after: { mount_point: "/a" } },
          { path: ["variables", "A"], after: "x" },
        ],
        false,
      ),
    ).toEqual(["not_shown", undefined, undefined, undefined]);
  });
});

test("no response shows an alternative other than the chosen one", () => {
  const changes = [{ path: ["schedule", "on_start"], after: {} }];
  expect(markNormalized(kindOf("Job").fields, changes, () => false)).toEqual(changes);
});

test.each<[name: string, path: string[], boolean]>([
  ["a member", ["cpu"], true],
  ["one that is null", ["port"], true],
  ["a field that does not exist", ["icon_uri"], false],
  ["one inside", ["git_repository", "url"], true],
  ["a field inside one that does not exist", ["git_repository", "branch"], false],
  ["inside what is not set", ["port", "x"], true],
  ["a reference as an id", ["git_repository", "git_token"], true],
  ["of an element", ["ports", "[8080/HTTP]", "name"], true],
  ["of no element", ["ports", "[8080/HTTP]", "external_port"], false],
  ["of an empty list", ["storage", "[/a]", "size"], true],
])("a response shows %s: %s", (_name, path, expected) => {
  const response: Fields = {
    cpu: 500,
    port: null,
    git_repository: { url: "x", git_token_id: "y" },
    ports: [{ internal_port: 80 }, { internal_port: 8080, name: "a" }],
    storage: [],
  };
  expect(showsMember(response, path)).toBe(expected);
});

test("a response shows the value that the server has kept instead of the sent one", () => {
  const sent = { cpu: 510, memory: 512, icon_uri: "app://x", description: "" };
  const answered = { cpu: 500, auto_preview: true };
  expect(normalizedFields(schema, answered, sent, false)).toEqual([{ path: ["cpu"], sent: 510, kept: 500 }]);
  expect(normalizedFields(schema, answered, sent, true)).toEqual([
    { path: ["cpu"], sent: 510, kept: 500 },
    { path: ["icon_uri"], sent: "app://x" },
  ]);
});
