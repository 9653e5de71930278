import {
  type Address,
  addressKey,
  childAddress,
  describeAddress,
  nameOf,
  parentAddress,
} from "../address.ts";
import { type Kind, kindsInside } from "../kinds/index.ts";
import { siblingsNamed } from "../kinds/named-siblings.ts";
import { isOnDemand, type LiveResource } from "../live/index.ts";
import { type Desired, parentOf } from "../manifest/desired.ts";
import type { Action } from "./action.ts";
import { isTarget } from "./documents.ts";
import type { Expected } from "./expected.ts";
import type { LiveState } from "./given.ts";
import { type Identity, takeInventory } from "./inventory.ts";
import type { Planning } from "./planning.ts";
import { isLiveDeletion } from "./lost-resources.ts";
import { adds, createsAnew } from "./action-types.ts";

/** A live resource that no document describes, and the address under which a run would delete it. */
export interface Undescribed {
  target: Address;
  live: LiveResource;
  identity: Identity;
}

/** What a live resource contains and no document describes. */
export function undescribedInside(
  planning: Planning,
  desired: Desired,
  parent: Pick<Expected, "id">,
): Undescribed[] {
  const contents = (parent.id !== undefined && planning.inventory.byId.get(parent.id)?.contents) || [];
  return undescribedAmong(planning, contents, (name, kind) =>
    childAddress(desired.address, kind, name),
  ).filter(({ target: { kind } }) => !isOnDemand(kind) || refersTo(planning.resources, desired, kind));
}

/** Of some live resources, those that no document describes and that do not come with their parent. */
export function undescribedAmong(
  { policy }: Planning,
  contents: readonly Identity[],
  addressOf: (name: string, kind: Kind) => Address,
): Undescribed[] {
  return contents.flatMap((identity) => {
    const { kind, live, name, documents } = identity;
    if (!kind || !live || documents.length > 0 || kind.comesWithParent?.(name)) return [];
    const target = addressOf(name, kind);
    return isTarget(policy, target) ? [{ target, live, identity }] : [];
  });
}

/**
 * Whether a document in a parent describes or names a resource of a kind. Only then is the list of that kind read, so a
 * prune must not depend on whether it happens to be known.
 */
function refersTo(resources: readonly Desired[], parent: Desired, kind: Kind): boolean {
  return resources.some(
    (desired) =>
      parentOf(desired) === parent &&
      (desired.address.kind === kind ||
        siblingsNamed(desired.address.kind, desired.stated).some((named) => named.kind === kind)),
  );
}

/**
 * Of listed resources, those that no document describes, by an id, a name or a former name. What comes with its parent,
 * such as the first stage of an environment, is left out.
 */
export function undescribedOf<Listed extends { id: string }>(
  listed: readonly Listed[],
  documents: readonly Desired[],
  live: LiveState,
): Listed[] {
  const { byId } = takeInventory(live, documents);
  return listed.filter(({ id }) => {
    const identity = byId.get(id);
    return !identity || (identity.documents.length === 0 && !identity.kind?.comesWithParent?.(identity.name));
  });
}

/** The most resources that a note names. */
const mostNamed = 10;

/**
 * Mentions the resources that no document describes, beside resources that documents describe, as far as they have been
 * read anyway. Those of which the plan says more are left out: what a prune deletes or would delete, what a clone follows
 * or has brought, and what a replacement deletes.
 *
 * @param changes the actions on described resources: a new one may be an undescribed one with a new name
 */
export function noteUndescribed(planning: Planning, changes: readonly Action[]): void {
  const { inventory, findings } = planning;
  const replaced = new Set(changes.filter(isLiveDeletion).map(({ resourceId }) => resourceId));
  const undescribed = [...inventory.byId.values()].flatMap((parent) => {
    const [desired] = parent.documents;
    if (!desired || isInside(parent, replaced) || !parent.live || kindsInside(parent.live.kind).length === 0)
      return [];
    const { manage, follows, cloneFrom } = desired;
    return manage.prune || follows || cloneFrom ? [] : undescribedInside(planning, desired, parent);
  });
  if (undescribed.length === 0) return;
  const targets = undescribed.map(({ target }) => target);
  const named = targets
    .slice(0, mostNamed)
    .map((target) => describeAddress(target) + renaming(target, changes));
  const more = targets.length > mostNamed ? ` and ${targets.length - mostNamed} more` : "";
  findings.note({
    code: "undescribed_resources",
    message: `Not described: ${named.join(", ")}${more}`,
    resources: targets,
  });
}

function isInside(identity: Identity | undefined, ids: ReadonlySet<string>): boolean {
  return identity !== undefined && (ids.has(identity.id) || isInside(identity.parent, ids));
}

/** What a person has to state if the only new resource of its kind beside it is this one with a new name. */
function renaming(target: Address, changes: readonly Action[]): string {
  const place = placeOf(target);
  const [made, another] = changes.filter(
    (action) => createsAnew(action) && adds(action) && placeOf(action.address) === place,
  );
  return !made || another
    ? ""
    : ` (if ${nameOf(made.address)} is its new name, state manage.renamed_from: ${nameOf(target)})`;
}

/** Equal for addresses of one kind in one parent. */
function placeOf(address: Address): string {
  const parent = parentAddress(address);
  return `${address.kind.slug} ${parent ? addressKey(parent) : ""}`;
}

/** Some names of undescribed resources, for a note that says how many they are. */
export function listNames(undescribed: readonly { target: Address }[]): string {
  const names = undescribed.map(({ target }) => describeAddress(target));
  return names.slice(0, 5).join(", ") + (names.length > 5 ? ", …" : "");
}
