import { type Address, formatAddress } from "../../model/addresses/address.ts";
import { inheritedParts } from "../../model/parts/index.ts";
import type { Action, ActionOf } from "./action.ts";
import type { LiveState } from "./live-state.ts";
import type { ResourceIdentity } from "./inventory.ts";
import type { Planning } from "./planning.ts";
import { updates } from "./action-types.ts";

/** Whether an action changes parts that the services in its resource inherit with their next deployment. */
export function reachesInside(action: Action): action is ActionOf<"update"> {
  if (!updates(action) || action.address.kind.deployment) return false;
  const inherited = inheritedParts(action.address.kind);
  return action.changes.some(({ path: [member, key = ""] }) =>
    inherited.some((part) => part.member === member && !part.form?.isPersonal?.(key)),
  );
}

/** The actions; updates that reach services have their addresses. An environment stands for unread services. */
export function withReach({ findings, inventory, live }: Planning, actions: readonly Action[]): Action[] {
  return actions.map((action) => {
    const resource = inventory.byId.get(action.resourceId ?? "");
    if (!reachesInside(action) || !resource) return action;
    // These lists name the environments in which the change has to be deployed.
    if (resource.live && !resource.live.kind.jointDeployment)
      findings.needInside(live, resource.live, (kind) => kind.jointDeployment !== undefined);
    const reaches = sorted(servicesIn(resource, action.address.names, live));
    return reaches.length > 0 ? { ...action, reaches } : action;
  });
}

/** The server returns services in any order. */
function sorted(addresses: readonly Address[]): Address[] {
  return addresses.toSorted((one, other) => (formatAddress(one) < formatAddress(other) ? -1 : 1));
}

/** The services in a resource that inherit its parts, by their planned names. */
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
