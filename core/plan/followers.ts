import { addressKey, childAddress } from "../address.ts";
import { isOnDemand } from "../live/index.ts";
import type { Kind } from "../kinds/index.ts";
import { arranged, type Desired } from "../manifest/desired.ts";
import { nameKey } from "../names.ts";
import type { Action } from "./action.ts";
import { mayFollow } from "./clone-marks.ts";
import { isLiveDeletion } from "./lost-resources.ts";
import type { Expected } from "./expected.ts";
import { attempt } from "./findings.ts";
import type { Planning } from "./planning.ts";
import { makes } from "./action-types.ts";

/**
 * The documents of a plan, with one for each service that a cloned environment has to have because it follows its source.
 * A document of such a service follows the service of that name in the source, if it names no source of its own.
 * Undefined: these documents are complete already.
 *
 * @param actions what the plan does without them: what it deletes in a source, no clone gets
 */
export function withFollowers(planning: Planning, actions: readonly Action[]): Desired[] | undefined {
  const deleted = new Set(
    actions.filter(isLiveDeletion).flatMap((action) => (makes(action) ? [] : [action.resourceId])),
  );
  const added = planning.resources
    .filter(({ follows }) => follows)
    .flatMap((desired) => inside(planning, desired, deleted));
  if (added.length === 0) return undefined;
  const documents = new Map(planning.resources.map((desired) => [addressKey(desired.address), desired]));
  for (const desired of added) documents.set(addressKey(desired.address), desired);
  return arranged([...documents.values()]);
}

/** The new and the changed documents inside one that follows its source. */
function inside(planning: Planning, desired: Desired, deleted: ReadonlySet<string>): Desired[] {
  const { expectations, inventory } = planning;
  const { cloneFrom: from, address } = desired;
  const source = from && attempt(() => expectations.find(from));
  const clone = attempt(() => expectations.find(address));
  // What the clone brings, and what is deleted with it, needs no documents.
  if (!from || !source || !clone || !(clone.live || clone.replaced)) return [];
  if (clone.live && deleted.has(clone.live.id)) return [];
  if (!attempt(() => mayFollow(planning, desired, clone))) return [];
  const contents = attempt(() => expectations.contentsOf(source));
  const followed = (contents?.all ?? []).filter(
    (child) => isFollowed(child.kind) && !(child.id !== undefined && deleted.has(child.id)),
  );
  return followed.flatMap((child) => {
    const its = childAddress(address, child.kind, child.name);
    const document = inventory.documentOf(its);
    if (document?.cloneFrom || (!document && hasOtherDocument(planning, clone, child))) return [];
    const follows = { follows: true, cloneFrom: childAddress(from, child.kind, child.name) };
    if (document) return [{ ...document, ...follows }];
    const plain = plainDocument(desired, its);
    const oldName = nameBefore(child, source, clone);
    return [
      {
        ...plain,
        ...follows,
        manage: { ...plain.manage, ...(oldName !== undefined && { renamed_from: oldName }) },
      },
    ];
  });
}

/** Whether clones have services of that kind because their sources have them. */
function isFollowed(kind: Kind): boolean {
  return kind.clone !== undefined && !isOnDemand(kind);
}

/** Whether the resource of that name in a clone is one that a document describes under another name. */
function hasOtherDocument({ inventory }: Planning, clone: Expected, { kind, name }: Expected): boolean {
  const there = clone.contents.findLive(kind, name);
  return there.some(({ id = "" }) => (inventory.byId.get(id)?.documents.length ?? 0) > 0);
}

/** The name that a service has before the plan renames it, if its copy in a clone has that name still. */
function nameBefore({ kind, name, live }: Expected, source: Expected, clone: Expected): string | undefined {
  if (!live || nameKey(live.name) === nameKey(name)) return undefined;
  const isFree =
    source.contents.find(kind, live.name).length === 0 && clone.contents.find(kind, name).length === 0;
  return isFree && clone.contents.findLive(kind, live.name).length > 0 ? live.name : undefined;
}

/** A document that states nothing; what is wrong with its resource is wrong with the parent that follows. */
function plainDocument(parent: Desired, address: Desired["address"]): Desired {
  return {
    address,
    name: address.names.at(-1) ?? "",
    stated: {},
    secretValues: new Map(),
    manage: parent.manage.prune === false ? { prune: false } : {},
    cloneFrom: undefined,
    follows: false,
    expires: undefined,
    after: [],
    isDerived: true,
    position: () => parent.position(["clone", "follow"]),
  };
}
