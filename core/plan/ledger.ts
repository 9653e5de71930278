import { type Action, isLiveUpdate } from "./action.ts";
import { type Departure, isDestructive } from "./departures.ts";
import type { LiveState } from "./given.ts";
import type { Inventory } from "./inventory.ts";
import { lossesOfDeletions } from "./losses-of-deletions.ts";
import { lossesOfUpdate } from "./losses-of-updates.ts";

/**
 * The actions, each with everything that becomes unreadable, smaller or gone because of it, by live id and computed from
 * live state. This is the only place that decides what is lost: `lossesOf` gives the list, and caps, protections,
 * consents, digests, saved plans, reports and front ends read it.
 */
export function withLosses(
  inventory: Inventory,
  live: LiveState,
  actions: readonly Action[],
  departures: readonly Departure[],
): Action[] {
  const leaving = lossesOfDeletions(departures, live, actions);
  return actions.map((action) => {
    if (isDestructive(action)) return { ...action, ...leaving.get(action) };
    if (!isLiveUpdate(action)) return action;
    return { ...action, losses: lossesOfUpdate(inventory, live, action, departures) };
  });
}
