import { type Fields, isFields, type Json, mapFields, own, sameJson } from "../../values/json.ts";
import { type FieldSchema, memberOf, propertiesOf } from "../schema/field-schema.ts";
import { unknownValue } from "../../problems/unknown.ts";
import { droppedMembers } from "./overlay.ts";

/**
 * The expected answer of the server to a value: an omitted member of a new resource has its default; otherwise it is
 * unknown, as an unresolved reference is. Parts and opaque values are as requested.
 */
export function foreseen(schema: FieldSchema, live: Json | undefined, value: Json, isNew: boolean): Json {
  if (schema.reference !== undefined) return isFields(value) ? value : unknownValue;
  if (schema.opaque || schema.part) return value;
  const { items } = schema;
  if (items && Array.isArray(value) && !sameJson(live, value))
    return value.map((element) => foreseen(items, undefined, element, isNew));
  if (!isFields(value)) return value;
  const present = isFields(live) ? live : undefined;
  const members = mapFields(value, (inner, member) =>
    foreseen(memberOf(schema, member) ?? {}, present && own(present, member), inner, isNew),
  );
  return present ? members : { ...undeclaredMembers(schema, value, isNew), ...members };
}

/** Without members of alternatives that are not used. */
function undeclaredMembers(schema: FieldSchema, declared: Fields, isNew: boolean): Fields {
  const excluded = new Set(droppedMembers(schema, declared));
  return Object.fromEntries(
    propertiesOf(schema).flatMap(([member, { default: fallback, part }]) =>
      part || excluded.has(member) ? [] : [[member, (isNew ? fallback : undefined) ?? unknownValue]],
    ),
  );
}
