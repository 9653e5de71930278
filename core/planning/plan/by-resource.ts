import { addressKey } from "../../model/addresses/address.ts";
import type { Action } from "./action.ts";
import { deploys, isChange } from "./action-types.ts";

/** Pairs the changes of two plans by resource: by address, and by id where two resources have the same address. */
export function byResource(
  one: readonly Action[],
  other: readonly Action[],
): [Map<string, Action>, Map<string, Action>] {
  const plans = [one, other].map((actions) => Map.groupBy(actions.filter(isChange), placeOf));
  const isShared = (key: string) => plans.some((groups) => (groups.get(key)?.length ?? 0) > 1);
  const keyOf = (action: Action) => {
    const key = placeOf(action);
    return isShared(key) ? `${key} ${action.resourceId}` : key;
  };
  const keyed = (actions: readonly Action[]) =>
    new Map(actions.filter(isChange).map((action) => [keyOf(action), action]));
  return [keyed(one), keyed(other)];
}

function placeOf(action: Action): string {
  return `${deploys(action) ? "deploy " : ""}${addressKey(action.address)}`;
}
