import Type, { type Static, type TSchema } from "typebox";
import type { Fields, Json } from "../../values/json.ts";

// Shared by the JSON forms of plans and reports. Their members are in snake_case, like the fields of manifests.

/** An object with only these members. The published schemas allow others, which later versions may add. */
export function form<Shape extends Record<string, TSchema>>(
  ...given: [members: Shape] | [description: string, members: Shape]
) {
  const [description, members] = given.length === 1 ? [undefined, given[0]] : given;
  return Type.Object(members, {
    additionalProperties: false,
    ...(description !== undefined && { description }),
  });
}

export function text(description: string) {
  return Type.String({ description });
}

export function choice<const Values extends readonly string[]>(values: Values, description: string) {
  return Type.Unsafe<Values[number]>({ type: "string", enum: [...values], description });
}

export function count(description: string) {
  return Type.Integer({ minimum: 0, description });
}

export function flag(description: string) {
  return Type.Boolean({ description });
}

export function texts(description: string) {
  return list(Type.String(), description);
}

export function list<Element extends TSchema>(element: Element, description: string) {
  return Type.Array(element, { description });
}

/** A list of objects with these members. */
export function listOf<Shape extends Record<string, TSchema>>(description: string, members: Shape) {
  return list(form(members), description);
}

/** A member that can be absent. An encoder may leave it undefined: JSON has no such member then. */
export function optional<Schema extends TSchema>(schema: Schema) {
  return Type.Optional(Type.Unsafe<Static<Schema> | undefined>(schema));
}

/** A member with members of its own, which can be absent. */
export function part<Shape extends Record<string, TSchema>>(description: string, members: Shape) {
  return optional(form(description, members));
}

export function orNull<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/** The first members of a command's document: whether the command has succeeded, the format, and its version. */
export function heading<const Format extends string, Ok extends TSchema = typeof done>(
  format: Format,
  ok?: Ok,
) {
  return { ok: (ok ?? done) as Ok, format: Type.Literal(format), version: Type.Literal(1) };
}

const done = Type.Literal(true, { description: "The command has done its work." });

/** The document of a successful command: `{ ok, format, version }` and its own members. */
export function outputDocument<const Name extends string, const Members extends object>(
  name: Name,
  members: Members,
) {
  return { ok: true, format: `infrasync-${name}`, version: 1, ...members } as const;
}

/** Stored or served documents have it only where a command prints them. */
export const printed = optional(Type.Literal(true));

export const addressText = text(
  "Address of the resource: its kind, and the names from its project down, such as `job:shop/staging/migrate`.",
);

/** Fields of a resource, by their names in manifests. */
export function fieldsForm(description: string) {
  return Type.Unsafe<Fields>({ type: "object", description });
}

export function anyValue(description: string) {
  return Type.Unsafe<Json>({ description });
}

export const budgetForm = form("The request quota of the token, as the server last reported it.", {
  limit: optional(Type.Integer({ description: "Requests that the quota allows in one window." })),
  remaining: optional(Type.Integer({ description: "Requests that are left in this window." })),
  resets_at: optional(text("When the window ends, in ISO 8601.")),
  spenders: optional(
    Type.Array(
      form("A spender of the token.", {
        who: optional(text("Sender of the requests; absent for clients outside the ledger.")),
        requests: count("Requests of this window."),
      }),
      { description: "The spenders of this window and their requests, if the token has a ledger." },
    ),
  ),
  reset_is_senseless: optional(
    Type.Literal(true, { description: "The server gives a reset time that makes no sense." }),
  ),
});

/** The requests of a run: the last members of a document. */
export const spending = { requests: count("Requests that the run has sent."), budget: budgetForm };

/** Why a command has failed: the member `error` of its document. */
export const failureForm = form("Why `ok` is `false`.", {
  code: text("The code of the error, as the JSON page explains it."),
  message: text("The error."),
});

/** The rest of an object without its known members: `satisfies NoOthers` finds those that an encoder forgets. */
export type NoOthers = Record<string, never>;

/** A published schema, which allows members of later versions. */
export function published(title: string, schema: TSchema): object {
  return { $schema: "http://json-schema.org/draft-07/schema#", title, ...(open(schema) as object) };
}

function open(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(open);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([member, inner]) => member !== "additionalProperties" || inner !== false)
      .map(([member, inner]) => [member, open(inner)]),
  );
}
