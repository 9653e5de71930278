import { formatAddress } from "../core/address.ts";
import { formatPath } from "../core/fields/compare.ts";
import type { Action, Plan } from "../core/plan/index.ts";
import { removedParts } from "../core/plan/removed-parts.ts";

/** A change of a plan, without values: some may be secret. */
export interface Change {
  action: Action["type"];
  address: string;
  fields?: string[];
}

/** The changes of a plan. */
export function changesOf({ actions }: Plan): Change[] {
  return actions
    .filter(({ type }) => type !== "none")
    .map((action) => ({
      action: action.type,
      address: formatAddress(action.address),
      ...("changes" in action && {
        fields: [...new Set(action.changes.map(({ path }) => formatPath(path)))],
      }),
    }));
}

/** Whether a plan deletes anything, and be it to create it again, or a variable. */
export function deletes({ actions }: Plan): boolean {
  return actions.some(
    (action) => action.type === "delete" || action.type === "replace" || removedParts(action).length > 0,
  );
}
