import { article } from "../values/text.ts";
import { compare, type FieldChange, formatPath } from "../model/fields/compare.ts";
import { overlay, withoutElementIds } from "../model/fields/overlay.ts";
import { type Fields, isFields, type Json, mapFields, sameJson } from "../values/json.ts";
import type { Kind } from "../model/kinds/index.ts";
import type { LiveResource } from "../state/live/index.ts";
import { type DeclaredPart, declaredParts, withoutParts } from "../model/parts/index.ts";
import { outdated } from "./errors.ts";

/** Facts of the plan about a copy. */
export interface PlannedCopy {
  /** The differences between the source and the copy. */
  changes: readonly FieldChange[];
  /** The fields that the copy has after the changes. */
  expected: Fields;
}

/** Refuses to change a resource that this run has not made, but for a copy that a killed run left. @throws OperationError `exists` */
export function refuseUnlessCopy(
  { kind, id, fields }: LiveResource,
  declared: Fields,
  { changes: planned, expected }: PlannedCopy,
): void {
  // The elements of a copy have ids of their own.
  const current = withoutElementIds(kind.fields, fields);
  const desired = overlay(kind.fields, current, withoutParts(kind, declared));
  const unplanned = compare(kind.fields, current, desired).filter(
    (change) => !planned.some((each) => isSame(each, change)),
  );
  // Of a source that this run creates, the plan does not know what the server fills in by itself.
  const unlike = compare(kind.fields, desired, withoutParts(kind, expected)).filter(
    ({ after }) => after !== undefined,
  );
  const others = [...unplanned, ...unlike];
  if (others.length === 0) return;
  throw outdated(
    "exists",
    `${article(kind.name)} of that name (${id}) has appeared meanwhile; it is not a copy of the source, and differs from the declared one in ${others.map(({ path }) => formatPath(path)).join(", ")}`,
  );
}

function isSame(one: FieldChange, other: FieldChange): boolean {
  return (
    sameJson(one.path, other.path) && sameJson(one.before, other.before) && sameJson(one.after, other.after)
  );
}

/** The declared fields without the removals of parts: nobody has agreed to those on a resource that the plan did not see. */
export function withoutRemovals(kind: Kind, declared: Fields): Fields {
  return withoutEntries(kind, declared, (_part, _key, entry) => entry === null);
}

/** The declared fields without the mark of the run that makes the copy. */
export function withoutMarks(kind: Kind, declared: Fields): Fields {
  return withoutEntries(kind, declared, ({ form }, key) => form.isPersonal?.(key) === true);
}

function withoutEntries(
  kind: Kind,
  declared: Fields,
  isLeftOut: (part: DeclaredPart, key: string, entry: Json) => boolean,
): Fields {
  const parts = new Map(declaredParts(kind).map((part) => [part.member, part]));
  return mapFields(declared, (value, member) => {
    const part = parts.get(member);
    return part && isFields(value)
      ? mapFields(value, (entry, key) => (isLeftOut(part, key, entry) ? undefined : entry))
      : value;
  });
}
