import { type Fields, isFields, type Json } from "../../../values/json.ts";
import type { PartListing } from "../../../model/parts/index.ts";
import type { CacheKey } from "./key.ts";

/** The start of a hash that replaces a value. */
const maskMark = "\u0000";
/** It may stand in the middle of a text. */
const hashPattern = /\0[\w-]+/g;

/** The hashes of values that are anywhere in something. Each object in it is visited once: a text of all would be too long. */
export function hashesIn(something: unknown): Set<string> {
  const found = new Set<string>();
  const visited = new Set<object>();
  const visit = (value: unknown): void => {
    if (typeof value === "string") for (const hash of value.match(hashPattern) ?? []) found.add(hash);
    if (typeof value !== "object" || value === null || visited.has(value)) return;
    visited.add(value);
    for (const [key, inner] of Object.entries(value)) {
      visit(key);
      visit(inner);
    }
  };
  visit(something);
  return found;
}

/**
 * The entries of a list with keyed hashes in the place of values, where equal values of two entries differ; undefined if the
 * list must not be cached. @param done the entries with an id that were masked before: several lists may share one
 */
export function masked(
  entries: readonly Fields[],
  { plainIn }: PartListing,
  place: string,
  key: CacheKey,
  done = new WeakMap<Fields, Fields>(),
): Fields[] | undefined {
  const result: Fields[] = [];
  for (const entry of entries) {
    const hidden = done.get(entry) ?? maskedEntry(entry, plainIn?.(entry), saltOf(entry, place), key);
    if (!hidden) return undefined;
    if (hasId(entry)) done.set(entry, hidden);
    result.push(hidden);
  }
  return result;
}

function maskedEntry(
  entry: Fields,
  plain: readonly string[] | undefined,
  salt: string,
  key: CacheKey,
): Fields | undefined {
  if (!plain || JSON.stringify(entry).includes(String.raw`\u0000`)) return undefined;
  return mapped(entry, (value, path) => {
    const isValue = typeof value === "number" || (typeof value === "string" && value !== "");
    return isValue && !plain.includes(path.at(-1) ?? "") ? hashOf(key, salt, path, value) : value;
  });
}

/** An entry with other values in the place of its texts, numbers and so on, however deep. */
function mapped(entry: Fields, change: (value: Json, path: readonly string[]) => Json): Fields {
  const walk = (value: Json, path: readonly string[]): Json => {
    if (Array.isArray(value)) return value.map((each, index) => walk(each, [...path, String(index)]));
    return isFields(value) ? walkIn(value, path) : change(value, path);
  };
  const walkIn = (fields: Fields, path: readonly string[]): Fields =>
    Object.fromEntries(
      Object.entries(fields).map(([member, inner]) => [member, walk(inner, [...path, member])]),
    );
  return walkIn(entry, []);
}

/** A cached entry with its values where they are among the candidates; every other value stays a hash, which equals no value. */
export function unmasked(entry: Fields, candidates: readonly Json[], place: string, key: CacheKey): Fields {
  if (candidates.length === 0) return entry;
  const salt = saltOf(entry, place);
  return mapped(entry, (value, path) =>
    typeof value === "string" && value.startsWith(maskMark)
      ? (candidates.find((candidate) => hashOf(key, salt, path, candidate) === value) ?? value)
      : value,
  );
}

/** All texts and numbers in a value, however deep. */
export function leavesOf(value: Json | undefined): Json[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  if (isFields(value)) return Object.values(value).flatMap(leavesOf);
  return typeof value === "string" || typeof value === "number" ? [value] : [];
}

function hasId(entry: Fields): entry is Fields & { id: string } {
  return typeof entry["id"] === "string" && entry["id"] !== "";
}

function saltOf(entry: Fields, place: string): string {
  return hasId(entry) ? entry.id : place;
}

function hashOf(key: CacheKey, salt: string, path: readonly string[], value: Json): string {
  return maskMark + key.hash("value", JSON.stringify([salt, path, value]));
}
