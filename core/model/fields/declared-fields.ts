import { compare } from "./compare.ts";
import { type Fields, isFields, type Json, own } from "../../values/json.ts";
import { shortForm } from "./short-form.ts";
import { type FieldSchema, hasMembers, memberOf } from "../schema/field-schema.ts";

/** The fields in a written document. `needed`: for a creation; `usual`: also often changed ones; `all`: also all defaults; `whole`: also those that no document can declare, and empty parts. */
export type Extent = "needed" | "usual" | "all" | "whole";

/** The fields as a person would write them: references by name, no ids of elements, defaults by `extent`. */
export function toDeclared(schema: FieldSchema, fields: Fields, extent: Extent = "needed"): Fields {
  return Object.fromEntries(
    membersIn(schema, fields).flatMap(([member, memberSchema, value]) => {
      const isNeeded = schema.needs?.includes(member);
      if (!isNeeded && isImplied(member, memberSchema, value, extent)) return [];
      // A part with only implied values needs no declaration.
      const isEmpty =
        extent !== "whole" &&
        memberSchema.part !== undefined &&
        isFields(value) &&
        membersIn(memberSchema, value).every((each) => isImplied(...each, extent));
      return isEmpty ? [] : [[member, declaredValue(memberSchema, value, extent)]];
    }),
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

/** Whether a document omits a field, because a creation gives it that value. */
function isImplied(member: string, schema: FieldSchema, value: Json, extent: Extent): boolean {
  if (extent === "whole") return false;
  const { default: fallback, generated, place, oftenChanged } = schema;
  // No document can declare it.
  if (place === "engine") return true;
  // The API returns an empty list only if somebody has set one.
  const isGiven = oftenChanged || (Array.isArray(value) && !schema.set && !schema.alwaysSent);
  if (extent === "all" || (extent === "usual" && isGiven)) return false;
  if (generated !== undefined && typeof value === "string") return new RegExp(generated).test(value);
  return (
    fallback !== undefined &&
    compare({ properties: { [member]: schema } }, {}, { [member]: value }).length === 0
  );
}

export function declaredValue(schema: FieldSchema, value: Json, extent: Extent = "needed"): Json {
  if (schema.opaque) return value;
  if (schema.reference !== undefined && isFields(value)) return value["name"] ?? value["id"] ?? null;
  if (hasMembers(schema) && isFields(value)) return shortForm(schema, toDeclared(schema, value, extent));
  const { items } = schema;
  if (items && Array.isArray(value)) return value.map((element) => declaredValue(items, element, extent));
  return value;
}
