import { addressKey, type AnyAddress, nameOf } from "../../model/addresses/address.ts";
import type { Pattern } from "../../model/addresses/pattern.ts";
import type { Action } from "../plan/action.ts";
import { addressBy, type Inventory } from "../plan/inventory.ts";

/** A resource by its declared address and its live address. */
export interface BothAddresses {
  address: AnyAddress;
  /** Absent: equal to `address`. */
  liveAddress?: AnyAddress;
}

/** Whether a person's patterns match both addresses of a resource: a document can give any name to any resource. */
export function covers(
  patterns: readonly Pick<Pattern, "matches">[],
  { address, liveAddress = address }: BothAddresses,
): boolean {
  return [address, liveAddress].every((each) => patterns.some((pattern) => pattern.matches(each)));
}

/** Both addresses of the resource of an action. That of a new resource has the live names of its parents. */
export function bothAddresses(inventory: Inventory, { address, parent, resourceId }: Action): BothAddresses {
  if (resourceId !== undefined && inventory.byId.has(resourceId))
    return withLiveAddress(inventory, address, resourceId);
  const above = "id" in parent ? inventory.byId.get(parent.id)?.names[0] : undefined;
  return bothOf(address, above && { ...address, names: [...above, nameOf(address)] });
}

export function withLiveAddress(
  inventory: Inventory,
  address: AnyAddress,
  id: string | undefined,
): BothAddresses {
  const live = id === undefined ? undefined : inventory.byId.get(id);
  return bothOf(address, live && addressBy(live, live.names[0] ?? []));
}

function bothOf(address: AnyAddress, liveAddress: AnyAddress | undefined): BothAddresses {
  return liveAddress && addressKey(liveAddress) !== addressKey(address)
    ? { address, liveAddress }
    : { address };
}
