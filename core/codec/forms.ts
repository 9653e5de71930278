import Type, { type TSchema } from "typebox";
import type { Fields, Json } from "../json.ts";

// What the JSON forms of plans and reports share. Their members are in snake_case, as the fields of manifests are.

type Members = Record<string, TSchema>;

/**
 * An object of just these members. The published schemas are open, as new members may come; what we write and read
 * ourselves has no others.
 */
export function form<Shape extends Members>(members: Shape, description?: string) {
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

export function list<Element extends TSchema>(element: Element, description: string) {
  return Type.Array(element, { description });
}

export const optional = Type.Optional;

export const addressText = text("Kind and names from the project down: `job:shop/staging/migrate`.");

/** Fields of a resource, by the names that manifests give them. */
export function fieldsForm(description: string) {
  return Type.Unsafe<Fields>({ type: "object", description });
}

export function anyValue(description: string) {
  return Type.Unsafe<Json>({ description });
}

export const budgetForm = form(
  {
    limit: optional(Type.Integer({ description: "Requests in a whole window." })),
    remaining: optional(Type.Integer({ description: "Requests that are left of it." })),
    resets_at: optional(text("When the window ends, as ISO 8601.")),
    reset_is_senseless: optional(
      Type.Literal(true, { description: "The server names a time of reset that makes no sense." }),
    ),
  },
  "The request quota of the token, as the server last told it.",
);

/**
 * What is left of an object once an encoder has taken all its members out, by which the compiler sees that it has: a
 * member that is added to the object is not lost unnoticed.
 */
export type NoOthers = Record<string, never>;

/** What an action does to its resource. */
export const actionTypes = ["create", "clone", "update", "replace", "delete", "none"] as const;

/** A schema as it is published: open for members that come later. */
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
