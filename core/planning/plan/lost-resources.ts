import { addressKey, type AnyAddress } from "../../model/addresses/address.ts";
import type { Action, LiveDeletion } from "./action.ts";
import { deletes } from "./action-types.ts";
import { type Inventory, type ResourceIdentity, addressBy } from "./inventory.ts";

/** A live resource that ceases to exist when the plan is carried out. */
export interface LostResource {
  identity: ResourceIdentity;
  /** The action on this resource itself; undefined if only its parent is deleted. */
  own: LiveDeletion | undefined;
  /** The action that deletes it: its own, or else that of its nearest ancestor with one. */
  cause: LiveDeletion;
  /** Its names from the project down, as the plan has them. */
  names: readonly string[];
}

/** Whether an action deletes a live resource, be it to create it again. */
export function isLiveDeletion(action: Action): action is LiveDeletion {
  return deletes(action) && action.resourceId !== undefined;
}

/**
 * Every resource that ceases to exist on the server because of a plan: those that it deletes or replaces and, all
 * levels deep, their contents, by live id, whether or not a document or a target mentions them.
 */
export function lostResourcesOf(inventory: Inventory, actions: readonly Action[]): LostResource[] {
  const destructive = new Map(actions.filter(isLiveDeletion).map((action) => [action.resourceId, action]));
  const lostResources: LostResource[] = [];
  const visit = (
    identity: ResourceIdentity,
    cause: LiveDeletion | undefined,
    parentNames: readonly string[],
  ): void => {
    const own = destructive.get(identity.id);
    const nearest = own ?? cause;
    const names = own?.address.names ?? [...parentNames, identity.name];
    if (nearest && (own || !comesByItself(identity)))
      lostResources.push({ identity, own, cause: nearest, names });
    for (const inner of identity.contents) visit(inner, nearest, names);
  };
  for (const root of inventory.roots) visit(root, undefined, []);
  return lostResources;
}

/** Whether a resource is one that the server makes with its parent, and that no document protects. */
function comesByItself({ kind, name, documents }: ResourceIdentity): boolean {
  return (
    kind?.comesWithParent?.(name) !== undefined && !documents.some(({ manage }) => manage.protect === true)
  );
}

export function liveAddressOf(
  identity: ResourceIdentity,
  names: readonly string[],
): { liveAddress?: AnyAddress } {
  const liveAddress = addressBy(identity, identity.names[0] ?? []);
  return addressKey(liveAddress) === addressKey(addressBy(identity, names)) ? {} : { liveAddress };
}
