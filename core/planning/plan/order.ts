import type { Address } from "../../model/addresses/address.ts";
import { nameKey } from "../../model/addresses/names.ts";
import type { Action } from "./action.ts";

/** Names the actions that can never start, because they wait for each other. */
export function circleIn(actions: readonly Action[]): string | undefined {
  const ids = new Set(actions.map(({ id }) => id));
  const waiting = new Map(
    actions.map(({ id, after }) => [id, after.filter((other) => ids.has(other)).length]),
  );
  const dependants = Map.groupBy(
    actions.flatMap((action) => action.after.map((id) => ({ id, action }))),
    ({ id }) => id,
  );
  let others = actions.filter((action) => !waitsForOthers(action)).length;
  const late = actions.filter(waitsForOthers);
  const isFree = (action: Action) =>
    waiting.get(action.id) === 0 && (others === 0 || !waitsForOthers(action));
  const started = new Set<string>();
  const free = actions.filter(isFree);
  for (let action = free.pop(); action; action = free.pop()) {
    if (started.has(action.id)) continue;
    started.add(action.id);
    if (!waitsForOthers(action)) {
      others -= 1;
      if (others === 0) free.push(...late.filter(isFree));
    }
    for (const { action: next } of dependants.get(action.id) ?? []) {
      waiting.set(next.id, (waiting.get(next.id) ?? 0) - 1);
      if (isFree(next)) free.push(next);
    }
  }
  const stuck = actions.filter(({ id }) => !started.has(id)).map(({ id }) => `"${id}"`);
  return stuck.length === 0 ? undefined : `these actions wait for each other: ${stuck.join(", ")}`;
}

/** Whether an action waits for the actions of its environment that do not do so themselves, even if they fail. */
export function waitsForOthers(action: Action): boolean {
  return action.afterOthers;
}

/** The key of the environment of a resource; empty outside environments, where every action counts. */
export function placeKey({ names }: Address): string {
  return names.length < 2 ? "" : names.slice(0, 2).map(nameKey).join("/");
}

/** Whether an action's resource or clone source is in a place; a deletion waits only for those. */
export function touches(action: Action, place: string): boolean {
  const addresses = [action.address, ...(action.source ? [action.source.address] : [])];
  return place === "" || addresses.some((address) => ["", place].includes(placeKey(address)));
}
