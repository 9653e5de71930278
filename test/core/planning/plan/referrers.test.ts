import { describe, expect, test } from "vitest";
import { idsReferredTo } from "../../../../core/model/fields/references.ts";
import type { Fields, Json } from "../../../../core/values/json.ts";
import { kinds } from "../../../../core/model/kinds/index.ts";
import type { Catalogue } from "../../../../core/model/schema/catalogues.ts";
import type { FieldSchema } from "../../../../core/model/schema/field-schema.ts";

interface Referring {
  path: string;
  catalogue: Catalogue;
  /** A value with one reference, to the entry `it`. */
  value: Json;
}

/** All places of a schema that refer to an entry of a list of the organization. */
function referring({ reference, properties = {}, items, entries }: FieldSchema, path: string): Referring[] {
  if (reference !== undefined) return [{ path, catalogue: reference, value: { id: "it", name: "it" } }];
  const members = Object.entries(properties).flatMap(([member, inner]) =>
    referring(inner, `${path}.${member}`).map((each) => ({ ...each, value: { [member]: each.value } })),
  );
  const elements = items
    ? referring(items, `${path}[]`).map((each) => ({ ...each, value: [each.value] }))
    : [];
  const keyed = entries
    ? referring(entries, `${path}{}`).map((each) => ({ ...each, value: { key: each.value } }))
    : [];
  return [...members, ...elements, ...keyed];
}

const places = kinds.flatMap((kind) =>
  referring(kind.fields, kind.name).map(
    ({ path, catalogue, value }) => [path, kind, catalogue, value as Fields] as const,
  ),
);

describe("whatever refers to an entry of a list of the organization keeps it from being deleted", () => {
  test.each(places)("%s", (_path, { fields }, catalogue, value) => {
    expect(idsReferredTo(fields, value, catalogue)).toEqual(["it"]);
  });
});
