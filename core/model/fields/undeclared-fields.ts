import { type Fields, isFields, type Json, own, sameJson } from "../../values/json.ts";
import { elementLabel, pairElements } from "../schema/elements.ts";
import { type FieldSchema, propertiesOf } from "../schema/field-schema.ts";
import { compare } from "./compare.ts";
import { droppedMembers } from "./overlay.ts";
import { isNothing } from "./reductions.ts";

/** An undeclared live field whose value differs from that of a new resource. */
export interface UndeclaredField {
  path: string[];
  value: Json;
  /** The value of a new resource; absent: unknown. */
  default?: Json;
}

/** The fields of a live resource that somebody has set and no document declares. */
export function undeclaredFields(
  schema: FieldSchema,
  declared: Fields,
  live: Fields,
  path: string[] = [],
): UndeclaredField[] {
  const found: UndeclaredField[] = [];
  const dropped = droppedMembers(schema, declared);
  for (const [member, memberSchema] of propertiesOf(schema)) {
    const value = own(live, member);
    const declaredValue = own(declared, member);
    const { default: fallback } = memberSchema;
    // Most fields have their default, or are declared.
    if (value === undefined || memberSchema.part || (declaredValue === undefined && value === fallback))
      continue;
    const memberPath = [...path, member];
    if (declaredValue !== undefined)
      found.push(...undeclaredInside(memberSchema, declaredValue, value, memberPath));
    else if (!dropped.includes(member) && !isFromCreation(member, memberSchema, live))
      found.push({ path: memberPath, value, ...(fallback !== undefined && { default: fallback }) });
  }
  return found;
}

function undeclaredInside(
  schema: FieldSchema,
  declared: Json,
  live: Json,
  path: string[],
): UndeclaredField[] {
  const { properties, items, set } = schema;
  if (properties && !schema.opaque && isFields(live) && isFields(declared))
    return undeclaredFields(schema, declared, live, path);
  if (!set || !items?.properties || !Array.isArray(live) || !Array.isArray(declared)) return [];
  return pairElements(schema, live, declared).flatMap(({ left, right }) =>
    isFields(left) && isFields(right)
      ? undeclaredFields(items, right, left, [...path, `[${elementLabel(schema, left)}]`])
      : [],
  );
}

/** Whether a live member has the value of a new resource, as far as that is known, or is not set. */
export function isFromCreation(member: string, schema: FieldSchema, live: Fields): boolean {
  const value = own(live, member) ?? null;
  const { default: fallback, generated, immutable, place, platformSets = [] } = schema;
  if (place === "engine" || schema.neverShown) return true;
  const isSet = platformSets.some(
    ({ is, when }) =>
      is !== undefined &&
      (!when || own(live, when.member) === when.is) &&
      (is === "anything" || sameJson(is, value)),
  );
  if (isSet) return true;
  if (fallback !== undefined)
    return compare({ properties: { [member]: schema } }, {}, { [member]: value }).length === 0;
  if (generated !== undefined && typeof value === "string") return new RegExp(generated).test(value);
  // Nobody has changed an immutable value.
  return immutable !== undefined || isNothing(value);
}
