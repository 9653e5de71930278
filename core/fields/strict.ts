import { type Fields, isFields, type Json, own } from "../json.ts";
import { type FieldSchema, propertiesOf } from "../schema/field-schema.ts";
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
  const differences: UnstatedDifference[] = [];
  for (const [member, memberSchema] of propertiesOf(schema)) {
    const value = own(live, member);
    const statedValue = own(stated, member);
    const { default: fallback, properties } = memberSchema;
    // Most fields have their default, or are stated.
    if (value === undefined || memberSchema.part || (statedValue === undefined && value === fallback))
      continue;
    if (statedValue === undefined) {
      const alone: FieldSchema = { properties: { [member]: memberSchema } };
      if (fallback !== undefined && compare(alone, {}, { [member]: value }).length > 0)
        differences.push({ path: [...path, member], value, default: fallback });
    } else if (properties && isFields(value) && isFields(statedValue))
      differences.push(...unstatedDifferences(memberSchema, statedValue, value, [...path, member]));
  }
  return differences;
}
