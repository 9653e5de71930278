import { Type } from "typebox";
import type { Static, TSchema } from "typebox";

/** A string that is one of these. */
export function oneOf<const Value extends string>(...values: readonly Value[]) {
  return Type.Unsafe<Value>({ type: "string", enum: values });
}

/** The same schema, with null allowed. One schema with two types: ajv fills no defaults inside an `anyOf`. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  const { type, enum: values } = schema as { type?: string; enum?: unknown[] };
  return Type.Unsafe<Static<Schema> | null>({
    ...schema,
    type: [type, "null"],
    ...(values && { enum: [...values, null] }),
  });
}

/** An optional member that has this value when it is left out. */
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
  git_token_id: Type.Optional(nullable(id)),
  provider: Type.Optional(oneOf("BITBUCKET", "GITHUB", "GITLAB")),
});
export type GitRepositoryRequest = Static<typeof GitRepositoryRequest>;
