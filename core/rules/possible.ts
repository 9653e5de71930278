import { type FieldChange, formatPath } from "../fields/compare.ts";
import { type MissingField, missingFields } from "../fields/missing.ts";
import type { Kind, PlannedChange } from "../kinds/index.ts";

/** What forbids a change, at a member of the fields. */
export interface Objection {
  path: string[];
  /** What is the matter with that member: `is needed`. */
  message: string;
  /** The member is missing, and stating it would help. */
  isMissing: boolean;
}

/** What the schema and the kind have against what would be sent. */
export function objectionsTo(kind: Kind, change: PlannedChange): Objection[] {
  const problem = kind.problem?.(change);
  return [
    ...missingFor(kind, change).map((missing) => ({ ...missing, isMissing: true })),
    ...(problem ? [{ path: [problem.field], message: problem.message, isMissing: false }] : []),
  ];
}

/**
 * What is missing in what would be sent. What a resource lacks already is no obstacle to a change of something else.
 * Without the fields as they are, only a creation can be judged.
 */
function missingFor({ fields }: Kind, { how, current, wanted }: PlannedChange): MissingField[] {
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
