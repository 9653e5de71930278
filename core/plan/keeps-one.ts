import { formatAddress } from "../address.ts";
import type { Fields } from "../json.ts";
import type { Problem } from "../problem.ts";
import { type Action, isLiveUpdate } from "./action.ts";
import { type LostResource, isLiveDeletion } from "./lost-resources.ts";
import type { Inventory } from "./inventory.ts";
import { updates } from "./action-types.ts";

/** The problems of a plan after which a parent has none left of what it needs at least one of. */
export function keepsOneProblems(
  { byId }: Inventory,
  actions: readonly Action[],
  lostResources: readonly LostResource[],
): Problem[] {
  const lost = new Set(lostResources.map(({ identity }) => identity.id));
  const expected = new Map<string, Fields>();
  for (const action of actions) if (isLiveUpdate(action)) expected.set(action.resourceId, action.expected);
  const all = [...byId.values()];
  return actions.flatMap((action): Problem[] => {
    const { kind } = action.address;
    const { keepsOne } = kind;
    if (!keepsOne || (!isLiveUpdate(action) && !isLiveDeletion(action))) return [];
    const isLeft = (fields: Fields | undefined) => fields !== undefined && keepsOne.holds(fields);
    const before = byId.get(action.resourceId)?.live?.fields;
    if (!isLeft(before)) return [];
    const isOneLeft = all.some(
      ({ id, kind: its, live }) => its === kind && !lost.has(id) && isLeft(expected.get(id) ?? live?.fields),
    );
    if (isOneLeft) return [];
    const address = formatAddress(action.address);
    const becomes = updates(action) ? "be changed so" : "be deleted";
    return [
      {
        code: "in_use",
        message: `${address} cannot ${becomes}: it is ${keepsOne.last}`,
        advice: keepsOne.advice,
        address,
      },
    ];
  });
}
