import type { FieldChange } from "../../model/fields/compare.ts";
import { isFields, type Fields, type Json, own, valueAt, withValueAt } from "../../values/json.ts";
import type { Kind } from "../../model/kinds/index.ts";
import { declaredValue } from "../live/index.ts";
import type { FieldSchema } from "../../model/schema/field-schema.ts";
import { locate, type FieldPlace, type ValuePath } from "./locate.ts";

/** A value of a document that takes over live values, one after the other. */
export interface DocumentDraft {
  value: Fields;
  /** Removed and added elements of lists. They are joined at the end: an added one replaces a removed one. */
  lists: readonly ListDraft[];
}

interface ListDraft {
  path: ValuePath;
  schema: FieldSchema;
  removed: readonly number[];
  added: readonly Json[];
}

export type WriteObstacle =
  /** A document below declares the field too, and would apply again. */
  | "declared_below"
  /** A file beside the manifest has the text. */
  | { file: string; text: string };

/** The draft with the live value of a field. @param isDeclaredBelow whether a document below declares the field too */
export function takeOver(
  kind: Kind,
  draft: DocumentDraft,
  { path, before }: FieldChange,
  isDeclaredBelow: boolean,
): DocumentDraft | { obstacle: WriteObstacle } {
  const place = locate(kind.fields, draft.value, path);
  if (before === undefined) {
    const { schema } = locate(kind.fields, draft.value, path.slice(0, -1));
    return without(draft, place, schema, isDeclaredBelow);
  }
  if (place.rest.length === 0)
    return within(draft, entryPath(draft, place, before), declaredValue(place.schema, before));
  const { schema, rest } = place;
  const [next = ""] = rest;
  const at = valueAt(draft.value, place.path) ?? null;
  if (Array.isArray(at)) return withElement(draft, place, before);
  // Null resets a list: it becomes one with this element.
  if (next.startsWith("[")) return withElement(within(draft, place.path, []), place, before);
  const { short } = schema;
  if (short !== undefined && !isFields(at))
    return within(draft, place.path, { [short]: at, ...nested(schema, rest, before) });
  const file = fileFor(schema, at, next);
  if (file !== undefined && typeof before === "string") return { obstacle: { file, text: before } };
  return within(draft, place.path, { ...(isFields(at) ? at : {}), ...nested(schema, rest, before) });
}

export function valueOfDraft({ value, lists }: DocumentDraft): Fields {
  return lists.reduce<Fields>((result, { path, schema, removed, added }) => {
    const list = valueAt(result, path);
    if (!Array.isArray(list)) return result;
    const elementSchema = (schema.keyedBy ? schema.entries : schema.items) ?? {};
    const waiting = [...added];
    const remaining = list.flatMap((element, index) => {
      if (!removed.includes(index)) return [element];
      const other = waiting.shift();
      return other === undefined ? [] : [inFormOf(elementSchema, element, other)];
    });
    const all = [...remaining, ...waiting.map((element) => declaredValue(elementSchema, element))];
    return withValueAt(result, path, all) as Fields;
  }, value);
}

function within(draft: DocumentDraft, path: ValuePath, value: Json | undefined): DocumentDraft {
  return { ...draft, value: withValueAt(draft.value, path, value) as Fields };
}

/** The path of the value of an entry, which may be in its long form. */
function entryPath({ value }: DocumentDraft, { path, schema }: FieldPlace, live: Json): ValuePath {
  const isLong = schema.short !== undefined && isFields(valueAt(value, path)) && !isFields(live);
  return isLong && schema.short !== undefined ? [...path, schema.short] : path;
}

/** @param parentSchema the schema around the field */
function without(
  draft: DocumentDraft,
  { path, schema, rest }: FieldPlace,
  parentSchema: FieldSchema,
  isDeclaredBelow: boolean,
): DocumentDraft | { obstacle: WriteObstacle } {
  if (rest.length > 0) return draft;
  const last = path.at(-1);
  if (typeof last === "number") {
    const listPath = path.slice(0, -1);
    return inList(draft, listPath, parentSchema, (list) => ({ ...list, removed: [...list.removed, last] }));
  }
  if (!isDeclaredBelow) return within(draft, path, undefined);
  return schema.resettable === false ? { obstacle: "declared_below" } : within(draft, path, null);
}

function withElement(draft: DocumentDraft, { path, schema }: FieldPlace, element: Json): DocumentDraft {
  return inList(draft, path, schema, (list) => ({ ...list, added: [...list.added, element] }));
}

function inList(
  draft: DocumentDraft,
  path: ValuePath,
  schema: FieldSchema,
  change: (list: ListDraft) => ListDraft,
): DocumentDraft {
  const key = JSON.stringify(path);
  const isThis = (list: ListDraft) => JSON.stringify(list.path) === key;
  const known = draft.lists.find(isThis) ?? { path, schema, removed: [], added: [] };
  return { ...draft, lists: [...draft.lists.filter((list) => !isThis(list)), change(known)] };
}

/** The missing members on the way to a field, with its value. */
function nested(schema: FieldSchema, [part = "", ...rest]: readonly string[], live: Json): Fields {
  const inside = schema.properties?.[part] ?? schema.entries ?? {};
  if (rest.length === 0) return { [part]: declaredValue(inside, live) };
  return rest[0]?.startsWith("[")
    ? { [part]: [declaredValue(inside.items ?? inside.entries ?? {}, live)] }
    : { [part]: nested(inside, rest, live) };
}

function fileFor({ properties = {} }: FieldSchema, value: Json, member: string): string | undefined {
  const [source] = Object.entries(properties).find(([, { readsInto }]) => readsInto === member) ?? [];
  const name = source === undefined || !isFields(value) ? undefined : own(value, source);
  return typeof name === "string" ? name : undefined;
}

/** A live element with the members of the old one, also with default values. */
function inFormOf(schema: FieldSchema, old: Json, live: Json): Json {
  const declared = declaredValue(schema, live);
  const whole = declaredValue(schema, live, "whole");
  if (!isFields(old) || !isFields(declared) || !isFields(whole)) return declared;
  const remaining = Object.keys(old).flatMap((member): [string, Json][] => {
    const value = own(whole, member);
    return value === undefined ? [] : [[member, value]];
  });
  return { ...Object.fromEntries(remaining), ...declared };
}
