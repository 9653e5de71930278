import { formatAddress } from "../address.ts";
import type { Fields } from "../json.ts";
import type { Problem } from "../problem.ts";
import { type Action, isLiveUpdate } from "./action.ts";
import { type Departure, isDestructive } from "./departures.ts";
import type { Inventory } from "./inventory.ts";
import { updates } from "./action-types.ts";

/** The problems of a plan after which a parent has none left of what it needs at least one of. */
export function keepsOneProblems(
  { byId }: Inventory,
  actions: readonly Action[],
  departures: readonly Departure[],
): Problem[] {
  const going = new Set(departures.map(({ identity }) => identity.id));
  const expected = new Map<string, Fields>();
  for (const action of actions) if (isLiveUpdate(action)) expected.set(action.resourceId, action.expected);
  const all = [...byId.values()];
  return actions.flatMap((action): Problem[] => {
    const { kind } = action.address;
    const { keepsOne } = kind;
    if (!keepsOne || (!isLiveUpdate(action) && !isDestructive(action))) return [];
    const isLeft = (fields: Fields | undefined) => fields !== undefined && keepsOne.holds(fields);
    const before = byId.get(action.resourceId)?.live?.fields;
    if (!isLeft(before)) return [];
    const isOneLeft = all.some(
      ({ id, kind: its, live }) => its === kind && !going.has(id) && isLeft(expected.get(id) ?? live?.fields),
    );
    if (isOneLeft) return [];
    const address = formatAddress(action.address);
    const fate = updates(action) ? "be changed so" : "be deleted";
    return [
      {
        code: "in_use",
        message: `${address} cannot ${fate}: it is ${keepsOne.last}`,
        advice: keepsOne.advice,
        address,
      },
    ];
  });
}
