import { type Address, addressKey, describeAddress, nameOf, parentAddress } from "../address.ts";
import { kindsInside } from "../kinds/index.ts";
import type { Action } from "../plan/action.ts";
import { adds, createsAnew } from "../plan/action-types.ts";
import { isLiveDeletion } from "../plan/lost-resources.ts";
import type { ResourceIdentity } from "../plan/inventory.ts";
import type { Concern, Planning } from "../plan/planning.ts";
import { undescribedInside } from "../plan/undescribed.ts";

/** The most resources that a note names. */
const mostNamed = 10;

/**
 * Mentions the resources that no document describes, beside resources that documents describe, as far as they have been
 * read anyway. Resources that the plan mentions elsewhere are left out: those that a prune deletes or would delete,
 * that a clone has brought, and what a replacement deletes.
 *
 * @param changes the actions on described resources: a new one may be an undescribed one with a new name
 */
function noteUndescribed(planning: Planning, changes: readonly Action[]): void {
  const { inventory, findings } = planning;
  const replaced = new Set(changes.filter(isLiveDeletion).map(({ resourceId }) => resourceId));
  const undescribed = [...inventory.byId.values()].flatMap((parent) => {
    const [desired] = parent.documents;
    if (!desired || isInside(parent, replaced) || !parent.live || kindsInside(parent.live.kind).length === 0)
      return [];
    const { manage, cloneFrom } = desired;
    return manage.prune || cloneFrom ? [] : undescribedInside(planning, desired, parent);
  });
  if (undescribed.length === 0) return;
  const targets = undescribed.map(({ target }) => target);
  findings.unstated.push(...targets.map((address) => ({ sort: "resource", address, path: [] })));
  const named = targets
    .slice(0, mostNamed)
    .map((target) => describeAddress(target) + renaming(target, changes));
  const more = targets.length > mostNamed ? ` and ${targets.length - mostNamed} more` : "";
  const isOpen = targets.some((target) => madeBeside(target, changes).length > 1);
  const question = isOpen
    ? "; if one of the new resources is one of these with a new name, state manage.renamed_from in its document"
    : "";
  findings.note({
    code: "undescribed_resources",
    message: `Not described: ${named.join(", ")}${more}${question}`,
    resources: targets,
  });
}

function isInside(identity: ResourceIdentity | undefined, ids: ReadonlySet<string>): boolean {
  return identity !== undefined && (ids.has(identity.id) || isInside(identity.parent, ids));
}

/** The advice if the only new resource of its kind may be this one with a new name. */
function renaming(target: Address, changes: readonly Action[]): string {
  const [made, another] = madeBeside(target, changes);
  return !made || another
    ? ""
    : ` (if ${nameOf(made.address)} is its new name, state manage.renamed_from: ${nameOf(target)})`;
}

/** The new resources of the same kind in the same parent. */
function madeBeside(target: Address, changes: readonly Action[]): Action[] {
  const place = placeOf(target);
  return changes.filter((action) => createsAnew(action) && adds(action) && placeOf(action.address) === place);
}

/** Equal for addresses of one kind in one parent. */
function placeOf(address: Address): string {
  const parent = parentAddress(address);
  return `${address.kind.slug} ${parent ? addressKey(parent) : ""}`;
}

/** Resources that no document describes. */
export const undescribed: Concern = {
  name: "undescribed",
  programs:
    "a program states its own resources one by one, and other programs and people have theirs beside them",
  remark: noteUndescribed,
};
