import { formatAddress, parentAddress } from "../../model/addresses/address.ts";
import { servicesOfClone } from "../../rules/clone.ts";
import { withoutElementIds, withoutGenerated } from "../../model/fields/overlay.ts";
import { fingerprint } from "../../model/fingerprint.ts";
import type { Fields } from "../../values/json.ts";
import type { DesiredResource } from "../../manifests/manifest/index.ts";
import { entriesIn, declaredParts, withoutParts } from "../../model/parts/index.ts";
import { actionId, type ActionParts } from "./action.ts";
import { type Answer, asFarAsKnown, open } from "./answer.ts";
import type { Expectations } from "./expectations.ts";
import { expectCopy, expectMade } from "./expected-resources.ts";
import type { Comparison } from "./overlay.ts";
import { undeclaredConfiguration } from "./parts.ts";
import type { Planning } from "./planning.ts";
import { carriedParts, referenceTo } from "./source.ts";
import { isReplacement } from "./action-types.ts";

/** The members of an action, without those that depend on the rest of the plan. */
export type ActionBuilder = Omit<ActionParts, "id" | "address" | "parent" | "after">;

/** The action that brings a resource to the state of its document. */
export function draftOf(planning: Planning, comparison: Comparison): Answer<ActionBuilder> {
  const { base, coming, desired, fields, how, declared, expected } = comparison;
  const changes = [...comparison.changes];
  if (!base) return { type: "create", expected, pendingClone: coming };
  if (how === "clone") {
    const carries = asFarAsKnown(planning, carriedParts(planning, base, fields), []);
    if (carries === open) return open;
    return {
      type: "clone",
      pendingClone: coming,
      source: { address: desired.cloneFrom ?? desired.address, ...referenceTo(base) },
      declared,
      changes,
      brings: servicesOfClone(base.contents.all, base.contents.unknown),
      carries,
      expected,
    };
  }
  if (how === "replace" && base.live) return replacementOf(planning, comparison, base.live.id);
  const known = { resourceId: base.id, carriedOutBy: base.madeWith };
  if (changes.length === 0) return { type: "none", ...known, declared, expected };
  const start = base.live && { fingerprint: fingerprint(base.kind, base.name, fields) };
  return { type: "update", ...known, declared, changes, expected, ...start };
}

/** Deletes a resource and creates it again with its live fields under the declared ones. Losses are added later. */
function replacementOf(
  planning: Planning,
  comparison: Comparison,
  resourceId: string,
): Answer<ActionBuilder> {
  const { base, parent, desired, fields, expected, changes, reasons } = comparison;
  const { address, declared } = desired;
  const { kind } = address;
  const undeclared = asFarAsKnown(planning, undeclaredConfiguration(planning, comparison), {});
  if (undeclared === open) return open;
  const whole = withoutUnknownValues(desired, { ...expected, ...undeclared });
  const copy = withoutElementIds(kind.fields, whole);
  const carriedOutBy = parent.replaced && parent.madeBy;
  const replacedParent = carriedOutBy === undefined ? undefined : parentAddress(address);
  return {
    type: "replace",
    resourceId,
    expected: withoutGenerated(kind.fields, copy, declared),
    changes: [...changes],
    reasons: replacedParent ? [`${formatAddress(replacedParent)} is replaced`, ...reasons] : [...reasons],
    carriedOutBy,
    fingerprint: fingerprint(kind, base?.name ?? desired.name, withoutParts(kind, fields)),
  };
}

/** @param draft open if the document is refused, or reads are missing */
export function expectResult(
  expectations: Expectations,
  { how, base, desired, parent, expected }: Comparison,
  draft: Answer<ActionBuilder>,
): void {
  const { address, name } = desired;
  const { kind } = address;
  if (draft !== open && isReplacement(draft) && base) {
    const madeBy = actionId("replace", address);
    expectations.replace(base, parent, { name, fields: draft.expected ?? {}, madeBy });
    return;
  }
  if (base && how !== "clone") {
    expectations.change(base, parent, name, expected);
    return;
  }
  const id = actionId(base ? "clone" : "create", address);
  const made = expectMade(kind, { name, fields: expected, madeBy: id });
  const result = base
    ? {
        ...expectCopy(base, id),
        fields: expected,
        key: id,
        response: {},
        madeBy: id,
        madeWith: undefined,
        name,
      }
    : made;
  for (const child of base?.contents.all ?? [])
    if (child.kind.use !== "data") result.contents.add(expectCopy(child, id));
  expectations.add(desired, parent, result);
}

/** The fields without undeclared parts whose values cannot be read: a replacement cannot write them again. */
function withoutUnknownValues({ address, declared }: DesiredResource, fields: Fields): Fields {
  const result: Fields = { ...fields };
  for (const { member, form } of declaredParts(address.kind)) {
    if (!form.isWriteOnly || !Object.hasOwn(fields, member)) continue;
    const readable = Object.entries(entriesIn(fields, member)).filter(([key]) =>
      Object.hasOwn(entriesIn(declared, member), key),
    );
    result[member] = Object.fromEntries(readable);
  }
  return result;
}
