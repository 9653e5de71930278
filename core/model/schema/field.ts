import { type Json, mapValues } from "../../values/json.ts";
import type { Catalogue } from "./catalogues.ts";
import type { FieldSchema } from "./field-schema.ts";

// The words in which kinds declare their fields. A field is optional unless it is `needed` or `required`.

type Options = Omit<FieldSchema, "description">;

/** A schema with the type of its values; the member is for the compiler and never present. */
export type TypedSchema<Value> = FieldSchema & { readonly "~value"?: Value };

export type DeclaredValue<Schema> = Schema extends { readonly "~value"?: infer Value }
  ? NonNullable<Value>
  : never;

type MembersOf<Members> = {
  [Name in keyof Members as Members[Name] extends { presence: "required" } ? Name : never]: DeclaredValue<
    Members[Name]
  >;
} & {
  [Name in keyof Members as Members[Name] extends { presence: "required" } ? never : Name]?: DeclaredValue<
    Members[Name]
  >;
};

/** `needed`: in a creation. `required`: in every declaration of the object. */
type Presence = "needed" | "required";

/** A member of an object, for `object`. */
export type SchemaMember<Value = unknown> = TypedSchema<Value> & { presence?: Presence };

export const text = (description?: string, options: Options = {}): TypedSchema<string> => ({
  type: "string",
  description,
  ...options,
});

/** A text that is not empty. */
export const word = (description?: string, options: Options = {}): TypedSchema<string> =>
  text(description, { minLength: 1, ...options });

export const wholeNumber = (description: string, options: Options = {}): TypedSchema<number> => ({
  type: "integer",
  description,
  ...options,
});

export const flag = (description: string, options: Options = {}): TypedSchema<boolean> => ({
  type: "boolean",
  description,
  ...options,
});

export const choice = <const Word extends Json>(
  values: readonly Word[],
  description: string,
  options: Options = {},
): TypedSchema<Word> => ({ enum: [...values], type: "string", description, ...options });

/** The name or the id of an entry of a list of the organization. */
export const reference = (catalogue: Catalogue, description?: string, options: Options = {}): FieldSchema =>
  word(description, { reference: catalogue, ...options });

/** A list in which the order counts. */
export const list = <Item>(
  items: TypedSchema<Item>,
  description?: string,
  options: Options = {},
): TypedSchema<Item[]> => ({ type: "array", items, description, ...options });

/** A list without order. @param keys the members that identify an element; none: the whole element does */
export const set = (
  keys: string[],
  items: FieldSchema,
  description: string,
  options: Options = {},
): FieldSchema => list(items, description, { default: [], ...options, set: keys });

/** A free object, with any keys: compared and written as a whole. */
export const map = <Value = Json>(
  description: string,
  values?: TypedSchema<Value>,
  options: Options = {},
): TypedSchema<Record<string, Value>> => ({
  type: "object",
  description,
  opaque: true,
  ...(values && { additionalProperties: values }),
  ...options,
});

/** A value of any type: compared and written as a whole. */
export const anything = (description: string): FieldSchema => ({ description, opaque: true });

/** An object with free keys, whose values have one schema. Without a form of its keys, entries have no names: `keyedBy`. */
export const keyed = <Entry>(
  keys: FieldSchema["keys"] | undefined,
  entries: TypedSchema<Entry>,
  description: string,
  options: Options = {},
): TypedSchema<Record<string, Entry>> => ({
  type: "object",
  description,
  ...(keys && { keys }),
  entries,
  additionalProperties: entries,
  default: {},
  resettable: false,
  ...options,
});

/** An object with these members and no others. */
export function object<const Members extends Record<string, SchemaMember>>(
  ...given: [members: Members] | [description: string | undefined, members: Members, options?: Options]
): TypedSchema<MembersOf<Members>> {
  const [description, members, options] = given.length === 1 ? [undefined, given[0]] : given;
  const those = (...desired: Presence[]) =>
    Object.keys(members).filter((name) => {
      const presence = members[name]?.presence;
      return presence !== undefined && desired.includes(presence);
    });
  const alwaysThere = those("required");
  const needs = those("required", "needed");
  return {
    type: "object",
    properties: mapValues(members, schemaOf),
    additionalProperties: false,
    ...(alwaysThere.length > 0 && { required: alwaysThere }),
    ...(needs.length > 0 && { needs }),
    description,
    ...options,
  };
}

/** Not a copy without a presence: every start builds some thousand schemas. */
function schemaOf(member: SchemaMember): FieldSchema {
  if (member.presence === undefined) return member;
  const { presence: _presence, ...schema } = member;
  return schema;
}

/** A member that a creation needs. Without a default, null is not allowed. */
export function needed(schema: FieldSchema): SchemaMember {
  return { ...schema, ...(schema.default === undefined && { resettable: false }), presence: "needed" };
}

/** A member that every declaration of the object needs, such as the key of an element. */
export function required<Value>(schema: TypedSchema<Value>): TypedSchema<Value> & { presence: "required" } {
  return { ...schema, presence: "required" };
}

/** A field that people change on a running resource: a dump declares it even with its default. */
export function oftenChanged(schema: FieldSchema): FieldSchema {
  return { ...schema, oftenChanged: true };
}

/** A field without a documented default: it is optional, and cannot be reset. */
export function withoutDefault(schema: FieldSchema): FieldSchema {
  return { ...schema, resettable: false };
}
