import type { Address } from "../../model/addresses/address.ts";
import { type DesiredResource, namedDocuments, parentOf } from "../../manifests/manifest/index.ts";
import { type Kind, kindOf } from "../../model/kinds/index.ts";
import type { LiveResource } from "../../state/live/index.ts";
import { fingerprint } from "../../model/fingerprint.ts";
import { counted } from "../../values/text.ts";
import { type Action, type DeleteReason, makeAction } from "./action.ts";
import { findExisting } from "./locate.ts";
import { chosenDocuments, withNeeded } from "./documents.ts";
import type { ExpectedResource } from "./expected-resources.ts";
import { ifKnown, open } from "./answer.ts";
import type { Planning } from "./planning.ts";
import { isOwn } from "./policy.ts";
import { listNames, unmanagedInside, unmanagedOfKinds } from "./unmanaged-resources.ts";

/** Plans the deletion of unmanaged resources where the parent's document allows it. Services of unknown types stay. */
export function prune(planning: Planning): Action[] {
  const { resources, policy, findings } = planning;
  const mayRemove = ({ manage }: DesiredResource) => manage.prune || manage.exclusive;
  if (policy.prune && !resources.some(mayRemove))
    findings.note({
      code: "nothing_to_prune",
      message: "nothing is pruned, because no document declares `manage: { prune: true }`",
    });
  const isInScope = ({ address }: DesiredResource) => policy.scope?.(address, "inside") !== false;
  const deletions = resources
    .filter((desired) => desired.manage.prune && isInScope(desired))
    .flatMap((desired) => {
      const parent = ifKnown(findExisting(planning, desired));
      return parent?.live ? pruneInside(planning, desired, parent) : [];
    });
  return withOwnIds(deletions);
}

/** Two resources may have one name; their actions need different ids. */
function withOwnIds(deletions: readonly Action[]): Action[] {
  const byId = Map.groupBy(deletions, ({ id }) => id);
  return deletions.map((action) =>
    byId.get(action.id)?.length === 1 ? action : { ...action, id: `${action.id} ${action.resourceId}` },
  );
}

function pruneInside(planning: Planning, desired: DesiredResource, parent: ExpectedResource): Action[] {
  const { policy, findings } = planning;
  const { address, manage } = desired;
  const kinds = Array.isArray(manage.prune) ? manage.prune.map(kindOf) : undefined;
  // A prune that the run does not allow reads nothing: the note lists only known resources.
  if (policy.prune && !isRead(planning, parent, kinds)) return [];
  const unmanaged = (
    kinds ? unmanagedOfKinds(planning, desired, parent, kinds) : unmanagedInside(planning, desired, parent)
  ).filter(({ target, live }) => policy.spares?.(target) !== true && isOwn(policy, live.id));
  if (!policy.prune) {
    if (unmanaged.length > 0)
      findings.note({
        code: "unmanaged_resources",
        message: `contains ${counted(unmanaged.length, "resource")} that no document declares (${listNames(unmanaged)})`,
        address,
        remedies: [{ consent: "prune" }],
      });
    return [];
  }
  for (const { type, name } of parent.contents.unknown)
    findings.note({
      code: "unmanaged_service",
      message: `${type} "${name}" stays as it is, because infrasync does not manage this type`,
      address,
    });
  return unmanaged
    .filter((each) => !planning.concerns.some(({ spare }) => spare?.(planning, each, desired)))
    .map(({ target, live }) => deletion(target, live, "prune"));
}

/** Whether the lists for a prune are known. @param kinds undefined: all contents of the parent */
function isRead(
  { expectations }: Planning,
  parent: ExpectedResource,
  kinds: readonly Kind[] | undefined,
): boolean {
  if (!kinds) return expectations.contentsOf(parent) !== open;
  const lists = kinds.map((kind) =>
    kind.parent ? expectations.contentsOf(parent, kind) : expectations.inOrganization(kind),
  );
  return !lists.includes(open);
}

/** Plans the deletion of the declared resources, in reverse order. */
export function destroy(planning: Planning): Action[] {
  const { resources } = planning;
  const chosen = chosenDocuments(resources, planning.policy);
  const deleted = new Map<DesiredResource, Action>();
  // The documents of parents tell the names of existing parents.
  const needed = withNeeded(chosen, (desired) => {
    const parent = parentOf(desired);
    return parent ? [parent] : [];
  });
  for (const desired of resources.filter((each) => needed.has(each))) {
    const live = ifKnown(findExisting(planning, desired))?.live;
    if (!live || !chosen.has(desired)) continue;
    if (desired.address.kind.use !== "settings")
      deleted.set(desired, deletion(desired.address, live, "destroy"));
    else
      planning.findings.note({
        code: "never_deleted",
        message: "stays: it is never deleted",
        address: desired.address,
      });
  }
  return orderDeletions(deleted);
}

function orderDeletions(deleted: ReadonlyMap<DesiredResource, Action>): Action[] {
  const actions = new Map(deleted);
  for (const [desired, action] of deleted) {
    const parent = parentOf(desired);
    const itsDeletion = parent && actions.get(parent);
    if (!parent || !itsDeletion) continue;
    if (parent.address.kind.deletion?.takesContents) {
      actions.set(desired, { ...action, carriedOutBy: itsDeletion.id, after: [itsDeletion.id] });
    } else {
      actions.set(parent, { ...itsDeletion, after: [...itsDeletion.after, action.id] });
    }
  }
  for (const desired of deleted.keys()) {
    const action = actions.get(desired);
    for (const named of namedDocuments(desired)) {
      const its = actions.get(named);
      // A resource that is deleted with its parent needs no order.
      if (action && its && its.carriedOutBy === undefined)
        actions.set(named, { ...its, after: [...its.after, action.id] });
    }
  }
  return [...actions.values()].toReversed();
}

function deletion(target: Address, live: LiveResource, reason: DeleteReason): Action {
  return makeAction({
    type: "delete",
    afterOthers: true,
    address: target,
    parent: { id: live.parentId },
    resourceId: live.id,
    reason,
    fingerprint: fingerprint(live.kind, live.name, live.fields),
  });
}
