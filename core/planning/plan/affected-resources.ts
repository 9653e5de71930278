import { formatAddress } from "../../model/addresses/address.ts";
import type { Problem } from "../../problems/problem.ts";
import type { Action } from "./action.ts";
import { makes, updates } from "./action-types.ts";
import type { Inventory } from "./inventory.ts";

/**
 * The ids of the live resources that a plan changes or replaces, whose parts it takes along, or that have problems. What a
 * plan says of them has to be read for this plan. Of what is only deleted it names the parts, and the deletion itself reads
 * them once more.
 */
export function concernedIn(
  { byId }: Inventory,
  actions: readonly Action[],
  problems: readonly Problem[],
): Set<string> {
  const ids = new Set<string>();
  for (const action of actions) {
    if (!makes(action) && !updates(action)) continue;
    const { resourceId, contentIds, losses, source } = action;
    const owners = losses.map(({ owner }) => owner?.id);
    const sources = source && "id" in source ? [source.id] : [];
    for (const id of [resourceId, ...contentIds, ...owners, ...sources]) if (id !== undefined) ids.add(id);
  }
  const addresses = new Set(problems.flatMap(({ address }) => address ?? []));
  if (addresses.size === 0) return ids;
  for (const { id, documents } of byId.values())
    if (documents.some(({ address }) => addresses.has(formatAddress(address)))) ids.add(id);
  return ids;
}
