import { compare, type FieldChange } from "../../model/fields/compare.ts";
import { overlay as lay } from "../../model/fields/overlay.ts";
import type { DesiredResource } from "../../manifests/manifest/index.ts";
import { type Answer, asFarAsKnown, collect, ifKnown, open } from "./answer.ts";
import { type ActionBuilder, draftOf, expectResult } from "./action-builder.ts";
import type { Parent } from "./expectations.ts";
import { type ExpectedResource, expectMadeWithParent } from "./expected-resources.ts";
import { type Refusal, unknownBehind } from "./findings.ts";
import { locate } from "./locate.ts";
import type { Comparison, Overlay } from "./overlay.ts";
import type { Planning } from "./planning.ts";
import { hasUnknown, knownOf } from "../../problems/unknown.ts";
import { comingWith, sourceOf } from "./source.ts";

/** Plans a resource: lays its document over a base and compares. Open if it is refused, or reads are missing. */
export function planResource(
  planning: Planning,
  desired: DesiredResource,
  parent: Parent,
): Answer<ActionBuilder> {
  const start = startOf(planning, desired, parent);
  if (start === open) return open;
  const { base } = start;
  if (base?.live && !parent.replaced && planning.policy.leaves?.(desired.address) && start.on === "existing")
    return { type: "none", resourceId: base.id };
  const { overlay, isWaiting } = withState(planning, start);
  const comparison = comparisonOf(planning, overlay);
  const refusals = isWaiting ? undefined : ifKnown(refusalsOf(planning, comparison));
  planning.findings.refuse(desired, ...(refusals ?? []));
  // A refusal that depends on an unknown value may turn out to be wrong.
  const isRefused = refusals?.some((each) => unknownBehind(desired, each).length === 0);
  const draft = isRefused === false ? draftOf(planning, comparison) : open;
  // Recorded even if it cannot be planned, so that this run also reports problems of its contents.
  expectResult(planning.expectations, comparison, draft);
  return draft;
}

/** A document over its base, before the concerns add to it. */
function startOf(planning: Planning, desired: DesiredResource, parent: Parent): Answer<Overlay> {
  const { expectations } = planning;
  const { declared } = desired;
  const start = { parent, given: desired, desired, declared, present: undefined, refusals: [] };
  const current = existing(planning, desired, parent);
  if (current === open) return open;
  if (current) {
    expectations.bind(desired, current);
    return { ...start, on: "existing", base: current, fields: current.fields, coming: undefined };
  }
  const coming = comingWith(planning, desired, parent);
  if (coming === open) return open;
  if (!desired.cloneFrom) return { ...start, on: "nothing", base: undefined, fields: {}, coming };
  const source = asFarAsKnown(planning, sourceOf(planning, desired), undefined);
  if (source === open) return open;
  if (!source) return { ...start, on: "source", base: undefined, fields: {}, coming };
  // The copy gets all contents.
  if (asFarAsKnown(planning, expectations.contentsOf(source), undefined) === open) return open;
  return { ...start, on: "source", base: source, fields: source.fields, coming };
}

function existing(
  planning: Planning,
  desired: DesiredResource,
  parent: Parent,
): Answer<ExpectedResource | undefined> {
  const { expectations } = planning;
  const { name, address, cloneFrom } = desired;
  const { kind } = address;
  const contents = expectations.contentsFor(desired, parent);
  const before = parent.replaced ? expectations.contentsFor(desired, parent.replaced) : contents;
  if (contents === open || before === open) return open;
  // A replaced parent gets its initial contents again.
  const isMadeWithParent = parent.replaced && kind.comesWithParent?.(name) !== undefined;
  const found = isMadeWithParent ? contents.find(kind, name)[0] : locate(planning, desired, before);
  if (found || cloneFrom) return found;
  const madeWithParent = expectMadeWithParent(kind, name, parent);
  if (madeWithParent) contents.add(madeWithParent);
  return madeWithParent;
}

/** An overlay with the additions of each concern, and whether one of them lacks reads. */
function withState(planning: Planning, start: Overlay): { overlay: Overlay; isWaiting: boolean } {
  let overlay = start;
  let isWaiting = false;
  for (const { state } of planning.concerns) {
    if (state?.on[overlay.on] !== true) continue;
    const added = state.run(planning, overlay);
    // The other concerns are still asked, so that all missing state is read at once.
    if (added === open) isWaiting = !planning.live.isFinal;
    else overlay = { ...overlay, ...added, refusals: [...overlay.refusals, ...(added.refusals ?? [])] };
  }
  return { overlay, isWaiting };
}

function comparisonOf(planning: Planning, overlay: Overlay): Comparison {
  const { on, base, desired, parent, declared, fields, refusals } = overlay;
  const { kind } = desired.address;
  const present = overlay.present ?? (base && fields);
  const expected = lay(kind.fields, present, declared);
  const changes = planning.concerns.reduce<readonly FieldChange[]>(
    (found, { compare: step }) =>
      step?.on[on] === true ? step.run(planning, { ...overlay, expected }, found) : found,
    present ? compare(kind.fields, present, expected) : [],
  );
  const isRefused = ([member]: readonly string[]) => refusals.some(({ path }) => path[0] === member);
  const reasons = changes.flatMap(({ replaces, path }) =>
    replaces === undefined || isRefused(path) ? [] : [replaces],
  );
  const isReplaced = reasons.length > 0 || (parent.replaced && parent.madeBy) !== undefined;
  const how = { nothing: "create", source: "clone", existing: isReplaced ? "replace" : "update" } as const;
  return { ...overlay, present, how: how[on], expected, changes, reasons: [...new Set(reasons)] };
}

/** All problems of a document, independent of order. */
function refusalsOf(planning: Planning, comparison: Comparison): Answer<readonly Refusal[]> {
  const noted = knownPart(comparison);
  const found = collect(planning.concerns, ({ refuse, note }) => {
    if (note?.on[comparison.on] === true) note.run(planning, noted);
    const refusals = refuse?.on[comparison.on] === true ? refuse.run(planning, comparison) : [];
    return asFarAsKnown(planning, refusals, []);
  });
  return found === open ? open : [...comparison.refusals, ...found];
}

/** The comparison without unknown values, about which there is nothing to note. */
function knownPart(comparison: Comparison): Comparison {
  const { given, desired, declared, expected } = comparison;
  if (!hasUnknown(given.declared)) return comparison;
  const knownIn = (document: DesiredResource): DesiredResource => ({
    ...document,
    declared: knownOf(document.declared),
  });
  return {
    ...comparison,
    given: knownIn(given),
    desired: knownIn(desired),
    declared: knownOf(declared),
    expected: knownOf(expected),
  };
}
