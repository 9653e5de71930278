import { type Action, isLiveUpdate } from "./action.ts";
import { type LostResource, isLiveDeletion } from "./lost-resources.ts";
import { lossesOfDeletions } from "./losses-of-deletions.ts";
import { lossesOfUpdate } from "./losses-of-updates.ts";
import type { Planning } from "./planning.ts";

/** The actions with all losses, by live id and from live state. Everything else reads `lossesOf`. */
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
