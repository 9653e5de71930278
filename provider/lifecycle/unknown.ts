import { isFields, type Json } from "../../core/json.ts";

/** The text with which Pulumi's engine replaces unknown values during a preview. */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Whether a value, or any part of it, is not known yet. */
export function hasUnknown(value: Json | undefined): boolean {
  if (value === unknownValue) return true;
  if (Array.isArray(value)) return value.some(hasUnknown);
  return isFields(value) && Object.values(value).some(hasUnknown);
}
