import { type Fields, isFields, type Json, mapFields, own } from "../json.ts";
import { alternativesOf, type FieldSchema, hasMembers, memberOf } from "../schema/field-schema.ts";
import { pairElements } from "../schema/elements.ts";

/**
 * The fields to state so that an overlay on `current` gives `wanted`: the wanted fields, and null for each member that
 * only `current` has. Values that no API shows stay as they are.
 */
export function steering(schema: FieldSchema, current: Fields, wanted: Fields): Fields {
  const stated = mapFields(wanted, (value, member) =>
    steeringValue(memberOf(schema, member) ?? {}, own(current, member), value),
  );
  const nulls = Object.keys(current).filter(
    (member) => !Object.hasOwn(wanted, member) && isStatable(schema, wanted, member),
  );
  return { ...stated, ...Object.fromEntries(nulls.map((member) => [member, null])) };
}

/** Whether a null for a member means something: an overlay drops the members of other alternatives by itself. */
function isStatable(schema: FieldSchema, wanted: Fields, member: string): boolean {
  const field = memberOf(schema, member);
  const chosen = alternativesOf(schema, wanted);
  const isOther = (schema.alternatives ?? []).some(
    (group, index) => group.includes(member) && chosen.length > 0 && !chosen.includes(index),
  );
  return field !== undefined && !field.neverShown && !isOther;
}

function steeringValue(schema: FieldSchema, current: Json | undefined, wanted: Json): Json {
  if (schema.opaque || schema.reference !== undefined) return wanted;
  if (hasMembers(schema) && isFields(wanted))
    return steering(schema, isFields(current) ? current : {}, wanted);
  const { items } = schema;
  if (!schema.set || !items?.properties || !Array.isArray(wanted)) return wanted;
  return pairElements(schema, Array.isArray(current) ? current : [], wanted).flatMap(({ left, right }) =>
    right === undefined
      ? []
      : [isFields(right) && isFields(left) ? steering(items, withoutId(left), right) : right],
  );
}

/** The API gives elements their ids; an id is not a member to remove. */
function withoutId({ id: _id, ...fields }: Fields): Fields {
  return fields;
}
