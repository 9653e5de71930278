import {
  type Address,
  addressKey,
  childAddress,
  describeAddress,
  parentsOf,
} from "../../model/addresses/address.ts";
import { type Kind, siblingsNamed } from "../../model/kinds/index.ts";
import { isOnDemand } from "../../state/live/index.ts";
import { type DesiredResource, parentOf } from "../../manifests/manifest/index.ts";
import { isTarget } from "./documents.ts";
import { firstOf } from "../../values/text.ts";
import type { ExpectedResource } from "./expected-resources.ts";
import type { LiveState } from "./live-state.ts";
import { addressesOf, contentsOf, takeInventory } from "./inventory.ts";
import type { Planning, UnmanagedResource } from "./planning.ts";

/** The unmanaged contents of a live resource. @param alsoOnDemand lists that only some plans read; never to delete */
export function unmanagedInside(
  planning: Planning,
  desired: DesiredResource,
  parent: Pick<ExpectedResource, "id">,
  alsoOnDemand = false,
): UnmanagedResource[] {
  return unmanagedAmong(planning, desired, parent).filter(
    ({ target: { kind } }) =>
      !isOnDemand(kind) || alsoOnDemand || refersTo(planning.resources, desired, kind),
  );
}

/** The unmanaged resources of the kinds that the document of a parent names, except temporary and referenced ones. */
export function unmanagedOfKinds(
  planning: Planning,
  desired: DesiredResource,
  parent: Pick<ExpectedResource, "id">,
  kinds: readonly Kind[],
): UnmanagedResource[] {
  const used = usedBy(planning.resources);
  return unmanagedAmong(planning, desired, parent).filter(
    ({ live: { kind, fields }, identity }) =>
      kinds.includes(kind) &&
      kind.deletion?.isPassing?.(fields) !== true &&
      !addressesOf(identity).some((each) => used.has(addressKey(each))),
  );
}

/** The addresses of the parents and the clone sources of documents, by key. */
function usedBy(resources: readonly DesiredResource[]): ReadonlySet<string> {
  const used = resources.flatMap(({ address, cloneFrom: source }) => [
    ...parentsOf(address),
    ...(source ? [source, ...parentsOf(source)] : []),
  ]);
  return new Set(used.map(addressKey));
}

/** The unmanaged contents of a live resource that do not come with it. */
function unmanagedAmong(
  { policy, inventory }: Planning,
  { address }: DesiredResource,
  { id = "" }: Pick<ExpectedResource, "id">,
): UnmanagedResource[] {
  const parent = inventory.byId.get(id);
  return (parent ? contentsOf(inventory, parent) : []).flatMap((identity) => {
    const { kind, live, name, documents } = identity;
    if (!kind || !live || documents.length > 0 || kind.comesWithParent?.(name)) return [];
    const target = childAddress(address, kind, name);
    const isElsewhere = policy.elsewhere?.some((pattern) => pattern.matches(target)) === true;
    return isTarget(policy, target) && !isElsewhere ? [{ target, live, identity }] : [];
  });
}

/** Whether a document in a parent uses a kind: only then is its list read, and a prune must not depend on chance. */
function refersTo(resources: readonly DesiredResource[], parent: DesiredResource, kind: Kind): boolean {
  return resources.some(
    (desired) =>
      parentOf(desired) === parent &&
      (desired.address.kind === kind ||
        siblingsNamed(desired.address.kind, desired.declared).some((named) => named.kind === kind)),
  );
}

/** The listed resources that no document declares, without those that come with their parent, such as the first stage. */
export function unmanagedResources<Listed extends { id: string }>(
  listed: readonly Listed[],
  documents: readonly DesiredResource[],
  live: LiveState,
): Listed[] {
  const { byId } = takeInventory(live, documents);
  return listed.filter(({ id }) => {
    const identity = byId.get(id);
    return !identity || (identity.documents.length === 0 && !identity.kind?.comesWithParent?.(identity.name));
  });
}

/** Some names, for a note that also has their number. */
export function listNames(unmanaged: readonly { target: Address }[]): string {
  return firstOf(unmanaged.map(({ target }) => describeAddress(target)));
}
