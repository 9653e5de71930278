import { formatAddress } from "../../model/addresses/address.ts";
import type { DesiredResource } from "../../manifests/manifest/index.ts";
import type { Kind } from "../../model/kinds/index.ts";
import { addressesOf } from "../plan/inventory.ts";
import type { RulesBefore } from "../plan/policy.ts";
import type { Concern, Planning, UnmanagedResource } from "../plan/planning.ts";
import { earlierForm, isDeclaredIn, rulesBeforeFor } from "../plan/rules-before.ts";

/** `manage.prune` that is new in this change: the same change deletes nothing by it. */
export const pruneBefore: Concern = {
  name: "rules before",
  programs: "a program prunes nothing: the engine deletes resources that the program no longer declares",
  spare: sparesBefore,
};

/** Whether an earlier commit did not allow the prune: if it declared the resource, the change that lifts this is refused. */
function sparesBefore(
  { policy, findings }: Planning,
  { target, identity, live: { kind } }: UnmanagedResource,
  parent: DesiredResource,
): boolean {
  const isForbidden = ({ resources }: RulesBefore): boolean => {
    const earlier = earlierForm(resources, parent);
    return earlier !== undefined && !allowsPrune(earlier, kind);
  };
  const addresses = addressesOf(identity);
  const forbidding = rulesBeforeFor(policy, addresses, false).find(
    ({ rules, next }) => isForbidden(rules) && !(next && isForbidden(next)),
  )?.rules;
  if (!forbidding) return false;
  const address = formatAddress(target);
  const reason = `manage.prune of ${formatAddress(parent.address)} is not declared in ${forbidding.name}`;
  findings.note({ code: "protected", message: `not pruned in this run, because ${reason}`, address: target });
  if (isDeclaredIn(forbidding.resources, addresses))
    findings.problems.push({
      code: "protected",
      message: `${address} would be pruned, and ${reason}`,
      advice:
        "undo the change, or set manage.prune in a change of its own, and remove documents in a later one",
      address,
      blocks: "apply",
    });
  return true;
}

function allowsPrune({ manage: { prune } }: DesiredResource, { name }: Kind): boolean {
  return Array.isArray(prune) ? prune.includes(name) : prune === true;
}
