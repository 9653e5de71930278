import { isDeepStrictEqual } from "node:util";

/** A value as JSON has it. */
export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

/** The members of a JSON object. */
export type Fields = { [member: string]: Json };

/** Whether a value is a JSON object: neither null nor a list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether two JSON values are the same, whatever the order of their members. */
export function sameJson(left: Json | undefined, right: Json | undefined): boolean {
  return left === right || isDeepStrictEqual(left, right);
}

/** JSON text with the members of every object in alphabetical order, so that equal values give equal text. */
export function stableJson(value: Json): string {
  return JSON.stringify(value, (_member, inner: Json) =>
    isFields(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : inner,
  );
}

/** The object with each value changed; members whose value becomes undefined are left out. */
export function mapFields(fields: Fields, change: (value: Json, member: string) => Json | undefined): Fields {
  const changed: Fields = {};
  for (const member of Object.keys(fields)) {
    const value = change(fields[member] ?? null, member);
    if (value !== undefined) setOwn(changed, member, value);
  }
  return changed;
}

/** Sets a member; assignment would set the prototype where it is `__proto__`. */
export function setOwn(fields: Fields, member: string, value: Json): void {
  if (member === "__proto__") {
    Object.defineProperty(fields, member, { value, enumerable: true, configurable: true, writable: true });
  } else fields[member] = value;
}

/** A member that the object itself has; inherited ones (`constructor`, `__proto__`) are none. */
export function own<Value>(object: { [member: string]: Value }, member: string): Value | undefined {
  return Object.hasOwn(object, member) ? object[member] : undefined;
}

/** A member that is text; undefined where it is anything else. */
export function textIn(fields: Fields, member: string): string | undefined {
  const value = own(fields, member);
  return typeof value === "string" ? value : undefined;
}
