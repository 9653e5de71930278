import { type Fields, isFields, type Json, mapFields, own, setOwn } from "../../values/json.ts";
import { alternativesOf, type FieldSchema, hasMembers, memberOf } from "../schema/field-schema.ts";
import { pairElements } from "../schema/elements.ts";

/**
 * Overlays stated fields on a base: objects merge; null resets a field to its default or removes it; a stated list
 * replaces the list, but an element of a set keeps unstated members of the element with the same key; a stated
 * alternative drops the others. Neither argument is changed; the result shares values with both, or is the base.
 */
export function overlay(schema: FieldSchema, base: Fields | undefined, stated: Fields): Fields {
  return lay(schema, base, stated, (reset) => reset.default);
}

/**
 * Overlays stated fields on stated fields, by the same rules. The result is stated too, so a null stays, to reset the
 * live field.
 */
export function overlayStated(schema: FieldSchema, base: Fields, stated: Fields): Fields {
  return lay(schema, base, stated, () => null);
}

/** The value that null gives to a field; undefined removes the field. */
type Reset = (schema: FieldSchema) => Json | undefined;

function lay(schema: FieldSchema, base: Fields = {}, stated: Fields, reset: Reset): Fields {
  // The base itself until something differs, because nearly all fields of a large plan are as they are.
  let laid = base;
  const set = (member: string, value: Json | undefined) => {
    if (laid === base) laid = { ...base };
    if (value === undefined) delete laid[member];
    else setOwn(laid, member, value);
  };
  for (const member of droppedMembers(schema, stated))
    if (Object.hasOwn(base, member)) set(member, undefined);
  for (const member of Object.keys(stated)) {
    const before = own(laid, member);
    const value = layValue(memberOf(schema, member) ?? {}, before, stated[member] ?? null, reset);
    if (value !== before) set(member, value);
  }
  return laid;
}

/** The members of all alternatives except the stated one. */
export function droppedMembers(schema: FieldSchema, stated: Fields): string[] {
  const chosen = alternativesOf(schema, stated);
  if (chosen.length === 0) return [];
  return (schema.alternatives ?? []).flatMap((group, index) => (chosen.includes(index) ? [] : group));
}

function layValue(schema: FieldSchema, base: Json | undefined, stated: Json, reset: Reset): Json | undefined {
  if (stated === null) return reset(schema);
  if (schema.opaque || schema.reference !== undefined) return stated;
  if (hasMembers(schema) && isFields(stated)) {
    return lay(schema, isFields(base) ? base : undefined, stated, reset);
  }
  if (schema.set && schema.items?.properties && Array.isArray(stated)) {
    const element = schema.items;
    return pairElements(schema, Array.isArray(base) ? base : [], stated).flatMap(({ left, right }) =>
      isFields(right) ? [lay(element, isFields(left) ? left : undefined, right, reset)] : [],
    );
  }
  return stated;
}

/** The fields without the ids that the API gave to elements: the start of a copy of the resource. */
export function withoutElementIds(schema: FieldSchema, fields: Fields): Fields {
  return mapFields(fields, (value, member) =>
    own(schema.properties ?? {}, member)?.identified && Array.isArray(value)
      ? value.map((element) => (isFields(element) ? omit(element, "id") : element))
      : value,
  );
}

/**
 * The fields without unstated texts that the API chose at creation: the API chooses them again for a replacement. A job
 * that becomes a lifecycle job gets the icon of one.
 */
export function withoutGenerated(schema: FieldSchema, fields: Fields, stated: Fields): Fields {
  return mapFields(fields, (value, member) => {
    const { generated } = own(schema.properties ?? {}, member) ?? {};
    const isGenerated =
      generated !== undefined && typeof value === "string" && new RegExp(generated).test(value);
    return isGenerated && !Object.hasOwn(stated, member) ? undefined : value;
  });
}

export function omit(fields: Fields, member: string): Fields {
  const { [member]: _dropped, ...rest } = fields;
  return rest;
}
