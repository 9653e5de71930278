import { parseAddress } from "../address.ts";
import { kindOf, kindsInside } from "../kinds/index.ts";
import { type Action, unreachable } from "./action.ts";

/**
 * Requests that an action costs: what it surely sends, and one look for each thing that it waits for. The looks of
 * deletions are shared, so they are counted for the plan as a whole.
 */
export function costOf(action: Action): number {
  switch (action.type) {
    case "none":
      return 0;
    case "create":
      return 1;
    case "update":
      return 2;
    case "clone":
      return 3 + (action.changes.length > 0 ? 1 : 0) + (action.contents.length > 0 ? 1 : 0);
    case "replace":
      return action.removedBy === undefined ? 5 + looksInside(action) : 1;
    case "delete":
      return action.removedBy === undefined ? 2 + looksInside(action) : 0;
    default:
      return unreachable(action);
  }
}

/** What holds others is looked into before it is deleted. */
function looksInside({ kind }: Action): number {
  return kindsInside(kindOf(kind)).length > 0 ? 1 : 0;
}

/** Requests that a plan costs: those of its actions, and two looks at each parent that something is deleted from. */
export function costOfAll(actions: readonly Action[]): number {
  const parents = new Set<string>();
  for (const action of actions) {
    if (action.type !== "delete" || action.removedBy !== undefined) continue;
    parents.add(parseAddress(action.address)?.names.slice(0, -1).join("/").toLowerCase() ?? "");
  }
  return actions.reduce((sum, { cost }) => sum + cost, 0) + 2 * parents.size;
}
