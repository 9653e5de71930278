import { nameKey } from "../addresses/names.ts";
import { type Fields, isFields, type Json, own, sameJson } from "../../values/json.ts";
import { alternativesOf, type FieldSchema, hasMembers, propertiesOf } from "../schema/field-schema.ts";
import type { Normalization } from "./normalization.ts";
import { elementKey, elementLabel, pairElements } from "../schema/elements.ts";
import { shortForm } from "./short-form.ts";

/** One field that differs. */
export interface FieldChange {
  /** Members from the top, elements of sets in brackets: `["ports", "[8080/HTTP]", "publicly_accessible"]`. */
  path: string[];
  /** Absent: there was no value. */
  before?: Json | undefined;
  /** Absent: the value will be removed. */
  after?: Json | undefined;
  /** Why the change needs a replacement; absent: an update suffices. */
  replaces?: string | undefined;
  /** How the server may have turned `after` into `before`. If it did, the next plan shows the same change again. */
  normalized?: Normalization | undefined;
}

export { formatPath } from "../../problems/say.ts";

/** The differences of two states. An absent field equals its default; sets have no order; unknown members are ignored. */
export function compare(
  schema: FieldSchema,
  before: Fields,
  after: Fields,
  path: string[] = [],
  inherited?: string,
): FieldChange[] {
  const flips = schema.immutableAlternative !== undefined && !sharesAlternative(schema, before, after);
  const changes: FieldChange[] = [];
  for (const [member, memberSchema] of membersOf(schema, before, after)) {
    const left = own(before, member);
    const right = own(after, member);
    // Most fields are equal, and need no path.
    if (isSame(memberSchema, left, right)) continue;
    if (memberSchema.neverShown || isHidden(memberSchema, member, before, after)) continue;
    const memberPath = member === schema.short ? path : [...path, member];
    const replaces = flips ? schema.immutableAlternative : (memberSchema.immutable ?? inherited);
    changes.push(...compareValues(memberSchema, left, right, memberPath, replaces));
  }
  return changes;
}

/** The members in which two objects may differ: those of the schema, or all free keys of both. */
function membersOf(
  schema: FieldSchema,
  before: Fields,
  after: Fields,
): readonly (readonly [string, FieldSchema])[] {
  const { entries } = schema;
  if (!entries) return propertiesOf(schema);
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .toSorted()
    .map((key) => [key, entries]);
}

/** Whether the API hides the value of a member on both sides. */
function isHidden({ hiddenWhen }: FieldSchema, member: string, before: Fields, after: Fields): boolean {
  return (
    hiddenWhen !== undefined &&
    own(before, member) === undefined &&
    own(before, hiddenWhen) === true &&
    own(after, hiddenWhen) === true
  );
}

/** Whether two values have members of the same alternative, or one has none of any. */
export function sharesAlternative(schema: FieldSchema, before: Fields, after: Fields): boolean {
  const left = alternativesOf(schema, before);
  const right = alternativesOf(schema, after);
  return left.length === 0 || right.length === 0 || left.some((index) => right.includes(index));
}

function compareValues(
  schema: FieldSchema,
  before: Json | undefined,
  after: Json | undefined,
  path: string[],
  replaces: string | undefined,
): FieldChange[] {
  if (isSame(schema, before, after)) return [];
  const left = before ?? schema.default;
  const right = after ?? schema.default;
  if (hasMembers(schema) && isFields(left) && isFields(right)) {
    return compare(schema, left, right, path, replaces);
  }
  if (schema.set && Array.isArray(left) && Array.isArray(right)) {
    return compareSets(schema, left, right, path, replaces);
  }
  if (schema.items && Array.isArray(left) && Array.isArray(right) && sameLists(schema.items, left, right)) {
    return [];
  }
  // An unknown value may turn out to be another alternative.
  const mayFlip = right !== undefined && !isFields(right) ? schema.immutableAlternative : undefined;
  const why = replaces ?? mayFlip;
  return [{ path, before: shortForm(schema, left), after: shortForm(schema, right), replaces: why }];
}

/** Whether both sides are equal as a whole; an absent side has the default. */
function isSame(schema: FieldSchema, before: Json | undefined, after: Json | undefined): boolean {
  const left = before ?? schema.default;
  const right = after ?? schema.default;
  if (left === undefined && right === undefined) return true;
  // A resolved reference is `{id, name?}`.
  if (schema.reference !== undefined)
    return (
      isFields(left) && isFields(right) && left["id"] === right["id"] && left["made_by"] === right["made_by"]
    );
  return sameJson(left, right) || (schema.sibling !== undefined && sameName(left, right));
}

/** Names are case insensitive. */
function sameName(left: Json | undefined, right: Json | undefined): boolean {
  return typeof left === "string" && typeof right === "string" && nameKey(left) === nameKey(right);
}

function sameLists(items: FieldSchema, left: Json[], right: Json[]): boolean {
  return (
    left.length === right.length &&
    left.every((element, index) => compareValues(items, element, right[index], [], undefined).length === 0)
  );
}

function compareSets(
  schema: FieldSchema,
  before: Json[],
  after: Json[],
  path: string[],
  replaces: string | undefined,
): FieldChange[] {
  return pairElements(schema, before, after).flatMap(({ left, right }) => {
    const elementPath = [...path, `[${elementLabel(schema, right ?? left ?? null)}]`];
    return isFields(left) && isFields(right) && schema.items?.properties
      ? compare(schema.items, left, right, elementPath, replaces)
      : left !== undefined && right !== undefined && elementKey(schema, left) === elementKey(schema, right)
        ? []
        : [{ path: elementPath, before: left, after: right, replaces }];
  });
}
