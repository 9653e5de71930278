import { type Fields, isFields, type Json, own } from "../json.ts";
import type { FieldSchema } from "../schema/field-schema.ts";
import { compare } from "./compare.ts";

/** A field that no document states and that differs from its default. */
export interface UnstatedDifference {
  path: string[];
  value: Json;
  default: Json;
}

/** The fields of a live resource that are not stated and differ from a known default. */
export function unstatedDifferences(
  schema: FieldSchema,
  stated: Fields,
  live: Fields,
  path: string[] = [],
): UnstatedDifference[] {
  return Object.entries(schema.properties ?? {}).flatMap(([member, memberSchema]) => {
    const value = own(live, member);
    const statedValue = own(stated, member);
    const memberPath = [...path, member];
    if (value === undefined || memberSchema.part) return [];
    if (statedValue === undefined) {
      const { default: fallback } = memberSchema;
      const alone: FieldSchema = { properties: { [member]: memberSchema } };
      if (fallback === undefined || compare(alone, {}, { [member]: value }).length === 0) return [];
      return [{ path: memberPath, value, default: fallback }];
    }
    return memberSchema.properties && isFields(value) && isFields(statedValue)
      ? unstatedDifferences(memberSchema, statedValue, value, memberPath)
      : [];
  });
}
