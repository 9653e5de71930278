import { formatAddress } from "../address.ts";
import { takesLast } from "../rules/last-one.ts";
import type { Fields } from "../json.ts";
import type { Problem } from "../problem.ts";
import { type Action, isLiveUpdate } from "./action.ts";
import { type LostResource, isLiveDeletion } from "./lost-resources.ts";
import type { Inventory } from "./inventory.ts";

/** The problems of a plan after which a parent has none left of what it needs at least one of. */
export function keepsOneProblems(
  { byId }: Inventory,
  actions: readonly Action[],
  lostResources: readonly LostResource[],
): Problem[] {
  const lost = new Set(lostResources.map(({ identity }) => identity.id));
  const expected = new Map<string, Fields>();
  for (const action of actions) if (isLiveUpdate(action)) expected.set(action.resourceId, action.expected);
  return actions.flatMap((action): Problem[] => {
    const { kind } = action.address;
    if (!kind.keepsOne || (!isLiveUpdate(action) && !isLiveDeletion(action))) return [];
    const all = [...byId.values()].flatMap(({ id, kind: its, live }) =>
      its === kind && live ? [{ id, fields: live.fields }] : [],
    );
    const last = takesLast(kind, action.resourceId, all, ({ id, fields }) =>
      lost.has(id) ? undefined : (expected.get(id) ?? fields),
    );
    const address = formatAddress(action.address);
    return last
      ? [{ code: "in_use", message: `${address} ${last.message}`, advice: last.advice, address }]
      : [];
  });
}
