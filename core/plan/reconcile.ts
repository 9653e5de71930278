import { describeAddress, formatAddress, nameKey } from "../address.ts";
import type { Desired } from "../desired.ts";
import { compare, type FieldChange, formatPath } from "../fields/compare.ts";
import { withoutIgnored } from "../fields/ignore.ts";
import { missingFields } from "../fields/missing.ts";
import { overlay, withoutElementIds } from "../fields/overlay.ts";
import { unstatedDifferences } from "../fields/strict.ts";
import { fingerprint } from "../fingerprint.ts";
import type { Fields } from "../json.ts";
import type { PlannedChange } from "../kinds/index.ts";
import type { Action, Loss, MayComeWith } from "./action.ts";
import { comingWith } from "./coming.ts";
import { childAddress, type Holder, type PlanContext, unknownLosses } from "./context.ts";
import { costOf } from "./cost.ts";
import { type Expected, ExpectedChildren, expectCopy, idsInside } from "./expected.ts";

/** An action before what follows from the rest of the plan is filled in. */
type Draft<Type extends Action = Action> = Type extends Action
  ? Omit<Type, "address" | "kind" | "name" | "parent" | "after" | "cost">
  : never;

/** Plans what makes the organization what the documents say, in their order. */
export function reconcile(context: PlanContext, resources: readonly Desired[]): Action[] {
  const actions = new Map<Desired, Action>();
  /** Those that cannot be planned, or not yet; it goes without saying for what is inside them. */
  const unplanned = new Set<Desired>();
  for (const desired of chosen(context, resources)) {
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

/** The targets with all that has to be there before them. */
function chosen(context: PlanContext, resources: readonly Desired[]): Desired[] {
  const needed = new Set<Desired>();
  const include = (desired: Desired): void => {
    if (needed.has(desired)) return;
    needed.add(desired);
    for (const other of desired.after) include(other);
  };
  for (const desired of resources) if (context.isTarget(formatAddress(desired.address))) include(desired);
  return resources.filter((desired) => needed.has(desired));
}

function reportMissingParent(context: PlanContext, desired: Desired): void {
  const { kind, names } = desired.address;
  const { parent, parentMember } = kind;
  if (!parent || !parentMember) return;
  const wanted = describeAddress({ kind: parent, names: names.slice(0, -1) });
  context.report(
    desired,
    [parentMember],
    `${wanted} does not exist, and no document describes it`,
    `correct the name, or add a document for the ${parent.name}`,
  );
}

function planOne(context: PlanContext, desired: Desired, holder: Holder): Draft | undefined {
  const before = holder.resource?.replaced;
  const inside = before ? { ...holder, inside: before.inside, resource: before } : holder;
  const children = context.childrenOf(inside);
  if (!children) return undefined;
  const current = context.locate(desired, children);
  if (current === "problem") return undefined;
  if (current) {
    context.claimed.add(current);
    context.remember(desired.address, current);
    return planExisting(context, desired, current, holder);
  }
  const coming = comingWith(context, desired, holder);
  if (coming === "unread") return undefined;
  return desired.cloneFrom
    ? planClone(context, desired, desired.cloneFrom, holder, coming)
    : planCreate(context, desired, holder, coming);
}

function planCreate(
  context: PlanContext,
  desired: Desired,
  holder: Holder,
  coming: MayComeWith | undefined,
): Draft | undefined {
  const { kind } = desired.address;
  const resolved = context.resolve(desired, desired.stated, undefined);
  if (!resolved) return undefined;
  const fields = overlay(kind.fields, undefined, resolved);
  if (!isPossible(context, desired, { how: "create", current: undefined, wanted: fields })) return undefined;
  const made = formatAddress(desired.address);
  expectNew(context, desired, holder, {
    kind,
    name: desired.name,
    id: undefined,
    fields,
    live: undefined,
    madeBy: made,
    replaced: undefined,
    inside: { children: new ExpectedChildren(), unknown: [] },
  });
  return { type: "create", fields, ...(coming && { mayComeWith: coming }) };
}

function planClone(
  context: PlanContext,
  desired: Desired,
  from: NonNullable<Desired["cloneFrom"]>,
  holder: Holder,
  coming: MayComeWith | undefined,
): Draft | undefined {
  const { kind } = desired.address;
  const source = context.find(from);
  if (source === "unread") return undefined;
  if (!source) {
    context.report(
      desired,
      ["clone", "from"],
      `its source ${describeAddress(from)} does not exist, and no document describes it`,
      "correct clone.from",
    );
    return undefined;
  }
  const insideSource = context.childrenOf({ reference: { id: "" }, inside: source.inside, resource: source });
  const stated = context.resolve(desired, desired.stated, source.fields);
  if (!insideSource || !stated) return undefined;

  const address = formatAddress(desired.address);
  const copy = expectCopy(source, address);
  copy.name = desired.name;
  copy.fields = overlay(kind.fields, copy.fields, stated);
  const changes = compare(kind.fields, source.fields, copy.fields);
  const impossible = changes.find(
    ({ path, replaces }) => replaces !== undefined && !kind.clone?.carries.includes(path[0] ?? ""),
  );
  if (impossible) {
    context.report(
      desired,
      impossible.path,
      `a clone cannot differ from its source in ${formatPath(impossible.path)}: ${impossible.replaces}`,
      "take the field out, or take clone out and state all fields",
    );
    return undefined;
  }
  if (!isPossible(context, desired, { how: "clone", current: source.fields, wanted: copy.fields }))
    return undefined;
  for (const child of insideSource.all) copy.inside.children?.add(expectCopy(child, address));
  expectNew(context, desired, holder, copy);
  return {
    type: "clone",
    ...(coming && { mayComeWith: coming }),
    source: { address: formatAddress(from), ...(source.id !== undefined && { id: source.id }) },
    stated,
    changes,
    contents: [
      ...insideSource.all.map((child) => ({ kind: child.kind.name, name: child.name })),
      ...source.inside.unknown.map(({ type, name }) => ({ kind: type, name })),
    ],
    expected: copy.fields,
  };
}

function expectNew(context: PlanContext, desired: Desired, holder: Holder, made: Expected): void {
  holder.inside.children?.add(made);
  context.claimed.add(made);
  context.remember(desired.address, made);
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
    return planReplacement(context, desired, current, {
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

interface Replacement {
  holder: Holder;
  wanted: Fields;
  changes: FieldChange[];
  reasons: string[];
  replacedParent: string | undefined;
}

function planReplacement(
  context: PlanContext,
  desired: Desired,
  current: Expected,
  replacement: Replacement,
): Draft | undefined {
  const { live } = current;
  const { kind } = desired.address;
  const losses = live && lossesInside(context, desired, current);
  if (!live || !losses) return undefined;
  const { wanted, changes, reasons, replacedParent } = replacement;
  const address = formatAddress(desired.address);
  const fields = withoutElementIds(kind.fields, wanted);
  const start = fingerprint(kind, current.name, current.fields);
  const before = { ...current };
  Object.assign(current, {
    id: undefined,
    name: desired.name,
    fields,
    live: undefined,
    madeBy: address,
    replaced: before,
    inside: { children: new ExpectedChildren(), unknown: [] },
  } satisfies Partial<Expected>);
  if (replacedParent) replacement.holder.inside.children?.add(current);
  const parentReason = replacedParent && `${replacedParent} is replaced`;
  return {
    type: "replace",
    id: live.id,
    fields,
    changes,
    reasons: parentReason ? [parentReason, ...reasons] : reasons,
    losses,
    contents: idsInside(before),
    ...(replacedParent && { removedBy: replacedParent }),
    fingerprint: start,
  };
}

/** All that goes with a resource; undefined when some of it has to be read first. */
function lossesInside(context: PlanContext, desired: Desired, current: Expected): Loss[] | undefined {
  const own = current.live && context.lossesOf(current.live);
  const children = context.childrenOf({ reference: { id: "" }, inside: current.inside, resource: current });
  if (!own || !children) return undefined;
  const services = children.all.map((child) => {
    const address = childAddress(desired.address, child.kind, child.name);
    return {
      what: child.kind.slug,
      name: child.name,
      address: formatAddress(address),
      described: context.isDescribed(address, child.id),
    };
  });
  const hanging = children.all.map((child) =>
    child.live
      ? context.lossesOf(child.live)?.map((loss) => ({ ...loss, name: `${child.name}: ${loss.name}` }))
      : [],
  );
  if (hanging.includes(undefined)) return undefined;
  const unknown = unknownLosses(desired.address, current.inside.unknown);
  return [...services, ...unknown, ...own, ...hanging.flatMap((losses) => losses ?? [])];
}

/** Reports what the kind and the schema find wrong with what would be sent. */
function isPossible(context: PlanContext, desired: Desired, change: PlannedChange): boolean {
  const { kind } = desired.address;
  const already = new Set(
    missingFields(kind.fields, change.current ?? {}).map(({ path }) => formatPath(path)),
  );
  const lacking = missingFields(kind.fields, change.wanted).filter(
    ({ path }) => change.current === undefined || !already.has(formatPath(path)),
  );
  for (const { path, message } of lacking) {
    const what =
      change.how === "create"
        ? `it does not exist, and to create it ${formatPath(path)} ${message}`
        : `${formatPath(path)} ${message}`;
    context.report(desired, path, what);
  }
  const problem = kind.problem?.(change);
  if (problem) context.report(desired, [problem.field], problem.message);
  return lacking.length === 0 && !problem;
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
