import { formatAddress } from "../../model/addresses/address.ts";
import type { Problem } from "../../problems/problem.ts";
import type { Action } from "./action.ts";
import { makes, updates } from "./action-types.ts";
import type { Inventory } from "./inventory.ts";

/** The ids of live resources whose facts this plan needs; a deletion reads its own parts again. */
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
