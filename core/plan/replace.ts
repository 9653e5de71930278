import { formatAddress } from "../address.ts";
import type { Desired } from "../desired.ts";
import type { FieldChange } from "../fields/compare.ts";
import { withoutElementIds } from "../fields/overlay.ts";
import { fingerprint } from "../fingerprint.ts";
import type { Fields } from "../json.ts";
import type { Holder, PlanContext } from "./context.ts";
import type { Draft } from "./draft.ts";
import { type Expected, ExpectedChildren, idsInside } from "./expected.ts";
import { lossesInside } from "./losses.ts";

/** Why and how a live resource has to be made again. */
export interface Replacement {
  holder: Holder;
  wanted: Fields;
  changes: FieldChange[];
  reasons: string[];
  replacedParent: string | undefined;
}

/** Plans to delete a resource and make it again with what it has and what is stated. */
export function planReplacement(
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
