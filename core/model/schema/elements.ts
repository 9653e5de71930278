import { type Fields, isFields, type Json, own, stableJson } from "../../values/json.ts";
import type { FieldSchema } from "./field-schema.ts";

/** The key of an element of a set: its key members, with defaults; without those the element; a resolved id. */
export function elementKey(schema: FieldSchema, element: Json): string {
  const members = schema.set ?? [];
  if (members.length === 0 || !isFields(element)) {
    return isFields(element) && typeof element["id"] === "string" ? element["id"] : stableJson(element);
  }
  return members.map((member) => keyOf(valueOf(schema, element, member))).join("/");
}

/** The id of a resolved reference. */
function keyOf(value: Json): string {
  if (typeof value === "string") return value;
  return isFields(value) && typeof value["id"] === "string" ? value["id"] : stableJson(value);
}

function valueOf(schema: FieldSchema, element: Fields, member: string): Json {
  return own(element, member) ?? own(schema.items?.properties ?? {}, member)?.default ?? null;
}

/** Absent and empty values do not identify an element. */
const isShown = (value: Json) => value !== null && !(Array.isArray(value) && value.length === 0);

/** The name of an element for people: `8080/HTTP`, `/data`, `team-labels`. */
export function elementLabel(schema: FieldSchema, element: Json): string {
  if (schema.items?.reference !== undefined && isFields(element)) return referenceLabel(element);
  if (!isFields(element)) return String(element);
  const shown = (schema.set ?? []).map((member) => valueOf(schema, element, member)).filter(isShown);
  if (shown.length === 0) return elementKey({ ...schema, set: [] }, element);
  return shown
    .map((value) => (isFields(value) && value["name"] !== undefined ? referenceLabel(value) : keyOf(value)))
    .join("/");
}

export function referenceLabel(reference: Fields): string {
  return String(reference["name"] ?? reference["id"]);
}

/** Pairs the elements of two lists by their keys, duplicates in order, because the API allows two identical ports. */
export function pairElements(
  schema: FieldSchema,
  left: Json[],
  right: Json[],
): { left: Json | undefined; right: Json | undefined }[] {
  const waiting = Map.groupBy(left, (element) => elementKey(schema, element));
  const pairs: { left: Json | undefined; right: Json | undefined }[] = right.map((element) => ({
    left: waiting.get(elementKey(schema, element))?.shift(),
    right: element,
  }));
  for (const element of [...waiting.values()].flat()) pairs.push({ left: element, right: undefined });
  return pairs;
}
