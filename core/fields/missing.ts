import { type Fields, isFields, type Json, own } from "../json.ts";
import { alternativesOf, type FieldSchema } from "../kinds/schema.ts";

/** A member that has to be there in what is sent and is not. */
export interface MissingField {
  path: string[];
  /** What would do: one member, or the alternatives. */
  message: string;
}

/** What fields that are to be sent lack, according to `needs` and `needsAlternative`. */
export function missingFields(schema: FieldSchema, fields: Fields, path: string[] = []): MissingField[] {
  const lacking = (schema.needs ?? [])
    .filter((member) => own(fields, member) === undefined)
    .map((member) => ({ path: [...path, member], message: "is needed" }));
  if (schema.needsAlternative && alternativesOf(schema, fields).length === 0) {
    const groups = (schema.alternatives ?? []).map((group) => group.join(", "));
    lacking.push({ path, message: `needs ${groups.join(" or one of ")}` });
  }
  const inside = Object.entries(fields).flatMap(([member, value]) => {
    const memberSchema = own(schema.properties ?? {}, member);
    return memberSchema ? missingInside(memberSchema, value, [...path, member]) : [];
  });
  return [...lacking, ...inside];
}

function missingInside(schema: FieldSchema, value: Json, path: string[]): MissingField[] {
  if (schema.opaque) return [];
  if (isFields(value)) return schema.properties ? missingFields(schema, value, path) : [];
  const { items } = schema;
  if (!items || !Array.isArray(value)) return [];
  return value.flatMap((element, index) => missingInside(items, element, [...path, `[${index}]`]));
}
