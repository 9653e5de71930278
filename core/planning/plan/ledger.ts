import { type Action, isLiveUpdate } from "./action.ts";
import { type LostResource, isLiveDeletion } from "./lost-resources.ts";
import { lossesOfDeletions } from "./losses-of-deletions.ts";
import { lossesOfUpdate } from "./losses-of-updates.ts";
import type { Planning } from "./planning.ts";

/**
 * The actions, each with everything that becomes unreadable, smaller or gone because of it, by live id and computed from
 * live state. This is the only place that decides what is lost: `lossesOf` gives the list, and caps, protections,
 * consents, digests, saved plans, reports and front ends read it.
 */
export function withLosses(
  planning: Planning,
  actions: readonly Action[],
  lostResources: readonly LostResource[],
): Action[] {
  const found = lossesOfDeletions(planning, lostResources, actions);
  return actions.map((action) => {
    if (isLiveDeletion(action)) return { ...action, ...found.get(action) };
    if (!isLiveUpdate(action)) return action;
    return { ...action, losses: lossesOfUpdate(planning, action, lostResources) };
  });
}
