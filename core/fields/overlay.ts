import { type Fields, isFields, type Json, mapFields, own } from "../json.ts";
import { alternativesOf, type FieldSchema } from "../schema/field-schema.ts";
import { pairElements } from "./elements.ts";

/**
 * Lays stated fields over a base and gives the whole: objects merge, null resets to the default (or removes), a
 * list is as stated, but what an element of a set does not state is kept from the element with the same key; an
 * alternative that is stated drops the others. Neither argument is changed; the result shares values with both.
 */
export function overlay(schema: FieldSchema, base: Fields | undefined, stated: Fields): Fields {
  const dropped = droppedMembers(schema, stated);
  const kept = mapFields(base ?? {}, (value, member) => (dropped.includes(member) ? undefined : value));
  return mapFields({ ...kept, ...stated }, (value, member) =>
    Object.hasOwn(stated, member)
      ? overlayValue(own(schema.properties ?? {}, member) ?? {}, own(kept, member), value)
      : value,
  );
}

/** The members of the alternatives that are not the stated one. */
function droppedMembers(schema: FieldSchema, stated: Fields): string[] {
  const chosen = alternativesOf(schema, stated);
  if (chosen.length === 0) return [];
  return (schema.alternatives ?? []).flatMap((group, index) => (chosen.includes(index) ? [] : group));
}

function overlayValue(schema: FieldSchema, base: Json | undefined, stated: Json): Json | undefined {
  if (stated === null) return schema.default === undefined ? undefined : schema.default;
  if (schema.opaque || schema.reference !== undefined) return stated;
  if (schema.properties && isFields(stated)) {
    return overlay(schema, isFields(base) ? base : undefined, stated);
  }
  if (schema.set && schema.items?.properties && Array.isArray(stated)) {
    const element = schema.items;
    return pairElements(schema, Array.isArray(base) ? base : [], stated).flatMap(({ left, right }) =>
      isFields(right) ? [overlay(element, isFields(left) ? left : undefined, right)] : [],
    );
  }
  return stated;
}

/** The fields without the ids that the API gave to elements: what a copy of the resource starts from. */
export function withoutElementIds(schema: FieldSchema, fields: Fields): Fields {
  return mapFields(fields, (value, member) =>
    own(schema.properties ?? {}, member)?.identified && Array.isArray(value)
      ? value.map((element) => (isFields(element) ? omit(element, "id") : element))
      : value,
  );
}

function omit(fields: Fields, member: string): Fields {
  const { [member]: _dropped, ...rest } = fields;
  return rest;
}
