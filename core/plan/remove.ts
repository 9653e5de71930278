import { type Address, childAddress, describeAddress, formatAddress } from "../address.ts";
import type { Desired } from "../desired.ts";
import { fingerprint } from "../fingerprint.ts";
import type { DeleteAction, Loss } from "./action.ts";
import type { Holder, PlanContext } from "./context.ts";
import { locate } from "./locate.ts";
import { costOf } from "./cost.ts";
import { type Expected, idsInside, type LiveNode } from "./expected.ts";
import { unknownLosses } from "./losses.ts";
import { protectionOf } from "./safety.ts";

/**
 * Plans the deletion of what no document describes, inside the resources whose own document allows it. Services of
 * a type that no kind stands for are left alone and mentioned.
 */
export function prune(context: PlanContext, resources: readonly Desired[]): DeleteAction[] {
  if (context.policy.prune && !resources.some(({ manage }) => manage.prune))
    context.note("--prune has no effect, as no document says `manage: { prune: true }`");
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
          `holds ${undescribed.length} that no document describes (${listNames(undescribed)}); --prune deletes them`,
          address,
        );
      }
      return [];
    }
    for (const { type, name } of holder.inside.unknown) {
      context.note(`${type} "${name}" is left alone, as infrasync does not manage this type`, address);
    }
    return undescribed.flatMap(({ target, live }) => {
      const protection = protectionOf(context, target);
      if (protection !== undefined) {
        context.note(`not pruned, as it is protected (${protection})`, formatAddress(target));
        return [];
      }
      return [deletion(target, live, "prune", [])];
    });
  });
}

/**
 * Plans the deletion of what the documents describe, in reverse order. What a described resource holds and no
 * document describes goes along only with the same consent as a prune.
 */
export function destroy(context: PlanContext, resources: readonly Desired[]): DeleteAction[] {
  const deleted = new Map<Desired, DeleteAction>();
  for (const desired of resources.filter(({ address }) => context.isTarget(formatAddress(address)))) {
    const found = existing(context, desired);
    const { live } = found ?? {};
    if (!found || !live) continue;
    const undescribed = context.childrenOf({
      reference: { id: live.id },
      inside: found.inside,
      resource: found,
    })
      ? undescribedInside(context, desired, found)
      : [];
    const losses = [
      ...undescribed.map(({ target, live: child }) => ({
        what: target.kind.slug,
        name: child.name,
        address: formatAddress(target),
        described: false,
      })),
      ...unknownLosses(desired.address, found.inside.unknown),
    ];
    const consent =
      context.policy.prune && desired.manage.prune === true && desired.address.kind.deletesContents === true;
    if (losses.length > 0 && !consent)
      reportUndescribed(
        context,
        desired,
        losses.map(({ name }) => name),
      );
    deleted.set(desired, {
      ...deletion(desired.address, live, "destroy", losses),
      contents: idsInside(found),
    });
  }
  return orderDeletions(deleted);
}

function orderDeletions(deleted: ReadonlyMap<Desired, DeleteAction>): DeleteAction[] {
  const actions = new Map(deleted);
  for (const [desired, action] of deleted) {
    for (const holder of desired.after) {
      const above = actions.get(holder);
      const holds = above && holder.address.kind === desired.address.kind.parent;
      if (!above || !holds) continue;
      if (holder.address.kind.deletesContents) {
        const along: DeleteAction = { ...action, removedBy: above.address, after: [above.address] };
        actions.set(desired, { ...along, cost: costOf(along) });
      } else {
        actions.set(holder, { ...above, after: [...above.after, action.address] });
      }
    }
  }
  return [...actions.values()].toReversed();
}

function reportUndescribed(context: PlanContext, desired: Desired, names: readonly string[]): void {
  const { kind } = desired.address;
  const some = names.slice(0, 5).join(", ") + (names.length > 5 ? ", …" : "");
  const advice = kind.deletesContents
    ? "describe them, move them away, or consent: --prune and `manage: { prune: true }` in its document"
    : "delete them first, or describe them";
  context.report(
    desired,
    ["name"],
    `it holds ${names.length} that no document describes, and they would be deleted with it: ${some}`,
    advice,
    "apply",
  );
}

function existing(context: PlanContext, desired: Desired): Expected | undefined {
  const holder: Holder | "unread" | undefined = context.holderOf(desired.address);
  if (holder === undefined || holder === "unread") return undefined;
  const children = context.childrenOf(holder);
  const found = children && locate(context, desired, children);
  return found === "problem" ? undefined : found;
}

function undescribedInside(
  context: PlanContext,
  desired: Desired,
  holder: Expected,
): { target: Address; live: LiveNode }[] {
  return (holder.inside.children?.all ?? []).flatMap((child) => {
    const target = childAddress(desired.address, child.kind, child.name);
    const isLeft = child.live && !context.claimed.has(child) && !context.isDescribed(target, child.id);
    return isLeft && child.live ? [{ target, live: child.live }] : [];
  });
}

function deletion(
  target: Address,
  live: LiveNode,
  reason: DeleteAction["reason"],
  losses: Loss[],
): DeleteAction {
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
    losses,
    contents: [],
    fingerprint: fingerprint(live.kind, live.name, live.fields),
  };
  return { ...action, cost: costOf(action) };
}

function listNames(undescribed: readonly { target: Address }[]): string {
  const names = undescribed.map(({ target }) => describeAddress(target));
  return names.slice(0, 5).join(", ") + (names.length > 5 ? ", …" : "");
}
