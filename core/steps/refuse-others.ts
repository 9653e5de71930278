import { type FieldChange, formatPath } from "../fields/compare.ts";
import { lessIn } from "../fields/less.ts";
import { type Fields, sameJson } from "../json.ts";
import type { Kind } from "../kinds/index.ts";
import { OperationError } from "./errors.ts";

/** Refuses changes that were not planned. @throws OperationError `changed` */
export function refuseOthers(
  { kind }: { kind: Kind },
  needed: readonly FieldChange[],
  planned: readonly FieldChange[],
): void {
  const isPlanned = (change: FieldChange): boolean =>
    planned.some(
      ({ path, before, after }) =>
        sameJson(path, change.path) && sameJson(after, change.after) && sameJson(before, change.before),
    );
  const others = needed.filter((change) => !isPlanned(change));
  if (others.length === 0) return;
  throw new OperationError(
    "changed",
    `the ${kind.name} has changed meanwhile, in ${others.map(({ path }) => formatPath(path)).join(", ")}`,
    { remedies: [{ again: "plan" }] },
  );
}

/**
 * Refuses a request that replaces a whole, if what it would send lacks something that the plan saw: no document asked to
 * remove that, and the reading on which the request is based may be incomplete.
 *
 * @param planned the fields that the plan expects afterwards
 * @param wanted the fields that would be sent
 * @throws OperationError `changed`
 */
export function refuseLess(
  { kind }: { kind: Kind },
  what: string,
  planned: Fields | undefined,
  wanted: Fields,
): void {
  const missing = planned ? lessIn(kind.fields, planned, wanted) : [];
  if (missing.length === 0) return;
  throw new OperationError(
    "changed",
    `nothing was sent: the plan saw more of ${what} than a new reading shows, in ${missing.map(formatPath).join(", ")}, and the request, which replaces the whole, would delete it`,
    { remedies: [{ again: "plan" }] },
  );
}
