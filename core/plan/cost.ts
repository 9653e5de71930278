import { addressKey, parentAddress } from "../address.ts";
import { kindsInside } from "../kinds/index.ts";
import { type Action, type Plan, unreachable } from "./action.ts";

/** How many requests a plan costs. */
export interface Cost {
  /** What was spent on making the plan. */
  planning: number;
  /** What carrying it out will cost, as far as can be told. */
  applying: number;
}

/** Requests that a plan costs: those of its actions, and two looks at each parent that something is deleted from. */
export function costOf({ actions, spent }: Plan): Cost {
  const parents = new Set<string>();
  for (const { type, address, alongWith } of actions) {
    if (type !== "delete" || alongWith !== undefined) continue;
    const parent = parentAddress(address);
    parents.add(parent ? addressKey(parent) : "");
  }
  const applying = actions.reduce((sum, action) => sum + costOfAction(action), 2 * parents.size);
  return { planning: spent, applying };
}

/**
 * Requests that an action costs: what it surely sends, and one look for each thing that it waits for. The looks of
 * deletions are shared, so they are counted for the plan as a whole.
 */
export function costOfAction(action: Action): number {
  switch (action.type) {
    case "none":
      return 0;
    case "create":
      return 1;
    case "update":
      return 2;
    case "clone":
      return 3 + (action.changes.length > 0 ? 1 : 0) + (action.brings.length > 0 ? 1 : 0);
    case "replace":
      return action.alongWith === undefined ? 5 + looksInside(action) : 1;
    case "delete":
      return action.alongWith === undefined ? 2 + looksInside(action) : 0;
    default:
      return unreachable(action);
  }
}

/** What holds others is looked into before it is deleted. */
function looksInside({ address }: Action): number {
  return kindsInside(address.kind).length > 0 ? 1 : 0;
}
