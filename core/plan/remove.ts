import { type Address, childAddress, describeAddress, formatAddress } from "../address.ts";
import { type Desired, parentOf } from "../desired.ts";
import { fingerprint } from "../fingerprint.ts";
import type { DeleteAction } from "./action.ts";
import type { PlanContext } from "./context.ts";
import { locate } from "./locate.ts";
import { costOf } from "./cost.ts";
import type { Expected, LiveNode } from "./expected.ts";
import type { Known } from "./inventory.ts";
import { protectionOf } from "./protection.ts";

/**
 * Plans the deletion of what no document describes, inside the resources whose own document allows it. Services of
 * a type that no kind stands for are left alone and mentioned.
 */
export function prune(context: PlanContext, resources: readonly Desired[]): DeleteAction[] {
  if (context.policy.prune && !resources.some(({ manage }) => manage.prune))
    context.note("nothing is pruned, as no document says `manage: { prune: true }`");
  return resources.flatMap((desired) => {
    const address = formatAddress(desired.address);
    if (!desired.manage.prune) return [];
    const holder = existing(context, desired);
    if (!holder?.live || !holder.inside.children) {
      if (context.policy.prune && holder?.live) context.needs.children.add(holder.live);
      return [];
    }
    const undescribed = undescribedInside(context, desired, holder).filter(({ target }) =>
      context.isTarget(formatAddress(target)),
    );
    if (!context.policy.prune) {
      if (undescribed.length > 0) {
        context.note(
          `holds ${undescribed.length} that no document describes (${listNames(undescribed)})`,
          address,
          [{ consent: "prune" }],
        );
      }
      return [];
    }
    for (const { type, name } of holder.inside.unknown) {
      context.note(`${type} "${name}" is left alone, as infrasync does not manage this type`, address);
    }
    return undescribed.flatMap(({ target, live, known }) => {
      const protection = protectionOf(context.inventory, context.policy, known);
      if (protection !== undefined) {
        context.note(`not pruned, as it is protected (${protection})`, formatAddress(target));
        return [];
      }
      return [deletion(target, live, "prune")];
    });
  });
}

/** Plans the deletion of what the documents describe, in reverse order. */
export function destroy(context: PlanContext, resources: readonly Desired[]): DeleteAction[] {
  const deleted = new Map<Desired, DeleteAction>();
  const chosen = new Set(resources.filter(({ address }) => context.isTarget(formatAddress(address))));
  for (const desired of withParents(resources, chosen)) {
    const live = existing(context, desired)?.live;
    if (live && chosen.has(desired)) deleted.set(desired, deletion(desired.address, live, "destroy"));
  }
  return orderDeletions(deleted);
}

/** These, and the documents of what contains them: those say under which name it is to be found. */
function withParents(resources: readonly Desired[], chosen: ReadonlySet<Desired>): Desired[] {
  const needed = new Set(chosen);
  for (const desired of needed) {
    const parent = parentOf(desired);
    if (parent) needed.add(parent);
  }
  return resources.filter((desired) => needed.has(desired));
}

function orderDeletions(deleted: ReadonlyMap<Desired, DeleteAction>): DeleteAction[] {
  const actions = new Map(deleted);
  for (const [desired, action] of deleted) {
    const parent = parentOf(desired);
    const above = parent && actions.get(parent);
    if (!parent || !above) continue;
    if (parent.address.kind.deletesContents) {
      const along: DeleteAction = { ...action, removedBy: above.address, after: [above.address] };
      actions.set(desired, { ...along, cost: costOf(along) });
    } else {
      actions.set(parent, { ...above, after: [...above.after, action.address] });
    }
  }
  return [...actions.values()].toReversed();
}

function existing(context: PlanContext, desired: Desired): Expected | undefined {
  const holder = context.holderOf(desired.address);
  if (holder === undefined || holder === "unread") return undefined;
  const children = context.childrenOf(holder);
  const found = children && locate(context, desired, children);
  if (found === "problem" || !found) return undefined;
  // What is inside a resource with a new name is described under that name.
  context.bind(desired, found);
  return found;
}

function undescribedInside(
  context: PlanContext,
  desired: Desired,
  holder: Expected,
): { target: Address; live: LiveNode; known: Known }[] {
  const { inventory } = context;
  const contents = (holder.id !== undefined && inventory.byId.get(holder.id)?.contents) || [];
  return contents.flatMap((known) => {
    const { kind, live, name, documents } = known;
    if (!kind || !live || documents.length > 0) return [];
    return [{ target: childAddress(desired.address, kind, name), live, known }];
  });
}

function deletion(target: Address, live: LiveNode, reason: DeleteAction["reason"]): DeleteAction {
  const action: DeleteAction = {
    type: "delete",
    address: formatAddress(target),
    kind: target.kind.name,
    name: live.name,
    parent: { id: live.parentId },
    after: [],
    cost: 0,
    id: live.id,
    reason,
    losses: [],
    contents: [],
    fingerprint: fingerprint(live.kind, live.name, live.fields),
  };
  return { ...action, cost: costOf(action) };
}

function listNames(undescribed: readonly { target: Address }[]): string {
  const names = undescribed.map(({ target }) => describeAddress(target));
  return names.slice(0, 5).join(", ") + (names.length > 5 ? ", …" : "");
}
