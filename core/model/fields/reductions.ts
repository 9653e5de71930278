import { type Fields, isFields, type Json, own, sameJson } from "../../values/json.ts";
import { elementLabel, pairElements } from "../schema/elements.ts";
import { type FieldSchema, memberOf } from "../schema/field-schema.ts";

/** The paths of missing, emptied or smaller values in the second state. A field with its default may be absent. */
export function lessIn(schema: FieldSchema, seen: Fields, read: Fields, path: string[] = []): string[][] {
  return Object.entries(seen).flatMap(([member, value]) =>
    lessInValue(memberOf(schema, member) ?? {}, value, own(read, member), [...path, member]),
  );
}

function lessInValue(schema: FieldSchema, seen: Json, read: Json | undefined, path: string[]): string[][] {
  if (isNothing(seen) || sameJson(seen, read)) return [];
  if (isNothing(read)) return sameJson(seen, schema.default) ? [] : [path];
  if (schema.reference !== undefined || schema.secret) return [];
  if (typeof seen === "number" && typeof read === "number") return read < seen ? [path] : [];
  if (isFields(seen)) return isFields(read) ? lessIn(schema, seen, read, path) : [path];
  if (!Array.isArray(seen)) return [];
  if (!Array.isArray(read)) return [path];
  return schema.set ? lessInSet(schema, seen, read, path) : read.length < seen.length ? [path] : [];
}

function lessInSet(schema: FieldSchema, seen: Json[], read: Json[], path: string[]): string[][] {
  return pairElements(schema, seen, read).flatMap(({ left, right }) =>
    left === undefined
      ? []
      : lessInValue(schema.items ?? {}, left, right, [...path, `[${elementLabel(schema, left)}]`]),
  );
}

/** Whether a value is absent or empty: no value of a field that somebody has set. */
export function isNothing(value: Json | undefined): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === "";
}
