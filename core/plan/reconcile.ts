import { describeAddress, formatReference, parentAddress } from "../address.ts";
import { nameKey } from "../names.ts";
import { type Desired, parentOf } from "../manifest/desired.ts";
import { compare, type FieldChange } from "../fields/compare.ts";
import { withoutIgnored } from "../fields/ignore.ts";
import { overlay } from "../fields/overlay.ts";
import { markUnkept } from "../fields/unkept.ts";
import { fingerprint } from "../fingerprint.ts";
import { type Action, actionId, type MayComeWith } from "./action.ts";
import { comingWith, planClone } from "./clone.ts";
import { refuseToFollow, withMarkOfClone } from "./clone-marks.ts";
import { chosenDocuments, withNeeded } from "./documents.ts";
import type { Draft } from "./draft.ts";
import type { Parent } from "./expectations.ts";
import { type Expected, expectBrought, type ExpectedContents, expectMade } from "./expected.ts";
import { withExpiry } from "./expiry.ts";
import { attempt, Unplannable } from "./findings.ts";
import { following } from "./follow.ts";
import {
  expectLinks,
  findLinked,
  liveLinks,
  unstatedLinks,
  withLinkedNames,
  withPresentLinks,
} from "./links.ts";
import { isThere, locate, similar } from "./locate.ts";
import { noteCredentials } from "./part-values.ts";
import { inWordsOf } from "./outputs.ts";
import { takeInParts, unstatedConfiguration } from "./parts.ts";
import { refuseMistakes } from "./refusals.ts";
import { withRotations } from "./rotations.ts";
import { withDependents, withRemovals } from "./wanted-parts.ts";
import { type Planning, resolve } from "./planning.ts";
import { protectionOf } from "./protection.ts";
import { planReplacement } from "./replace.ts";
import { findDifferences } from "./unstated.ts";

/**
 * Plans the actions that make the organization match the documents, in the order of the documents.
 *
 * @param leaving the documents of resources that the plan deletes
 */
export function reconcile(planning: Planning, leaving: ReadonlySet<Desired>): Action[] {
  const { resources, policy } = planning;
  const actions = new Map<Desired, Action>();
  const staying = resources.filter((desired) => !leaving.has(desired));
  const needed = withNeeded(chosenDocuments(staying, policy), ({ after }) => after);
  /** The documents for which no action has been planned. */
  const unplanned = new Set<Desired>();
  for (const desired of resources) {
    if (leaving.has(desired)) continue;
    if (!needed.has(desired) && !goesWithParent(planning, desired, actions)) continue;
    const action = attempt(() => actionFor(planning, desired, actions, unplanned));
    if (action) actions.set(desired, action);
    else unplanned.add(desired);
  }
  return [...actions.values()];
}

function actionFor(
  planning: Planning,
  desired: Desired,
  earlier: ReadonlyMap<Desired, Action>,
  unplanned: ReadonlySet<Desired>,
): Action {
  const { address } = desired;
  const parent = planning.expectations.parentOf(address);
  if (!parent) {
    // A parent whose document cannot be planned has been reported already.
    if (desired.after.some((other) => unplanned.has(other))) throw new Unplannable();
    return rejectMissingParent(planning, desired);
  }
  const draft = planOne(planning, desired, parent);
  const after = desired.after.flatMap((other) => {
    const action = earlier.get(other);
    return action && action.type !== "none" ? [action.id] : [];
  });
  const itsParent = planning.expectations.referenceTo(parent);
  const brought = [draft.type === "clone" ? draft.source : itsParent, itsParent].flatMap((each) =>
    "broughtBy" in each ? [each.broughtBy] : [],
  );
  return {
    id: actionId(draft.type, address),
    address,
    parent: itsParent,
    after: [...new Set([...after, ...brought])],
    ...draft,
  };
}

/**
 * Whether this plan replaces a parent of the resource: that deletes the resource, so the plan creates it again, whether
 * a target chooses it or not.
 */
function goesWithParent(
  { expectations }: Planning,
  desired: Desired,
  earlier: ReadonlyMap<Desired, Action>,
): boolean {
  const parent = parentOf(desired);
  if (!parent || earlier.get(parent)?.type !== "replace") return false;
  const before = attempt(() => expectations.find(parent.address))?.replaced;
  const contents = before && attempt(() => expectations.contentsOf(before, desired.address.kind));
  return contents !== undefined && isThere(desired, contents);
}

function rejectMissingParent({ expectations, findings }: Planning, desired: Desired): never {
  const { kind, names } = desired.address;
  const { parent, parentMember } = kind;
  if (!parent || parentMember === undefined) throw new Unplannable();
  const itsAddress = { kind: parent, names: names.slice(0, -1) };
  const near = similar(expectations, itsAddress);
  return findings.reject(
    "missing_parent",
    desired,
    [parentMember],
    `${describeAddress(itsAddress)} does not exist, and no document describes it`,
    near === undefined
      ? `correct the name, or add a document for the ${parent.name}`
      : `did you mean ${formatReference(near)}?`,
  );
}

function planOne(planning: Planning, desired: Desired, parent: Parent): Draft {
  const { expectations } = planning;
  noteCredentials(planning, desired);
  const contents = expectations.contentsOf(parent, desired.address.kind);
  const before = parent.replaced ? expectations.contentsOf(parent.replaced, desired.address.kind) : contents;
  // What a replaced parent has from the start comes again with the new one.
  const isBrought = parent.replaced && desired.address.kind.comesWithParent?.(desired.name) !== undefined;
  const current =
    (isBrought ? contents.find(desired.address.kind, desired.name)[0] : locate(planning, desired, before)) ??
    comingWithParent(desired, parent, contents);
  if (current) {
    expectations.bind(desired, current);
    return planExisting(planning, desired, current, parent);
  }
  const coming = comingWith(planning, desired, parent);
  noteMissingOldName(planning, desired, coming);
  return desired.cloneFrom
    ? planClone(planning, desired, desired.cloneFrom, parent, coming)
    : planCreate(planning, desired, parent, coming);
}

/** The resource that the server makes with its parent, where this plan creates the parent. */
function comingWithParent(
  desired: Desired,
  parent: Parent,
  contents: ExpectedContents,
): Expected | undefined {
  const brought = desired.cloneFrom ? undefined : expectBrought(desired.address.kind, desired.name, parent);
  if (brought) contents.add(brought);
  return brought;
}

/** Warns of a misspelt old name, which would create a second resource without an error. */
function noteMissingOldName(
  { findings }: Planning,
  { address, manage }: Desired,
  coming: MayComeWith | undefined,
): void {
  const { renamed_from: oldName } = manage;
  if (oldName === undefined || coming) return;
  const parent = parentAddress(address);
  const where = parent ? describeAddress(parent) : "the organization";
  findings.note({
    code: "not_renamed",
    message: `created, not renamed: there is no ${address.kind.name} "${oldName}" in ${where}`,
    address,
  });
}

function planCreate(
  planning: Planning,
  desired: Desired,
  parent: Parent,
  coming: MayComeWith | undefined,
): Draft {
  const { kind } = desired.address;
  if (kind.isGiven) rejectGiven(planning, desired);
  const links = attempt(() => findLinked(planning, desired, parent, desired.stated));
  const resolved = attempt(() =>
    withLinkedNames(resolve(planning, desired, desired.stated, undefined), links ?? []),
  );
  const fields = overlay(kind.fields, undefined, resolved ?? desired.stated);
  const draft = attempt((): Draft => {
    if (!resolved || !links) throw new Unplannable();
    refuseMistakes(planning, desired, {
      how: "create",
      base: undefined,
      wanted: fields,
      changes: [],
      making: { stated: resolved, siblings: planning.expectations.contentsOf(parent, kind) },
    });
    return { type: "create", expected: fields, ...(coming && { mayComeWith: coming }) };
  });
  // Expect the resource even if it cannot be planned, so that this run also reports the problems inside it.
  const made = expectMade(kind, desired.name, fields, actionId("create", desired.address));
  planning.expectations.add(desired, parent, made);
  expectLinks(made, links ?? []);
  if (!draft) throw new Unplannable();
  return draft;
}

function rejectGiven({ expectations, findings }: Planning, desired: Desired): never {
  const { kind } = desired.address;
  const names = expectations.inOrganization(kind).map(({ name }) => name);
  return findings.reject(
    "not_found",
    desired,
    ["name"],
    `there is no ${kind.name} of that name, and none is ever created; this run works in ${names.join(", ")}`,
    `write that name, and to rename it add manage: { renamed_from: ${names.join(", ")} }`,
  );
}

function planExisting(planning: Planning, given: Desired, current: Expected, parent: Parent): Draft {
  const { expectations } = planning;
  const { kind } = given.address;
  refuseToFollow(planning, given, current);
  const followed = given.follows ? withMarkOfClone(following(planning, given, current)) : given;
  const desired = withExpiry(planning, followed, current);
  takeInParts(planning, desired, current);
  const notIgnored = withoutIgnored(desired.stated, desired.manage.ignore ?? []);
  const withNulls = withRemovals(planning, desired, notIgnored, current.fields, () => {
    const identity = current.id === undefined ? undefined : planning.inventory.byId.get(current.id);
    return identity && protectionOf(planning.inventory, planning.policy, identity);
  });
  const complete = withDependents(planning, desired, withNulls, current);
  const stated = withRotations(planning, desired, complete, current.fields);
  const links = findLinked(planning, desired, parent, stated);
  const resolved = withLinkedNames(resolve(planning, desired, stated, current.fields), links);
  current.fields = withPresentLinks(current.fields, current, links);
  const present = inWordsOf(desired, expectations.contentsOf(parent, kind), current.fields);
  const wanted = overlay(kind.fields, present, resolved);
  const different = [...renaming(current, desired), ...compare(kind.fields, present, wanted)];
  if (current.live) findDifferences(planning, given, desired, current, different);
  const changes = current.live
    ? markUnkept(kind.fields, different, (path) => planning.answers.show(kind, path))
    : different;
  const alongWith = parent.replaced && parent.madeBy;
  const reasons = [...new Set(changes.flatMap(({ replaces }) => (replaces === undefined ? [] : [replaces])))];
  const how = alongWith !== undefined || reasons.length > 0 ? "replace" : "update";
  refuseMistakes(planning, desired, { how, base: current, wanted, changes });

  const { live } = current;
  if (how === "replace" && live) {
    const kept = unstatedLinks(planning, desired, current, parent.replaced ?? parent, parent);
    return planReplacement(expectations, desired, current, {
      live,
      parent,
      wanted: { ...wanted, ...unstatedConfiguration(planning, current), ...kept },
      changes,
      reasons,
      alongWith,
    });
  }
  const known = {
    ...(current.id !== undefined && { resourceId: current.id }),
    ...(current.broughtBy !== undefined && { alongWith: current.broughtBy }),
  };
  const start =
    live && changes.length > 0
      ? {
          fingerprint: fingerprint(kind, current.name, current.fields, liveLinks(current, resolved, links)),
        }
      : {};
  expectLinks(current, links);
  expectations.change(current, parent, desired.name, wanted);
  if (changes.length === 0) return { type: "none", ...known };
  return { type: "update", ...known, stated: resolved, changes, expected: wanted, ...start };
}

function renaming({ kind, name }: Expected, desired: Desired): FieldChange[] {
  if (nameKey(name) === nameKey(desired.name)) return [];
  const replaces = kind.immutableName;
  return [{ path: ["name"], before: name, after: desired.name, ...(replaces !== undefined && { replaces }) }];
}
