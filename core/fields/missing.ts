import { type Fields, isFields, type Json, own } from "../json.ts";
import { type FieldSchema, hasMembers, memberOf } from "../schema/field-schema.ts";

/** A member that a request needs and does not have. */
export interface MissingField {
  path: string[];
  /** `is needed`, or the members of which one is needed: `needs image or docker`. */
  message: string;
  /** The members of which one is needed. */
  oneOf?: readonly string[];
}

/** The members that the fields of a request lack, according to `needs` and `needsOneOf`. */
export function missingFields(schema: FieldSchema, fields: Fields, path: string[] = []): MissingField[] {
  const lacking: MissingField[] = (schema.needs ?? [])
    .filter((member) => own(fields, member) === undefined)
    .map((member) => ({ path: [...path, member], message: "is needed" }));
  const { needsOneOf = [] } = schema;
  if (needsOneOf.length > 0 && !needsOneOf.some((member) => own(fields, member) !== undefined)) {
    // What only programs state is there in programs: their types demand it.
    const oneOf = needsOneOf.filter((member) => schema.properties?.[member]?.place !== "program");
    lacking.push({ path, message: `needs ${oneOf.join(" or ")}`, oneOf });
  }
  const inside = Object.entries(fields).flatMap(([member, value]) => {
    const memberSchema = memberOf(schema, member);
    return memberSchema ? missingInside(memberSchema, value, [...path, member]) : [];
  });
  return [...lacking, ...inside];
}

function missingInside(schema: FieldSchema, value: Json, path: string[]): MissingField[] {
  if (schema.opaque) return [];
  if (isFields(value)) return hasMembers(schema) ? missingFields(schema, value, path) : [];
  const { items } = schema;
  if (!items || !Array.isArray(value)) return [];
  return value.flatMap((element, index) => missingInside(items, element, [...path, `[${index}]`]));
}
