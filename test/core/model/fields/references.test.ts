import { describe, expect, test } from "vitest";
import { type CatalogueEntry, resolveReferences } from "../../../../core/model/fields/references.ts";
import type { Fields } from "../../../../core/values/json.ts";
import { environment } from "../../../../core/model/kinds/environment.ts";
import { job } from "../../../../core/model/kinds/job.ts";
import type { Catalogue } from "../../../../core/model/schema/catalogues.ts";

const catalogues: Partial<Record<Catalogue, readonly CatalogueEntry[]>> = {
  cluster: [
    { id: "c1", name: "eu-west" },
    { id: "c2", name: "twin" },
    { id: "c3", name: "TWIN" },
  ],
  labelsGroup: [],
};

const cases: {
  name: string;
  declared: Fields;
  current?: Fields;
  fields?: Fields;
  missing?: string[];
  problem?: string;
}[] = [
  { name: "by name", declared: { cluster: "eu-west" }, fields: { cluster: { id: "c1", name: "eu-west" } } },
  { name: "by id", declared: { cluster: "c1" }, fields: { cluster: { id: "c1", name: "eu-west" } } },
  {
    name: "by a name in another case",
    declared: { cluster: "EU-West" },
    fields: { cluster: { id: "c1", name: "eu-west" } },
  },
  {
    name: "the exact name first",
    declared: { cluster: "twin" },
    fields: { cluster: { id: "c2", name: "twin" } },
  },
  {
    name: "two that differ by case",
    declared: { cluster: "Twin" },
    problem: 'there are 2 clusters named "Twin"; declare the id of one: c2, c3',
  },
  {
    name: "nothing of that name",
    declared: { cluster: "mars" },
    problem: 'there is no cluster "mars"; the organization has: TWIN, eu-west, twin',
  },
  {
    name: "what is live needs no catalogue",
    declared: { cluster: "old" },
    current: { cluster: { id: "gone", name: "Old" } },
    fields: { cluster: { id: "gone", name: "Old" } },
  },
  { name: "null stays", declared: { cluster: null }, fields: { cluster: null } },
];

describe("references", () => {
  test.each(cases)("$name", ({ declared, current, fields, problem }) => {
    const resolved = resolveReferences(
      environment.fields,
      declared,
      current,
      (catalogue) => catalogues[catalogue],
    );
    expect(resolved.problems.map(({ message, advice }) => `${message}; ${advice}`)).toEqual(
      problem === undefined ? [] : [problem],
    );
    if (fields) expect(resolved.fields).toEqual(fields);
    expect(resolved.missing).toEqual([]);
  });

  test("requests each missing catalogue once, wherever the reference is", () => {
    const declared: Fields = {
      source: { image: { registry: "hub" } },
      labels_groups: ["a", "b"],
      annotations_groups: ["c"],
    };
    const { missing, problems } = resolveReferences(
      job.fields,
      declared,
      {},
      (catalogue) => catalogues[catalogue],
    );
    expect(missing.toSorted()).toEqual(["annotationsGroup", "containerRegistry"]);
    expect(problems.map(({ path, message, advice }) => [path, `${message}; ${advice}`])).toEqual([
      [["labels_groups", "[0]"], 'there is no label group "a"; the organization has no label groups'],
      [["labels_groups", "[1]"], 'there is no label group "b"; the organization has no label groups'],
    ]);
  });
});
