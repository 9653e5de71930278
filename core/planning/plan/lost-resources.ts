import { addressKey, type AnyAddress } from "../../model/addresses/address.ts";
import type { Action, LiveDeletion } from "./action.ts";
import { deletes } from "./action-types.ts";
import { type Inventory, type ResourceIdentity, addressBy } from "./inventory.ts";

/** A live resource that the plan deletes. */
export interface LostResource {
  identity: ResourceIdentity;
  /** Undefined: only its parent is deleted. */
  own: LiveDeletion | undefined;
  /** Its own deletion, or else that of its nearest deleted parent. */
  cause: LiveDeletion;
  /** The planned names, from the project down. */
  names: readonly string[];
}

/** Whether an action deletes or replaces a live resource. */
export function isLiveDeletion(action: Action): action is LiveDeletion {
  return deletes(action) && action.resourceId !== undefined;
}

/** Every live resource that a plan deletes, with contents, by live id, whatever documents and targets say. */
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

/** Whether the server creates a resource with its parent, and no document protects it. */
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
