import { isFields, type Json, mapFields } from "../../core/json.ts";
import type { FieldSchema } from "../../core/kinds/index.ts";

/** `maxNbRestart` for `max_nb_restart`. */
export function camelCase(member: string): string {
  return member.replaceAll(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
}

/** Converts a value from manifest form to the form of programs: camelCase, except the keys of free maps. */
export function toCamel(schema: FieldSchema, value: Json): Json {
  return rename(schema, value, (member) => ({ from: member, to: camelCase(member) }));
}

/** Converts a value of a program to manifest form. */
export function toSnake(schema: FieldSchema, value: Json): Json {
  return rename(schema, value, (member) => ({ from: camelCase(member), to: member }));
}

/** The schema of the same values in camelCase, including annotations that name members. */
export function camelSchema(schema: FieldSchema): FieldSchema {
  const { description, properties, items, entries, required, needs, needsOneOf, alternatives, set } = schema;
  if (schema.opaque) return schema;
  return {
    ...schema,
    ...(description !== undefined && { description: description.replaceAll(/`[a-z\d_]+`/g, camelCase) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([member, inner]) => [camelCase(member), camelSchema(inner)]),
      ),
    }),
    ...(items && { items: camelSchema(items) }),
    ...(entries && { entries: camelSchema(entries), additionalProperties: camelSchema(entries) }),
    ...(required && { required: required.map(camelCase) }),
    ...(needs && { needs: needs.map(camelCase) }),
    ...(needsOneOf && { needsOneOf: needsOneOf.map(camelCase) }),
    ...(alternatives && { alternatives: alternatives.map((group) => group.map(camelCase)) }),
    ...(set && { set: set.map(camelCase) }),
  };
}

/** Gives the members of a value new names, which follow from its schema; those that it does not have stay. */
function rename(
  schema: FieldSchema,
  value: Json,
  nameOf: (member: string) => { from: string; to: string },
): Json {
  const { properties, items, entries, opaque } = schema;
  if (opaque) return value;
  if (entries && isFields(value)) return mapFields(value, (entry) => rename(entries, entry, nameOf));
  if (items && Array.isArray(value)) return value.map((element) => rename(items, element, nameOf));
  if (!properties || !isFields(value)) return value;
  const known = new Map(
    Object.entries(properties).map(([member, inner]) => {
      const { from, to } = nameOf(member);
      return [from, { to, inner }];
    }),
  );
  return Object.fromEntries(
    Object.entries(value).map(([member, part]) => {
      const { to, inner } = known.get(member) ?? { to: member, inner: {} };
      return [to, rename(inner, part, nameOf)];
    }),
  );
}
