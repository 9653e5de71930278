import { type Fields, isFields, type Json, own } from "../json.ts";
import { alternativesOf, type FieldSchema } from "../kinds/schema.ts";
import { pairElements } from "./elements.ts";

/**
 * Lays stated fields over a base and gives the whole: objects merge, null resets to the default (or removes), a
 * list is as stated, but what an element of a set does not state is kept from the element with the same key; an
 * alternative that is stated drops the others. Neither argument is changed; the result shares values with both.
 */
export function overlay(schema: FieldSchema, base: Fields | undefined, stated: Fields): Fields {
  const chosen = alternativesOf(schema, stated);
  const dropped = new Set(
    chosen.length === 0
      ? []
      : (schema.alternatives ?? []).flatMap((group, index) => (chosen.includes(index) ? [] : group)),
  );
  const result = new Map(
    Object.entries(base ?? {}).flatMap(([member, value]) => (dropped.has(member) ? [] : [[member, value]])),
  );
  for (const [member, value] of Object.entries(stated)) {
    const memberSchema = own(schema.properties ?? {}, member) ?? {};
    const laid = overlayValue(memberSchema, result.get(member), value);
    if (laid === undefined) result.delete(member);
    else result.set(member, laid);
  }
  return Object.fromEntries(result);
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
  return Object.fromEntries(
    Object.entries(fields).map(([member, value]) => {
      const memberSchema = own(schema.properties ?? {}, member);
      if (memberSchema?.identified && Array.isArray(value)) {
        return [member, value.map((element) => (isFields(element) ? omit(element, "id") : element))];
      }
      return [member, value];
    }),
  );
}

function omit(fields: Fields, member: string): Fields {
  const { [member]: _dropped, ...rest } = fields;
  return rest;
}
