import { describe, expect, test } from "vitest";
import type { Json } from "../../../../core/values/json.ts";
import { type FieldSchema, kinds } from "../../../../core/model/kinds/index.ts";
import { parseManifest } from "../../../../core/manifests/manifest/index.ts";

interface Member {
  path: (string | number)[];
  schema: FieldSchema;
  isRequired: boolean;
  /** The required members of the elements of lists, so that no other problem occurs. */
  around: (value: Json) => Json;
}

/** All members of a schema, including those of the elements of lists. */
function membersOf(schema: FieldSchema, path: (string | number)[], around: (value: Json) => Json): Member[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    if (inner.place === "engine") return [];
    const inside = (value: Json) => around({ ...needed(schema), [name]: value });
    const here = [...path, name];
    const member = {
      path: here,
      schema: inner,
      isRequired: schema.required?.includes(name) ?? false,
      around: inside,
    };
    if (inner.opaque) return [member];
    return inner.items
      ? [member, ...membersOf(inner.items, [...here, 0], (value) => inside([value]))]
      : [member, ...membersOf(inner, here, inside)];
  });
}

function needed(schema: FieldSchema): { [member: string]: Json } {
  return Object.fromEntries(
    (schema.required ?? []).map((name) => {
      const member = schema.properties?.[name];
      const text = member?.format === "uuid" ? "00000000-0000-4000-8000-000000000000" : "x";
      return [name, member?.enum?.[0] ?? (member?.type === "integer" ? 1 : text)];
    }),
  );
}

describe.each(kinds.filter(({ fields }) => Object.keys(fields.properties ?? {}).length > 0))(
  "$name",
  (kind) => {
    const head = {
      kind: kind.name,
      ...(kind.parent && { [String(kind.parentMember)]: "a/b/c".slice(0, kind.depth * 2 - 1) }),
      name: kind.names?.format ? "x@example.com" : "x",
    };
    const parse = (fields: Json) => parseManifest(JSON.stringify({ ...head, ...(fields as object) }), "x");

    test.each(
      membersOf(kind.fields, [], (value) => value).map((member) => [member.path.join("."), member] as const),
    )("null for %s", (_path, { around, schema, isRequired }) => {
      const fields = around(null);
      const { documents, problems } = parse(fields);
      if (isRequired)
        expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining("has no value")]);
      else if (schema.resettable === false) {
        expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining("cannot be reset")]);
      } else {
        expect(problems).toEqual([]);
        expect(documents[0]?.fields).toEqual(fields);
      }
    });
  },
);
