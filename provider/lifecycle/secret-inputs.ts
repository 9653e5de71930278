import { isFields, type Json } from "../../core/json.ts";
import type { FieldSchema } from "../../core/schema/field-schema.ts";
import type { Path } from "../../core/source/mistake.ts";
import type { Properties } from "./inputs.ts";
import { pointerOf } from "./internal.ts";

/** The secret inputs of a schema: what both front ends mark as secret, whether a program does so or not. */
export function secretInputs(
  schema: FieldSchema,
  path: readonly string[] = [],
): {
  /** Its members; a list on the way is passed through. */
  path: readonly string[];
  /** The member beside it that makes it a secret; absent: it always is one. */
  when?: string;
}[] {
  const { properties = {} } = schema.items ?? schema;
  return Object.entries(properties).flatMap(([member, inner]) => {
    const place = [...path, member];
    if (isSecret(inner)) return [{ path: place }];
    return inner.hiddenWhen === undefined
      ? secretInputs(inner, place)
      : [{ path: place, when: inner.hiddenWhen }];
  });
}

/** Whether a value is a secret, or has secrets by their keys. */
export function isSecret({ secret, entries }: FieldSchema): boolean {
  return secret === true || Object.values(entries?.properties ?? {}).some(({ neverShown }) => neverShown);
}

/** The secrets among inputs, as JSON pointers. */
export function secretPointersIn(schema: FieldSchema, inputs: Properties): string[] {
  return secretInputs(schema).flatMap(({ path, when }) => pointersAt(inputs, path, when, []));
}

function pointersAt(
  value: Json | undefined,
  path: readonly string[],
  when: string | undefined,
  before: Path,
): string[] {
  if (Array.isArray(value))
    return value.flatMap((element, index) => pointersAt(element, path, when, [...before, index]));
  const [member = "", ...inside] = path;
  if (!isFields(value) || value[member] === undefined) return [];
  const place = [...before, member];
  if (inside.length > 0) return pointersAt(value[member], inside, when, place);
  // Entries without any have no value to hide, and a refresh does not list them.
  if (isFields(value[member]) && Object.keys(value[member]).length === 0) return [];
  return when === undefined || (value[when] ?? false) !== false ? [pointerOf(place)] : [];
}
