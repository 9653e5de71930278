import { formatAddress } from "../address.ts";
import type { Desired } from "../desired.ts";
import type { FieldChange } from "../fields/compare.ts";
import { withoutElementIds } from "../fields/overlay.ts";
import { fingerprint } from "../fingerprint.ts";
import type { Fields } from "../json.ts";
import type { Holder } from "./context.ts";
import type { Draft } from "./draft.ts";
import { type Expected, ExpectedChildren } from "./expected.ts";

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
  desired: Desired,
  current: Expected,
  replacement: Replacement,
): Draft | undefined {
  const { live } = current;
  const { kind } = desired.address;
  if (!live) return undefined;
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
    losses: [],
    contents: [],
    ...(replacedParent && { removedBy: replacedParent }),
    fingerprint: start,
  };
}
