import { describeAddress, formatAddress, formatReference, nameKey, parentAddress } from "../address.ts";
import { type Desired, parentOf } from "../desired.ts";
import { compare, type FieldChange, formatPath } from "../fields/compare.ts";
import { withoutIgnored } from "../fields/ignore.ts";
import { overlay } from "../fields/overlay.ts";
import { unstatedDifferences } from "../fields/strict.ts";
import { fingerprint } from "../fingerprint.ts";
import type { Action, MayComeWith } from "./action.ts";
import { planClone } from "./clone.ts";
import { comingWith } from "./coming.ts";
import type { Holder, PlanContext } from "./context.ts";
import { locate } from "./locate.ts";
import { costOf } from "./cost.ts";
import { type Draft, expectNew, isPossible } from "./draft.ts";
import { type Expected, ExpectedChildren } from "./expected.ts";
import { planReplacement } from "./replace.ts";
import { isThereUnderAnotherName } from "./rewritten.ts";
import { similar } from "./similar.ts";

/** Plans what makes the organization what the documents say, in their order. */
export function reconcile(context: PlanContext, resources: readonly Desired[]): Action[] {
  const actions = new Map<Desired, Action>();
  /** Those that cannot be planned, or not yet; it goes without saying for what is inside them. */
  const unplanned = new Set<Desired>();
  const needed = chosen(context, resources);
  for (const desired of resources) {
    if (!needed.has(desired) && !goesWithParent(context, desired, actions)) continue;
    const holder = context.holderOf(desired.address);
    if (!holder && !desired.after.some((other) => unplanned.has(other)))
      reportMissingParent(context, desired);
    const action = holder && holder !== "unread" ? actionFor(context, desired, holder, actions) : undefined;
    if (action) actions.set(desired, action);
    else unplanned.add(desired);
  }
  return [...actions.values()];
}

function actionFor(
  context: PlanContext,
  desired: Desired,
  holder: Holder,
  earlier: ReadonlyMap<Desired, Action>,
): Action | undefined {
  const { address, name } = desired;
  const draft = planOne(context, desired, holder);
  if (!draft) return undefined;
  const after = desired.after.flatMap((other) => {
    const action = earlier.get(other);
    return action && action.type !== "none" ? [action.address] : [];
  });
  const action = {
    ...draft,
    address: formatAddress(address),
    kind: address.kind.name,
    name,
    parent: holder.reference,
    after,
    cost: 0,
  };
  return { ...action, cost: costOf(action) };
}

/**
 * Whether it is in what this plan replaces: it goes with that, so it is made again, whether a target chooses it or not.
 */
function goesWithParent(
  context: PlanContext,
  desired: Desired,
  earlier: ReadonlyMap<Desired, Action>,
): boolean {
  const { address, name, manage } = desired;
  const parent = parentOf(desired);
  if (!parent || earlier.get(parent)?.type !== "replace") return false;
  const found = context.find(parent.address);
  const before = found === "unread" ? undefined : found?.replaced;
  const children =
    before && context.childrenOf({ reference: { id: "" }, inside: before.inside, resource: before });
  if (!children) return false;
  const { kind } = address;
  if (manage.id !== undefined) return children.findById(kind, manage.id) !== undefined;
  return [name, manage.renamed_from].some(
    (each) => each !== undefined && children.find(kind, each).length > 0,
  );
}

/** The targets with all that has to be there before them. */
function chosen(context: PlanContext, resources: readonly Desired[]): ReadonlySet<Desired> {
  const needed = new Set<Desired>();
  const include = (desired: Desired): void => {
    if (needed.has(desired)) return;
    needed.add(desired);
    for (const other of desired.after) include(other);
  };
  for (const desired of resources) if (context.isTarget(formatAddress(desired.address))) include(desired);
  return needed;
}

function reportMissingParent(context: PlanContext, desired: Desired): void {
  const { kind, names } = desired.address;
  const { parent, parentMember } = kind;
  if (!parent || !parentMember) return;
  const above = { kind: parent, names: names.slice(0, -1) };
  const near = similar(context, above);
  context.report(
    desired,
    [parentMember],
    `${describeAddress(above)} does not exist, and no document describes it`,
    near === undefined
      ? `correct the name, or add a document for the ${parent.name}`
      : `did you mean ${formatReference(near)}?`,
  );
}

function planOne(context: PlanContext, desired: Desired, holder: Holder): Draft | undefined {
  const before = holder.resource?.replaced;
  const inside = before ? { ...holder, inside: before.inside, resource: before } : holder;
  const children = context.childrenOf(inside);
  if (!children) return undefined;
  const current = locate(context, desired, children);
  if (current === "problem") return undefined;
  if (current) {
    context.bind(desired, current);
    return planExisting(context, desired, current, holder);
  }
  const coming = comingWith(context, desired, holder);
  if (coming === "unread") return undefined;
  noteMissingOldName(context, desired, coming);
  return desired.cloneFrom
    ? planClone(context, desired, desired.cloneFrom, holder, coming)
    : planCreate(context, desired, holder, coming);
}

/** A misspelt old name would make a second resource in silence. */
function noteMissingOldName(
  context: PlanContext,
  { address, manage }: Desired,
  coming: MayComeWith | undefined,
): void {
  const { renamed_from: oldName } = manage;
  if (oldName === undefined || coming) return;
  const holder = parentAddress(address);
  const where = holder ? describeAddress(holder) : "the organization";
  context.note(
    `it is new, not renamed: there is no ${address.kind.name} "${oldName}" in ${where}`,
    formatAddress(address),
  );
}

function planCreate(
  context: PlanContext,
  desired: Desired,
  holder: Holder,
  coming: MayComeWith | undefined,
): Draft | undefined {
  const { kind } = desired.address;
  const resolved = context.resolve(desired, desired.stated, undefined);
  const fields = overlay(kind.fields, undefined, resolved ?? desired.stated);
  const siblings = holder.inside.children;
  const isSound =
    resolved &&
    isPossible(context, desired, { how: "create", current: undefined, wanted: fields }) &&
    !(siblings && isThereUnderAnotherName(context, desired, resolved, siblings));
  // Expected even if it is not sound: what is wrong inside it is found in the same run.
  expectNew(context, desired, holder, {
    kind,
    name: desired.name,
    id: undefined,
    fields,
    live: undefined,
    madeBy: formatAddress(desired.address),
    replaced: undefined,
    inside: { children: new ExpectedChildren(), unknown: [] },
  });
  return isSound ? { type: "create", fields, ...(coming && { mayComeWith: coming }) } : undefined;
}

function planExisting(
  context: PlanContext,
  desired: Desired,
  current: Expected,
  holder: Holder,
): Draft | undefined {
  const { kind } = desired.address;
  const resolved = context.resolve(
    desired,
    withoutIgnored(desired.stated, desired.manage.ignore ?? []),
    current.fields,
  );
  if (!resolved) return undefined;
  const wanted = overlay(kind.fields, current.fields, resolved);
  const changes = [...renaming(current, desired), ...compare(kind.fields, current.fields, wanted)];
  const replacedParent = holder.resource?.replaced && holder.resource.madeBy;
  const reasons = [...new Set(changes.flatMap(({ replaces }) => (replaces === undefined ? [] : [replaces])))];
  const how = replacedParent || reasons.length > 0 ? "replace" : "update";
  if (changes.length > 0 && !isPossible(context, desired, { how, current: current.fields, wanted }))
    return undefined;
  noteUnstated(context, desired, current);

  if (how === "replace" && current.live) {
    return planReplacement(desired, current, {
      holder,
      wanted,
      changes,
      reasons,
      replacedParent: replacedParent || undefined,
    });
  }
  const id = current.id === undefined ? {} : { id: current.id };
  const start =
    current.live && changes.length > 0
      ? { fingerprint: fingerprint(kind, current.name, current.fields) }
      : {};
  current.fields = wanted;
  if (nameKey(current.name) !== nameKey(desired.name)) holder.inside.children?.rename(current, desired.name);
  if (changes.length === 0) {
    return { type: "none", ...id, ...(current.madeBy !== undefined && { comesWith: current.madeBy }) };
  }
  return { type: "update", ...id, stated: resolved, changes, expected: wanted, ...start };
}

function renaming(current: Expected, desired: Desired): FieldChange[] {
  return nameKey(current.name) === nameKey(desired.name)
    ? []
    : [{ path: ["name"], before: current.name, after: desired.name }];
}

function noteUnstated(context: PlanContext, desired: Desired, current: Expected): void {
  if (!context.policy.strict) return;
  for (const { path, value, default: fallback } of unstatedDifferences(
    desired.address.kind.fields,
    desired.stated,
    current.fields,
  )) {
    context.note(
      `${formatPath(path)} is ${JSON.stringify(value)}, not stated; its default is ${JSON.stringify(fallback)}`,
      formatAddress(desired.address),
    );
  }
}
