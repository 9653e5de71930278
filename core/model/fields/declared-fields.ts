import { compare } from "./compare.ts";
import { type Fields, isFields, type Json, own } from "../../values/json.ts";
import { shortForm } from "./short-form.ts";
import { type FieldSchema, hasMembers, memberOf } from "../schema/field-schema.ts";

/**
 * Which fields a document states. `needed`: those without which a creation would give another value; `usual`: also those
 * that people change on a running resource; `all`: also all others that have their defaults.
 */
export type Extent = "needed" | "usual" | "all";

/** The fields as a person would write them: references by name, no ids of elements, and defaults as asked. */
export function toStated(schema: FieldSchema, fields: Fields, extent: Extent = "needed"): Fields {
  return Object.fromEntries(
    membersIn(schema, fields).flatMap(([member, memberSchema, value]) => {
      const isNeeded = schema.needs?.includes(member);
      if (!isNeeded && isImplied(member, memberSchema, value, extent)) return [];
      // A part of which all is implied states nothing.
      const isEmpty =
        memberSchema.part !== undefined &&
        isFields(value) &&
        membersIn(memberSchema, value).every((each) => isImplied(...each, extent));
      return isEmpty ? [] : [[member, statedValue(memberSchema, value, extent)]];
    }),
  );
}

/** The same with all fields that there are, also those with their defaults. */
export function toWhole(schema: FieldSchema, fields: Fields): Fields {
  return Object.fromEntries(
    membersIn(schema, fields).map(([member, memberSchema, value]) => [
      member,
      wholeValue(memberSchema, value),
    ]),
  );
}

function membersIn(
  schema: FieldSchema,
  fields: Fields,
): [member: string, schema: FieldSchema, value: Json][] {
  const members = schema.entries ? Object.keys(fields) : Object.keys(schema.properties ?? {});
  return members.flatMap((member) => {
    const value = own(fields, member);
    return value === undefined ? [] : [[member, memberOf(schema, member) ?? {}, value]];
  });
}

/** Whether a document leaves a field out, because a creation without it gives it that value. */
function isImplied(member: string, schema: FieldSchema, value: Json, extent: Extent): boolean {
  const { default: fallback, generated, place, oftenChanged } = schema;
  // Nobody states it.
  if (place === "engine") return true;
  // The API answers an empty list where somebody has stated one.
  const isGiven = oftenChanged || (Array.isArray(value) && !schema.set && !schema.alwaysSent);
  if (extent === "all" || (extent === "usual" && isGiven)) return false;
  if (generated !== undefined && typeof value === "string") return new RegExp(generated).test(value);
  return (
    fallback !== undefined &&
    compare({ properties: { [member]: schema } }, {}, { [member]: value }).length === 0
  );
}

/** A live value as a person would write it. */
export function statedValue(schema: FieldSchema, value: Json, extent: Extent = "needed"): Json {
  if (schema.opaque) return value;
  if (schema.reference !== undefined && isFields(value)) return value["name"] ?? value["id"] ?? null;
  if (hasMembers(schema) && isFields(value)) return shortForm(schema, toStated(schema, value, extent));
  const { items } = schema;
  if (items && Array.isArray(value)) return value.map((element) => statedValue(items, element, extent));
  return value;
}

/** The same with all fields, also those with their defaults. */
export function wholeValue(schema: FieldSchema, value: Json): Json {
  if (!schema.opaque && hasMembers(schema) && isFields(value))
    return shortForm(schema, toWhole(schema, value));
  const { items } = schema;
  if (items?.properties && Array.isArray(value))
    return value.map((element) => (isFields(element) ? toWhole(items, element) : element));
  return statedValue(schema, value);
}
