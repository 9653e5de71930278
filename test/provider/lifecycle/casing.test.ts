import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Fields, Json } from "../../../core/values/json.ts";
import { type FieldSchema, kinds } from "../../../core/model/kinds/index.ts";
import { camelCase, camelSchema, toCamel, toSnake } from "../../../provider/lifecycle/casing.ts";
import { tries } from "../../fixtures/random-cases.ts";

/** Values of a schema, complete and partial. */
function valueOf(schema: FieldSchema): fc.Arbitrary<Json> {
  if (schema.opaque) return fc.dictionary(fc.constantFrom("snake_key", "camelKey", "a.b"), fc.string());
  // Of a secret, a program knows the value and nothing else.
  if (schema.secret) return fc.record({ value: fc.string({ maxLength: 3 }) });
  const { properties, items } = schema;
  if (properties) {
    return fc.record(
      Object.fromEntries(Object.entries(properties).map(([member, inner]) => [member, valueOf(inner)])),
      { requiredKeys: [] },
    ) as fc.Arbitrary<Fields>;
  }
  return items ? fc.array(valueOf(items), { maxLength: 2 }) : fc.string({ maxLength: 3 });
}

describe.each(kinds)("$name", (kind) => {
  test("the conversion to camelCase and back returns the same manifest", () => {
    fc.assert(
      fc.property(valueOf(kind.fields), (value) => {
        expect(toSnake(kind.fields, toCamel(kind.fields, value))).toEqual(value);
      }),
      { numRuns: tries(50) },
    );
  });

  test("no two members have the same name in camelCase", () => {
    const names = (schema: FieldSchema): string[][] => [
      Object.keys(schema.properties ?? {}),
      ...Object.values(schema.properties ?? {}).flatMap(names),
      ...(schema.items ? names(schema.items) : []),
    ];
    for (const members of names(kind.fields))
      expect(new Set(members.map(camelCase)).size).toBe(members.length);
  });

  test("the schema of the inputs contains no snake_case name", () => {
    const { description: _, ...schema } = camelSchema(kind.fields);
    const keys: string[] = [];
    JSON.stringify(schema, (key, value: unknown) => {
      keys.push(key);
      if (typeof value === "string") expect(value).not.toMatch(/`[a-z]+_[a-z]+`/);
      // What is written as a whole keeps the names of the API.
      return (value as FieldSchema | null)?.opaque ? {} : value;
    });
    expect(keys.filter((key) => key.includes("_"))).toEqual([]);
  });
});

test("the keys of a free map are not converted", () => {
  const schema: FieldSchema = {
    properties: { config_json: { type: "object", opaque: true }, max_nb_restart: { type: "integer" } },
  };
  const value = { config_json: { some_key: { otherKey: 1 } }, max_nb_restart: 1 };
  expect(toCamel(schema, value)).toEqual({ configJson: { some_key: { otherKey: 1 } }, maxNbRestart: 1 });
});
