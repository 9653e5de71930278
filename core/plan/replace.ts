import { formatAddress, parentAddress } from "../address.ts";
import type { Desired } from "../manifest/desired.ts";
import type { FieldChange } from "../fields/compare.ts";
import { withoutElementIds, withoutGenerated } from "../fields/overlay.ts";
import { fingerprint } from "../fingerprint.ts";
import type { Fields } from "../json.ts";
import type { LiveResource } from "../live/index.ts";
import { withoutParts } from "../parts/index.ts";
import { actionId } from "./action.ts";
import type { Draft } from "./draft.ts";
import type { Expectations, Parent } from "./expectations.ts";
import type { Expected } from "./expected.ts";
import { withoutUnknownValues } from "./wanted-parts.ts";

/** Why and how a live resource is replaced. */
export interface PlannedReplacement {
  live: LiveResource;
  parent: Parent;
  wanted: Fields;
  changes: FieldChange[];
  reasons: string[];
  /** The id of the action that replaces its parent. */
  alongWith: string | undefined;
}

/**
 * Plans to delete a resource and create it again with its live fields, overlaid with the stated ones. What is deleted
 * with it is added later.
 */
export function planReplacement(
  expectations: Expectations,
  desired: Desired,
  current: Expected,
  { live, parent, wanted, changes, reasons, alongWith }: PlannedReplacement,
): Draft {
  const { address } = desired;
  const { kind } = address;
  const fields = withoutGenerated(
    kind.fields,
    withoutElementIds(kind.fields, withoutUnknownValues(desired, wanted)),
    desired.stated,
  );
  const start = fingerprint(kind, current.name, withoutParts(kind, current.fields));
  expectations.replace(current, parent, {
    name: desired.name,
    fields,
    madeBy: actionId("replace", address),
  });
  const replacedParent = alongWith === undefined ? undefined : parentAddress(address);
  return {
    type: "replace",
    resourceId: live.id,
    expected: fields,
    changes,
    reasons: replacedParent ? [`${formatAddress(replacedParent)} is replaced`, ...reasons] : reasons,
    losses: [],
    contentIds: [],
    ...(alongWith !== undefined && { alongWith }),
    fingerprint: start,
  };
}
