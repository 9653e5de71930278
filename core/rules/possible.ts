import { type FieldChange, formatPath } from "../fields/compare.ts";
import { type MissingField, missingFields } from "../fields/missing.ts";
import type { Kind, PlannedChange } from "../kinds/index.ts";

/**
 * What is missing in what would be sent. What a resource lacks already is no obstacle to a change of something else.
 * Without the fields as they are, only a creation can be judged.
 */
export function missingFor({ fields }: Kind, { how, current, wanted }: PlannedChange): MissingField[] {
  if (!current) return how === "create" ? missingFields(fields, wanted) : [];
  const already = new Set(missingFields(fields, current).map(({ path }) => formatPath(path)));
  return missingFields(fields, wanted).filter(({ path }) => !already.has(formatPath(path)));
}

/** The changes that can only be made by replacing the resource; `replaces` says why. */
export function fixedAmong(changes: readonly FieldChange[]): Fixed[] {
  return changes.filter((change): change is Fixed => change.replaces !== undefined);
}

/** A change of what cannot be changed, with the reason. */
export type Fixed = FieldChange & { replaces: string };
