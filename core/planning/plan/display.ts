import { shownChange, shownValue } from "../../rules/credentials.ts";
import type { Action } from "./action.ts";

/** An action as output shows it: a mark replaces each readable credential. */
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
