import { type FieldChange, formatPath } from "../fields/compare.ts";
import { sameJson } from "../json.ts";
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
