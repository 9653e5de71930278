import { shownChange, shownValue } from "../../rules/credentials.ts";
import type { Action } from "./action.ts";

/** An action as people see it, in every format: a mark stands in the place of each credential that can be read. */
export function shownAction<One extends Action>(action: One): One {
  const { address, stated, expected, changes, credentials } = action;
  const { kind } = address;
  return {
    ...action,
    stated: shownValue(kind, [], stated, credentials),
    expected: shownValue(kind, [], expected, credentials),
    changes: changes.map((change) => shownChange(kind, change, credentials)),
  };
}
