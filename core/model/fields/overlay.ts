import { type Fields, isFields, type Json, mapFields, own, setOwn } from "../../values/json.ts";
import { alternativesOf, type FieldSchema, hasMembers, memberOf } from "../schema/field-schema.ts";
import { pairElements } from "../schema/elements.ts";

/**
 * Overlays declared fields on a base: objects merge; null resets or removes a field; a list replaces the list, but an
 * element of a set keeps undeclared members of the element with the same key; an alternative drops the others. Changes
 * no argument; the result shares values with both, or is the base.
 */
export function overlay(schema: FieldSchema, base: Fields | undefined, declared: Fields): Fields {
  return lay(schema, base, declared, (reset) => reset.default);
}

/** Overlays declared fields on declared fields, by the same rules. A null stays, to reset the live field. */
export function overlayDeclared(schema: FieldSchema, base: Fields, declared: Fields): Fields {
  return lay(schema, base, declared, () => null);
}

/** The value of a field after null; undefined removes the field. */
type Reset = (schema: FieldSchema) => Json | undefined;

function lay(schema: FieldSchema, base: Fields = {}, declared: Fields, reset: Reset): Fields {
  // The base until something differs, because nearly all fields of a large plan are unchanged.
  let laid = base;
  const set = (member: string, value: Json | undefined) => {
    if (laid === base) laid = { ...base };
    if (value === undefined) delete laid[member];
    else setOwn(laid, member, value);
  };
  for (const member of droppedMembers(schema, declared))
    if (Object.hasOwn(base, member)) set(member, undefined);
  for (const member of Object.keys(declared)) {
    const before = own(laid, member);
    const value = layValue(memberOf(schema, member) ?? {}, before, declared[member] ?? null, reset);
    if (value !== before) set(member, value);
  }
  return laid;
}

export function droppedMembers(schema: FieldSchema, declared: Fields): string[] {
  const chosen = alternativesOf(schema, declared);
  if (chosen.length === 0) return [];
  return (schema.alternatives ?? []).flatMap((group, index) => (chosen.includes(index) ? [] : group));
}

function layValue(
  schema: FieldSchema,
  base: Json | undefined,
  declared: Json,
  reset: Reset,
): Json | undefined {
  if (declared === null) return reset(schema);
  if (schema.opaque || schema.reference !== undefined) return declared;
  if (hasMembers(schema) && isFields(declared)) {
    return lay(schema, isFields(base) ? base : undefined, declared, reset);
  }
  if (schema.set && schema.items?.properties && Array.isArray(declared)) {
    const element = schema.items;
    return pairElements(schema, Array.isArray(base) ? base : [], declared).flatMap(({ left, right }) =>
      isFields(right) ? [lay(element, isFields(left) ? left : undefined, right, reset)] : [],
    );
  }
  return declared;
}

/** The fields without the API's ids of elements, to begin a copy. */
export function withoutElementIds(schema: FieldSchema, fields: Fields): Fields {
  return mapFields(fields, (value, member) =>
    own(schema.properties ?? {}, member)?.identified && Array.isArray(value)
      ? value.map((element) => (isFields(element) ? omit(element, "id") : element))
      : value,
  );
}

/** The fields without undeclared generated texts: the API generates them again, such as the icon of a lifecycle job. */
export function withoutGenerated(schema: FieldSchema, fields: Fields, declared: Fields): Fields {
  return mapFields(fields, (value, member) => {
    const { generated } = own(schema.properties ?? {}, member) ?? {};
    const isGenerated =
      generated !== undefined && typeof value === "string" && new RegExp(generated).test(value);
    return isGenerated && !Object.hasOwn(declared, member) ? undefined : value;
  });
}

export function omit(fields: Fields, member: string): Fields {
  const { [member]: _dropped, ...rest } = fields;
  return rest;
}
