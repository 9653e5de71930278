import { expect, test } from "vitest";
import type { Fields } from "../../../core/values/json.ts";
import { pathAmong, withoutIgnored } from "../../../core/rules/ignored-fields.ts";
import type { FieldSchema } from "../../../core/model/schema/field-schema.ts";
import type { Path } from "../../../core/source/mistake.ts";

const schema: FieldSchema = {
  properties: {
    image: { properties: { name: {}, tag: {} } },
    ports: { set: ["port"], items: { properties: { port: {}, open: {} } } },
    arguments: { items: { type: "string" } },
    settings: { entries: {} },
  },
};
const declared = {
  image: { name: "a", tag: "1" },
  ports: [
    { port: 1, open: true },
    { port: 2, open: true },
  ],
  arguments: ["a", "b"],
  settings: { "a.b": 1, c: 2 },
};

test.each<[string, Path, Fields]>([
  ["a member", ["image", "tag"], { image: { name: "a" } }],
  ["a whole field", ["image"], { image: undefined }],
  ["a member of every element", ["ports", "open"], { ports: [{ port: 1 }, { port: 2 }] }],
  ["a member of every element, with a star", ["ports", "*", "open"], { ports: [{ port: 1 }, { port: 2 }] }],
  ["a member of an element", ["ports", 1, "open"], { ports: [{ port: 1, open: true }, { port: 2 }] }],
  ["the key of an element: the list", ["ports", 1, "port"], { ports: undefined }],
  ["an element: the list", ["ports", 1], { ports: undefined }],
  ["an element of a list without keys: the list", ["arguments", 0], { arguments: undefined }],
  ["a key with a dot", ["settings", "a.b"], { settings: { c: 2 } }],
  ["every key", ["settings", "*"], { settings: {} }],
  ["what is not declared", ["image", "registry", "id"], {}],
] as [string, Path, Fields][])("what is ignored is not declared: %s", (_, path, expected) => {
  const { ...rest } = { ...declared, ...expected };
  expect(withoutIgnored(schema, declared, [path])).toEqual(JSON.parse(JSON.stringify(rest)));
});

test("a star ignores everything", () => {
  expect(withoutIgnored(schema, declared, [["*"]])).toEqual({});
});

test("a text names a key with a dot where the fields have one", () => {
  expect(pathAmong(declared, "settings.a.b")).toEqual(["settings", "a.b"]);
  expect(pathAmong(declared, "settings.x.y")).toEqual(["settings", "x", "y"]);
  expect(pathAmong(declared, "ports.open")).toEqual(["ports", "open"]);
});
