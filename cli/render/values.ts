import { elementLabel, referenceLabel } from "../../core/model/schema/elements.ts";
import { type Fields, isFields, type Json, own } from "../../core/values/json.ts";
import {
  type FieldSchema,
  hasMembers,
  memberOf,
  type Unit,
  withUnit,
} from "../../core/model/schema/field-schema.ts";
import { escapeControl } from "../../core/values/text.ts";

/** A value on one line, as a person reads it: `500m`, `eu-west`, `[--all, "a, b"]`. */
export function inline(value: Json | undefined, unit?: Unit): string {
  if (value === undefined || value === null) return "(none)";
  if (typeof value === "number" && unit !== undefined) return withUnit(value, unit);
  if (typeof value === "string") return isClear(value) ? escapeControl(value) : quoted(value);
  if (Array.isArray(value)) return `[${value.map(inside).join(", ")}]`;
  if (!isFields(value)) return String(value);
  const members = Object.entries(value).map(
    ([member, inner]) => `${escapeControl(member)}: ${inside(inner)}`,
  );
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

/** Like `inline`, but quotes a text that contains brackets, quotes or commas. */
function inside(value: Json): string {
  return typeof value === "string" && /[",[\]{}]/.test(value) ? quoted(value) : inline(value);
}

function quoted(text: string): string {
  return escapeControl(JSON.stringify(text));
}

/** Whether a text needs no quotes, because nobody can take it for nothing, a number, a boolean or a list. */
function isClear(text: string): boolean {
  const isWord = /^(?:true|false|null|~|\(none\)|["[{].*)?$/i.test(text);
  const isNumber = Number.isFinite(Number(text));
  return !isWord && !isNumber && text.trim() === text && escapeControl(text) === text;
}

/** A value in which references are names, without the ids that the API gives to elements. */
export function readable(value: Json): Json {
  if (Array.isArray(value)) return value.map(readable);
  if (!isFields(value)) return value;
  const members = Object.entries(value);
  const isReference =
    (typeof value["id"] === "string" && members.every(([member]) => member === "id" || member === "name")) ||
    // One to a resource that an action of the plan creates.
    (typeof value["made_by"] === "string" && typeof value["name"] === "string" && members.length === 2);
  if (isReference) return referenceLabel(value);
  return Object.fromEntries(
    members.filter(([member]) => member !== "id").map(([member, inner]) => [member, readable(inner)]),
  );
}

/** A field of a resource, for a table. */
export interface Row {
  path: string[];
  value: Json;
  unit?: Unit;
}

/** The fields of a resource in the order of the schema; elements of a set are labelled with their key. */
export function rowsOf(schema: FieldSchema, fields: Fields, path: string[] = []): Row[] {
  const members = schema.entries ? Object.keys(fields).toSorted() : Object.keys(schema.properties ?? {});
  return members.flatMap((member) => {
    const memberSchema = memberOf(schema, member) ?? {};
    const value = own(fields, member);
    if (value === undefined) return [];
    const here = member === schema.short ? path : [...path, member];
    if (memberSchema.keyedBy && isFields(value))
      return Object.entries(value).map(([key, entry]) => ({ path: [...here, key], value: entry }));
    if (isFields(value)) return fieldRows(memberSchema, value, here);
    const { items, set = [], unit } = memberSchema;
    if (!Array.isArray(value) || !items?.properties || set.length === 0)
      return [{ path: here, value, ...(unit && { unit }) }];
    return value.flatMap((element) => {
      const label = [...here, `[${elementLabel(memberSchema, element)}]`];
      return isFields(element) ? elementRows(items, set, element, label) : [{ path: label, value: element }];
    });
  });
}

function fieldRows(schema: FieldSchema, value: Fields, path: string[]): Row[] {
  const rows = hasMembers(schema) ? rowsOf(schema, value, path) : [];
  return rows.length > 0 ? rows : [{ path, value }];
}

/** The rows of an element without its key, which is in the label. */
function elementRows(items: FieldSchema, set: readonly string[], element: Fields, path: string[]): Row[] {
  const others = Object.entries(element).filter(([member]) => !set.includes(member));
  const rows = rowsOf(items, Object.fromEntries(others), path);
  return rows.length > 0 ? rows : [{ path, value: element }];
}
