import { isFields, type Json, mapFields } from "../values/json.ts";

/** Stands for a value that is not known yet: a program gives it before the resource exists from which it comes. The text is that of Pulumi's engine. */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Whether a value, or any part of it, is not known yet. */
export function hasUnknown(value: Json | undefined): boolean {
  if (value === unknownValue) return true;
  if (Array.isArray(value)) return value.some(hasUnknown);
  return isFields(value) && Object.values(value).some(hasUnknown);
}

/** The paths of the values that are not known yet. */
export function unknownIn(value: Json | undefined, path: readonly string[] = []): (readonly string[])[] {
  if (value === unknownValue) return [path];
  if (Array.isArray(value)) return value.flatMap((inner, index) => unknownIn(inner, [...path, `[${index}]`]));
  return isFields(value)
    ? Object.entries(value).flatMap(([member, inner]) => unknownIn(inner, [...path, member]))
    : [];
}

/** A value without the parts that are not known yet. */
export function knownOf<Value extends Json | undefined>(value: Value): Value {
  if (!hasUnknown(value)) return value;
  if (Array.isArray(value)) return value.filter((inner) => inner !== unknownValue).map(knownOf) as Value;
  return (
    isFields(value)
      ? mapFields(value, (inner) => (inner === unknownValue ? undefined : knownOf(inner)))
      : undefined
  ) as Value;
}
