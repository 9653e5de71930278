import { type Fields, isFields, type Json, own } from "../../values/json.ts";
import type { Kind } from "../../model/kinds/index.ts";
import { declaredParts } from "../../model/parts/index.ts";
import { type FieldSchema, memberOf } from "../../model/schema/field-schema.ts";
import { hiddenMember } from "../../secrets/index.ts";

/** The fields for policies: names as in documents, the API's defaults, and only the presence of a secret. */
export function seenByPolicies(kind: Kind, fields: Fields): Fields {
  const seen = seenFields(kind.fields, fields);
  for (const { member, form } of declaredParts(kind)) {
    const entries = own(seen, member);
    if (form.isWriteOnly && isFields(entries))
      seen[member] = Object.fromEntries(Object.keys(entries).map((key) => [key, {}]));
  }
  return seen;
}

function seenFields(schema: FieldSchema, fields: Fields): Fields {
  const hidden = hiddenMember(schema, fields);
  const declared = Object.entries(fields).flatMap(([member, value]): [string, Json][] =>
    member === hidden ? [] : [[member, seenValue(memberOf(schema, member), value)]],
  );
  const defaults = Object.entries(schema.properties ?? {}).flatMap(([member, inner]): [string, Json][] =>
    inner.default === undefined || Object.hasOwn(fields, member) ? [] : [[member, inner.default]],
  );
  return Object.fromEntries([...declared, ...defaults]);
}

function seenValue(schema: FieldSchema | undefined, value: Json): Json {
  if (!schema) return value;
  if (schema.secret) return {};
  if (schema.reference !== undefined) return isFields(value) ? (value["name"] ?? value["id"] ?? null) : value;
  if (Array.isArray(value)) return value.map((element) => seenValue(schema.items, element));
  return isFields(value) && !schema.opaque ? seenFields(schema, value) : value;
}
