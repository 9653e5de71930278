import { Type, type Static, type TSchema } from "typebox";

// The parts of the schemas of request bodies.

export function oneOf<const Value extends string>(...values: readonly Value[]) {
  return Type.Unsafe<Value>({ type: "string", enum: values });
}

/** A schema that also allows null. It has two types instead of an `anyOf`, in which ajv fills in no defaults. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  const { type, enum: values } = schema as { type?: string; enum?: unknown[] };
  return Type.Unsafe<Static<Schema> | null>({
    ...schema,
    type: [type, "null"],
    ...(values && { enum: [...values, null] }),
  });
}

/** A member that can be absent or null. */
export function maybe<Schema extends TSchema>(schema: Schema) {
  return Type.Optional(nullable(schema));
}

export function maybeObject<Members extends Record<string, TSchema>>(members: Members) {
  return maybe(Type.Object(members));
}

export function optionalObject<Members extends Record<string, TSchema>>(members: Members, options = {}) {
  return Type.Optional(Type.Object(members, options));
}

/** An object with these members and no others. */
export function closedObject<Members extends Record<string, TSchema>>(members: Members) {
  return Type.Object(members, { additionalProperties: false });
}

export function withDefault<Schema extends TSchema>(schema: Schema, value: Static<Schema>) {
  return Type.Optional(Type.Unsafe<Static<Schema>>({ ...schema, default: value }));
}

export const id = Type.String({ format: "uuid" });
export const uri = Type.String({ format: "uri" });
export const name = Type.String({ minLength: 1, pattern: "\\S" });
export const description = Type.Optional(Type.String());
export const text = Type.Optional(Type.String());
export const texts = Type.Optional(Type.Array(Type.String()));
export const flag = Type.Optional(Type.Boolean());
export const references = Type.Optional(Type.Array(Type.Object({ id })));

export const environmentMode = oneOf("DEVELOPMENT", "PREVIEW", "PRODUCTION", "STAGING");

export const GitRepositoryRequest = Type.Object({
  url: Type.String({ minLength: 1 }),
  branch: text,
  root_path: Type.Optional(Type.String({ default: "/" })),
  git_token_id: maybe(id),
  provider: Type.Optional(oneOf("BITBUCKET", "GITHUB", "GITLAB")),
});
export type GitRepositoryRequest = Static<typeof GitRepositoryRequest>;
