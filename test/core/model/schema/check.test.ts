import { symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { kinds } from "../../../../core/model/kinds/index.ts";
import { checks } from "../../../../core/manifests/manifest/checks/index.js";
import { type Check, checkFor, type CompiledCheck } from "../../../../core/model/schema/check.ts";
import type { FieldSchema } from "../../../../core/model/schema/field-schema.ts";
import { plainFormats } from "../../../../core/model/schema/formats.ts";
import { checks as checksOfPrograms } from "../../../../provider/lifecycle/checks/index.js";
import { checkCode } from "../../../../tools/check-code.ts";
import { temporaryFolder } from "../../../fixtures/temporary-folder.ts";

const ports: FieldSchema = {
  type: "array",
  minItems: 2,
  items: { type: "integer", minimum: 5, enum: [1, 5, 80] },
};
const free: FieldSchema = { type: "string", maxLength: 2 };
const others: FieldSchema = { type: "object", additionalProperties: free, required: ["a/b", "c~d"] };
const name: FieldSchema = { type: "string", format: "name", description: "What people call it." };
const schema: FieldSchema = {
  type: "object",
  description: "A thing.",
  properties: { ports, others, name },
  required: ["name"],
  additionalProperties: false,
};

/** The check that ajv makes of a schema, as the build writes and loads it. */
async function made(): Promise<Check> {
  const folder = temporaryFolder("check");
  await symlink(path.resolve("node_modules"), path.join(folder, "node_modules"));
  const file = path.join(folder, "check.mjs");
  await writeFile(file, checkCode({ schema, formats: plainFormats }));
  const module = (await import(pathToFileURL(file).href)) as { check: CompiledCheck };
  return checkFor({ made: module.check, schema: () => schema, formats: plainFormats });
}

test("each error has the rule, the place, the value there and its schema as it is declared", async () => {
  const check = await made();
  expect(check({ ports: [5, 80], others: { "a/b": "x", "c~d": "y" }, name: "shop" })).toEqual([]);
  expect(check({ ports: [1], others: { "a/b": "long" }, name: " shop", nmae: null })).toEqual([
    {
      keyword: "additionalProperties",
      instancePath: "",
      path: [],
      member: "nmae",
      schema,
      value: expect.anything(),
      isRequired: true,
    },
    {
      keyword: "minItems",
      instancePath: "/ports",
      path: ["ports"],
      schema: ports,
      value: [1],
      isRequired: false,
    },
    {
      keyword: "minimum",
      instancePath: "/ports/0",
      path: ["ports", 0],
      schema: ports.items,
      value: 1,
      isRequired: false,
    },
    {
      keyword: "required",
      instancePath: "/others",
      path: ["others"],
      member: "c~d",
      schema: others,
      value: { "a/b": "long" },
      isRequired: false,
    },
    {
      keyword: "maxLength",
      instancePath: "/others/a~1b",
      path: ["others", "a/b"],
      schema: free,
      value: "long",
      isRequired: true,
    },
    {
      keyword: "format",
      instancePath: "/name",
      path: ["name"],
      schema: name,
      value: " shop",
      isRequired: true,
    },
  ]);
});

test("a value of the wrong type is one mistake, whatever other rules it breaks", async () => {
  const check = await made();
  expect(check({ ports: ["80", 5], name: "shop" })).toEqual([
    {
      keyword: "type",
      instancePath: "/ports/0",
      path: ["ports", 0],
      schema: ports.items,
      value: "80",
      isRequired: false,
    },
  ]);
  expect(check([]).map(({ keyword }) => keyword)).toEqual(["type"]);
});

test("lengths are counted in characters", async () => {
  const check = await made();
  const value = { others: { "a/b": "💥💥", "c~d": "" }, name: "shop" };
  expect(check(value)).toEqual([]);
});

test("the build makes a check of the documents and of the programs of every kind", () => {
  const names = kinds.map((kind) => kind.name).toSorted();
  expect(Object.keys(checks).toSorted()).toEqual([...names, "Template", "TemplateUse"].toSorted());
  expect(Object.keys(checksOfPrograms).toSorted()).toEqual([...names, "Deployment"].toSorted());
});
