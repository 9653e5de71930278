import { type Address, formatAddress } from "../../model/addresses/address.ts";
import { inheritedParts } from "../../model/parts/index.ts";
import type { Action, ActionOf } from "./action.ts";
import type { Findings } from "./findings.ts";
import { type LiveState, unreadIn } from "./live-state.ts";
import type { ResourceIdentity, Inventory } from "./inventory.ts";
import { updates } from "./action-types.ts";

/** Whether an action changes parts that the services in its resource have as well, each from its next deployment on. */
export function reachesInside(action: Action): action is ActionOf<"update"> {
  if (!updates(action) || action.address.kind.deployment) return false;
  const inherited = inheritedParts(action.address.kind);
  return action.changes.some(({ path: [member, key = ""] }) =>
    inherited.some((part) => part.member === member && !part.form?.isPersonal?.(key)),
  );
}

/** Asks for the lists that name the environments in which a change has to be deployed. */
export function needReach(
  findings: Findings,
  inventory: Inventory,
  live: LiveState,
  actions: readonly Action[],
): void {
  for (const { resource } of reached(inventory, actions)) {
    if (!resource.live || resource.live.kind.jointDeployment) continue;
    for (const kind of unreadIn(live, resource.live.kind, resource.live.id))
      if (kind.jointDeployment) findings.needList(kind, resource.live.id, resource.live);
  }
}

/**
 * The actions, each update that reaches services in its resource with their addresses. An environment whose services no
 * plan has to read stands for all of them.
 */
export function withReach(inventory: Inventory, live: LiveState, actions: readonly Action[]): Action[] {
  const found = new Map<Action, Address[]>(
    reached(inventory, actions).map(({ action, resource }) => [
      action,
      sorted(servicesIn(resource, action.address.names, live)),
    ]),
  );
  return actions.map((action) => {
    const reaches = found.get(action) ?? [];
    return reachesInside(action) && reaches.length > 0 ? { ...action, reaches } : action;
  });
}

function reached(inventory: Inventory, actions: readonly Action[]) {
  return actions.filter(reachesInside).flatMap((action) => {
    const resource = action.resourceId === undefined ? undefined : inventory.byId.get(action.resourceId);
    return resource ? [{ action, resource }] : [];
  });
}

/** The server lists services in any order. */
function sorted(addresses: readonly Address[]): Address[] {
  return addresses.toSorted((one, other) => (formatAddress(one) < formatAddress(other) ? -1 : 1));
}

/** The services inside a resource that have its parts, under the names that the plan gives. */
function servicesIn(outer: ResourceIdentity, names: readonly string[], live: LiveState): Address[] {
  return outer.contents.flatMap((inner): Address[] => {
    const { kind, documents, name, id } = inner;
    if (!kind) return [];
    const address = { kind, names: [...names, documents[0]?.name ?? name] };
    if (kind.deployment) return inheritedParts(kind).length > 0 ? [address] : [];
    if (kind.jointDeployment && !live.contents.has(id)) return [address];
    return servicesIn(inner, address.names, live);
  });
}
