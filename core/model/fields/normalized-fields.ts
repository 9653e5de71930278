import { type Fields, isFields, type Json, mapFields, own, sameJson } from "../../values/json.ts";
import type { FieldSchema } from "../schema/field-schema.ts";
import { mayBeRewritten } from "../addresses/names.ts";
import { compare, type FieldChange } from "./compare.ts";
import { overlay } from "./overlay.ts";
import { type Normalization, rewriting } from "./normalization.ts";

/** A field whose value in the answer differs from the sent one, or is missing. */
export interface NormalizedField {
  path: string[];
  /** Absent: none. */
  sent?: Json;
  /** Absent: none, or the answer does not show it. */
  kept?: Json;
}

/** Marks the changes that the server may cause by normalizing a value; such a change may also be real. */
export function markNormalized(
  schema: FieldSchema,
  changes: readonly FieldChange[],
  isShown: (path: readonly string[]) => boolean,
): FieldChange[] {
  return changes.map((change) => {
    const field = schemaAt(schema, change.path);
    const isMember = field && !change.path.at(-1)?.startsWith("[") && !isAlternative(schema, change.path);
    const isMissing = isMember && change.after !== undefined && !isShown(change.path);
    const found = rewritingIn(change, changes) ?? (isMissing && "not_shown");
    return found ? { ...change, normalized: found } : change;
  });
}

function rewritingIn(change: FieldChange, all: readonly FieldChange[]): Normalization | undefined {
  const { path, before, after } = change;
  if (before !== undefined && after !== undefined) {
    const isName = path.length === 1 && path[0] === "name";
    if (!isName) return rewriting(before, after);
    const areTexts = typeof before === "string" && typeof after === "string";
    return areTexts && mayBeRewritten(after, before) ? "spelling" : undefined;
  }
  // An element with a normalized key shows as a removed and an added element.
  if (!path.at(-1)?.startsWith("[")) return undefined;
  const others = all.filter(
    (other) =>
      other !== change &&
      sameJson(other.path.slice(0, -1), path.slice(0, -1)) &&
      (other.before === undefined) !== (before === undefined) &&
      (other.after === undefined) !== (after === undefined),
  );
  for (const other of others) {
    const found = rewritingOfElement(before ?? other.before ?? null, after ?? other.after ?? null);
    if (found) return found;
  }
  return undefined;
}

/** Compares only declared members of an element, because the server adds ids and defaults. */
function rewritingOfElement(live: Json, desired: Json): Normalization | undefined {
  if (!isFields(live) || !isFields(desired)) return rewriting(live, desired);
  const declared = mapFields(live, (value, member) => (Object.hasOwn(desired, member) ? value : undefined));
  return rewriting(declared, desired);
}

/** Undefined for a member that is not a field, such as the name. */
function schemaAt(schema: FieldSchema, path: readonly string[]): FieldSchema | undefined {
  let at: FieldSchema | undefined = schema;
  for (const part of path) {
    at = part.startsWith("[") ? at?.items : own(at?.properties ?? {}, part);
    // Answers about the resource itself show neither its parts nor secrets nor orders.
    if (at?.part || at?.secret || at?.inDescription || at?.place === "engine") return undefined;
  }
  return at;
}

/** Whether a member is one of several alternatives: answers never show unused ones. */
function isAlternative(schema: FieldSchema, path: readonly string[]): boolean {
  const parent = schemaAt(schema, path.slice(0, -1));
  return (parent?.alternatives ?? []).some((group) => group.includes(path.at(-1) ?? ""));
}

/** Whether an answer, in request form, has the member at a path, even as null; a list counts if it is empty or any element has it. */
export function showsMember(response: Fields, path: readonly string[]): boolean {
  let all: Json[] = [response];
  for (const part of path) {
    if (part.startsWith("[")) {
      all = all.flatMap((value) => (Array.isArray(value) ? value : [value]));
      if (all.length === 0) return true;
      continue;
    }
    // If an object on the path is not set, the answer does not tell.
    const objects = all.filter((value) => isFields(value));
    if (objects.length === 0) return true;
    all = objects.flatMap((value) => own(value, part) ?? own(value, `${part}_id`) ?? []);
    const isThere = objects.some((value) => Object.hasOwn(value, part) || Object.hasOwn(value, `${part}_id`));
    if (!isThere) return false;
  }
  return true;
}

/** The fields that an answer in manifest form shows otherwise than sent; `isWhole`: a missing field counts too. */
export function normalizedFields(
  schema: FieldSchema,
  answered: Fields,
  sent: Fields,
  isWhole: boolean,
): NormalizedField[] {
  const shown = isWhole
    ? sent
    : mapFields(sent, (value, member) => (own(answered, member) === undefined ? undefined : value));
  return compare(schema, answered, overlay(schema, answered, shown)).map(({ path, before, after }) => ({
    path,
    ...(after !== undefined && { sent: after }),
    ...(before !== undefined && { kept: before }),
  }));
}
