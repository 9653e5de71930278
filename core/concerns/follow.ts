import { addressKey, childAddress, formatReference, parentAddress } from "../address.ts";
import { holdsServices, type Kind } from "../kinds/index.ts";
import { isOnDemand } from "../live/index.ts";
import { arranged, type Desired, emptyDesired } from "../manifest/index.ts";
import { nameKey } from "../names.ts";
import { isMarkedClone, markMember, withCloneMark } from "../parts/index.ts";
import type { Action } from "../plan/action.ts";
import { makes } from "../plan/action-types.ts";
import { isLiveDeletion } from "../plan/lost-resources.ts";
import type { Expected } from "../plan/expected.ts";
import { attempt, type Refusal } from "../plan/findings.ts";
import { findExisting } from "../plan/locate.ts";
import { asDocument } from "../plan/overlay.ts";
import { withLiveParts } from "../plan/parts.ts";
import type { Concern, Planning, Undescribed } from "../plan/planning.ts";
import { listNames, undescribedInside } from "../plan/undescribed.ts";
import { following } from "./followed.ts";

// To follow means to overwrite, and in a run that prunes to delete what the source does not have. So an environment follows its
// source only if a run has made it as a clone, or if its document names it by its id.

/** A document that also says that its resource is made as a clone, if the resource is to follow its source. */
function withMarkOfClone(desired: Desired): Desired {
  const { address, name, stated, cloneFrom, follows, expires } = desired;
  // The end of its life says the same.
  if (!follows || !cloneFrom || expires || !holdsServices(address.kind)) return desired;
  return { ...desired, stated: withCloneMark(stated, formatReference(cloneFrom.names), name) };
}

/** Whether an existing resource may follow the source that its document names. @throws Unplannable while that is not known */
function mayFollow(planning: Planning, desired: Desired, current: Expected): boolean {
  return (
    !current.live ||
    !holdsServices(desired.address.kind) ||
    desired.manage.id !== undefined ||
    isMadeAsClone(planning, desired, current)
  );
}

/** Whether an earlier run has made a resource as a clone. @throws Unplannable while that is not known */
export function isMadeAsClone(planning: Planning, desired: Desired, current: Expected): boolean {
  const { live } = current;
  if (!live) return false;
  const marked = { ...desired, stated: { ...desired.stated, [markMember]: {} } };
  // This plan may add a mark to what it expects.
  const before = { ...current, fields: live.fields };
  return isMarkedClone(withLiveParts(planning, marked, before), live.name);
}

/** Refuses to let an existing resource follow a source of which no run has made it a clone. @throws Unplannable */
function refuseToFollow(planning: Planning, desired: Desired, current: Expected): Refusal[] {
  if (!desired.follows || mayFollow(planning, desired, current)) return [];
  return [
    {
      code: "exists",
      path: ["clone", "follow"],
      message:
        "it exists, and no run has made it as a clone: following the source would overwrite it, and delete what the source lacks",
      help: `give the clone another name, or take follow out; if it is to become a clone, state manage: { id: ${current.id} }`,
    },
  ];
}

const noSource = "only a clone has a source to follow";

/** `clone.follow`: an existing clone keeps to its source. */
export const follow: Concern = {
  name: "follow",
  programs:
    "a program has no input that lets a clone follow its source; `cloneFrom` says how a resource is made",
  state: {
    on: { nothing: noSource, source: true, existing: true },
    run(planning, { on, base, desired }) {
      if (on === "source") return asDocument(withMarkOfClone(desired));
      if (!base || !desired.follows || !mayFollow(planning, desired, base)) return {};
      return asDocument(withMarkOfClone(following(planning, desired, base)));
    },
  },
  refuse: {
    on: { nothing: noSource, source: "a new clone overwrites nothing", existing: true },
    run: (planning, { base, given }) => (base ? refuseToFollow(planning, given, base) : []),
  },
  complete: withFollowers,
  spare: isInOther,
  remark: noteLeft,
};

/** Whether a resource is in one that must not follow the source that its document names. */
function isInOther(planning: Planning, { target }: Undescribed): boolean {
  const address = parentAddress(target);
  const document = address && planning.inventory.documentOf(address);
  if (!document?.follows) return false;
  const refusals = attempt(() => {
    const parent = planning.expectations.find(document.address);
    return parent ? refuseToFollow(planning, document, parent) : [];
  });
  planning.findings.reportAll(document, refusals ?? []);
  return refusals?.length !== 0;
}

/** Mentions resources that clones have and their sources lack, where the document of the clone allows no deletion. */
function noteLeft(planning: Planning, _: readonly Action[], deleted: ReadonlySet<Desired>): void {
  for (const desired of planning.resources) {
    if (!desired.follows || desired.manage.prune || deleted.has(desired)) continue;
    const clone = attempt(() => findExisting(planning, desired));
    const left = clone?.live ? undescribedInside(planning, desired, clone) : [];
    if (left.length === 0) continue;
    planning.findings.note({
      code: "undescribed_resources",
      message: `contains ${left.length} ${left.length === 1 ? "resource" : "resources"} that its source does not contain and that no document describes (${listNames(left)})`,
      address: desired.address,
      remedies: [{ consent: "prune", document: true }],
    });
  }
}

/**
 * The documents of a plan, with one for each service that a cloned environment has to have because it follows its source.
 * A document of such a service follows the service of that name in the source, if it names no source of its own.
 * Undefined if these documents are complete already.
 *
 * @param actions the plan so far; a resource that it deletes in a source is not copied
 */
function withFollowers(planning: Planning, actions: readonly Action[]): Desired[] | undefined {
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
    const stated = inventory.documentOf(follows.cloneFrom)?.manage.renamed_from;
    const oldName = nameBefore(child, stated, source, clone);
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

/**
 * The earlier name of a service, if its copy in a clone has that name still: the live name, where the plan renames the
 * service, or the name from which its document says that it was renamed.
 *
 * @param stated the name that the document states
 */
function nameBefore(
  { kind, name, live }: Expected,
  stated: string | undefined,
  source: Expected,
  clone: Expected,
): string | undefined {
  if (clone.contents.find(kind, name).length > 0) return undefined;
  return [live?.name, stated].find(
    (old) =>
      old !== undefined &&
      nameKey(old) !== nameKey(name) &&
      source.contents.find(kind, old).length === 0 &&
      clone.contents.findLive(kind, old).length > 0,
  );
}

/** A document that states nothing; what is wrong with its resource is wrong with the parent that follows. */
function plainDocument(parent: Desired, address: Desired["address"]): Desired {
  return {
    ...emptyDesired(address),
    manage: parent.manage.prune === false ? { prune: false } : {},
    isDerived: true,
    position: () => parent.position(["clone", "follow"]),
  };
}
