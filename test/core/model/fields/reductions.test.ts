import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lessIn } from "../../../../core/model/fields/reductions.ts";
import { formatPath } from "../../../../core/model/fields/compare.ts";
import { application } from "../../../../core/model/kinds/application.ts";
import { type Fields, sameJson } from "../../../../core/values/json.ts";
import { randomKinds } from "../../../fixtures/every-kind.ts";
import { arbitraryFields } from "../../../fixtures/random-documents.ts";

const volume = { mount_point: "/data", size: 20, type: "FAST_SSD" };

test.each<[string, Fields, Fields, string[]]>([
  ["nothing", { storage: [volume] }, { storage: [{ ...volume, id: "1" }] }, []],
  ["a field that is not there", { storage: [volume] }, {}, ["storage"]],
  ["a field with its default that is not there", { cpu: 500, description: "" }, {}, []],
  [
    "an element",
    { storage: [volume, { ...volume, mount_point: "/a" }] },
    { storage: [volume] },
    ["storage[/a]"],
  ],
  [
    "a smaller number",
    { storage: [volume] },
    { storage: [{ ...volume, size: 10 }] },
    ["storage[/data].size"],
  ],
  ["a larger number", { storage: [volume] }, { storage: [{ ...volume, size: 30 }] }, []],
  ["an emptied text", { description: "a" }, { description: "" }, ["description"]],
  ["another text", { description: "a" }, { description: "b" }, []],
  ["a shorter list", { arguments: ["a", "b"] }, { arguments: ["a"] }, ["arguments"]],
  [
    "a member",
    { git_repository: { url: "u", branch: "b" } },
    { git_repository: { url: "u" } },
    ["git_repository.branch"],
  ],
  ["another reference", { labels_groups: [{ id: "1" }] }, { labels_groups: [{ id: "1", name: "a" }] }, []],
])("less is %s", (_name, seen, read, paths) => {
  expect(lessIn(application.fields, seen, read).map(formatPath)).toEqual(paths);
});

describe.each(randomKinds)("of any $name", ({ fields: schema, ...kind }) => {
  const samples = fc.sample(arbitraryFields({ fields: schema, ...kind }, "complete", "with", "without"), {
    numRuns: 20,
    seed: 1,
  });

  test("nothing is less than itself, and what is left out is found", () => {
    for (const fields of samples) {
      expect(lessIn(schema, fields, fields)).toEqual([]);
      for (const [member, value] of Object.entries(fields)) {
        const { [member]: _left, ...others } = fields;
        const isEmpty =
          value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);
        const isDefault = sameJson(value, schema.properties?.[member]?.default);
        expect(lessIn(schema, fields, others)).toEqual(isEmpty || isDefault ? [] : [[member]]);
      }
    }
  });
});
