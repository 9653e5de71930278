import { isFields, type Json, mapFields, own } from "../../core/values/json.ts";
import { keyedEntries, listedEntries } from "../../core/model/fields/list-entries.ts";
import { type FieldSchema, listForm } from "../../core/model/schema/field-schema.ts";

/** `maxNbRestart` for `max_nb_restart`. */
export function camelCase(member: string): string {
  return member.replaceAll(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
}

export function camelMembers<Value>(fields: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(fields).map(([member, value]) => [camelCase(member), value]));
}

/** Converts a value from manifest form to camelCase, except the keys of free maps. */
export function toCamel(schema: FieldSchema, value: Json): Json {
  return rename(schema, value, {
    nameOf: (member) => ({ from: member, to: camelCase(member) }),
    entriesOf: listedEntries,
    secretOf: (secret) => (isFields(secret) ? own(secret, "value") : secret),
  });
}

/** Converts a value of a program to manifest form. */
export function toSnake(schema: FieldSchema, value: Json): Json {
  return rename(schema, value, {
    nameOf: (member) => ({ from: camelCase(member), to: member }),
    entriesOf: keyedEntries,
    secretOf: (secret) => (typeof secret === "string" ? { value: secret } : secret),
  });
}

/** The schema in camelCase, including annotations that name members. */
export function camelSchema(schema: FieldSchema): FieldSchema {
  const { description, properties, items, entries } = schema;
  const { required, needs, needsOneOf, alternatives, set, notAbove } = schema;
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
    ...(notAbove !== undefined && { notAbove: camelCase(notAbove) }),
  };
}

/** Renames members by their schema; members without one stay. */
function rename(
  schema: FieldSchema,
  value: Json,
  conversion: {
    nameOf(member: string): { from: string; to: string };
    /** Converts entries that programs declare as a list. */
    entriesOf(schema: FieldSchema, value: Json): Json;
    /** Converts a secret, which a program declares as a text; undefined if its value is unknown. */
    secretOf(value: Json): Json | undefined;
  },
): Json {
  const { properties, items, entries, opaque, keyedBy } = schema;
  if (opaque) return value;
  if (keyedBy) {
    const { keyedBy: _keys, ...inside } = schema;
    const renamed = rename(Array.isArray(value) ? listForm(schema) : inside, value, conversion);
    return conversion.entriesOf(schema, renamed);
  }
  if (entries && isFields(value)) return mapFields(value, (entry) => rename(entries, entry, conversion));
  if (items && Array.isArray(value)) return value.map((element) => rename(items, element, conversion));
  if (!properties || !isFields(value)) return value;
  const known = new Map(
    Object.entries(properties).map(([member, inner]) => {
      const { from, to } = conversion.nameOf(member);
      return [from, { to, inner }];
    }),
  );
  return Object.fromEntries(
    Object.entries(value).flatMap(([member, part]) => {
      const { to, inner } = known.get(member) ?? { to: member, inner: {} };
      const renamed = inner.secret ? conversion.secretOf(part) : rename(inner, part, conversion);
      return renamed === undefined ? [] : [[to, renamed]];
    }),
  );
}
