import { type Fields, isFields, type Json, mapFields, own, sameJson } from "../../values/json.ts";
import { type FieldSchema, memberOf, propertiesOf } from "../schema/field-schema.ts";
import { unknownValue } from "../../problems/unknown.ts";
import { droppedMembers } from "./overlay.ts";

/**
 * A value as an answer of the server will have it after a request that states it. References are `{id, name}` once they have been
 * looked up, and unknown until then. Members that are not stated have their defaults in a new resource; others are unknown, unless
 * they are excluded by what is stated. Parts and opaque values are as they are stated.
 *
 * @param live the present value; undefined where there is none
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
  return present ? members : { ...unstatedMembers(schema, value, isNew), ...members };
}

/** Those of alternatives that are not stated are not among them. */
function unstatedMembers(schema: FieldSchema, stated: Fields, isNew: boolean): Fields {
  const excluded = new Set(droppedMembers(schema, stated));
  return Object.fromEntries(
    propertiesOf(schema).flatMap(([member, { default: fallback, part }]) =>
      part || excluded.has(member) ? [] : [[member, (isNew ? fallback : undefined) ?? unknownValue]],
    ),
  );
}
