import { type Action, unreachable } from "./action.ts";

/** Requests that an action costs: what it surely sends, and one look for each thing that it waits for. */
export function costOf(action: Action): number {
  switch (action.type) {
    case "none":
      return 0;
    case "create":
      return 1;
    case "update":
      return 2;
    case "clone":
      return action.changes.length > 0 ? 3 : 2;
    case "replace":
      return action.removedBy === undefined ? 3 : 1;
    case "delete":
      return action.removedBy === undefined ? 2 : 0;
    default:
      return unreachable(action);
  }
}
