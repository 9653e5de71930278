import { describeAddress, formatAddress } from "../../model/addresses/address.ts";
import { deletes, makes } from "../plan/action-types.ts";
import type { Action, LiveAction } from "../plan/action.ts";
import type { ResourceIdentity } from "../plan/inventory.ts";
import type { LostResource } from "../plan/lost-resources.ts";
import type { Concern } from "../plan/planning.ts";
import { isOwn, type Policy } from "../plan/policy.ts";
import type { Problem } from "../../problems/problem.ts";
import { refusalOfHolder } from "../../rules/holder.ts";
import { namesOf } from "./contents.ts";
import { counted } from "../../values/text.ts";

/** A prune deletes only resources of its own documents; a program changes none that has another owner. */
export const owner: Concern = {
  name: "owner",
  programs: true,
  refuse: {
    on: { nothing: "nothing is there", source: "the copy is not there yet", existing: true },
    run: ({ policy }, { desired, base }) => {
      const { id = "", name = "" } = base ?? {};
      const holder = policy.otherHolder?.(id);
      if (!holder) return [];
      const refusal = refusalOfHolder(holder, desired.address.kind, { name, id });
      return [{ code: "exists", path: ["name"], ...refusal }];
    },
  },
  guard: ({ planning: { policy }, actions, lostResources }) => [
    ...actions.flatMap((action) => ofAction(policy, action)),
    ...[...Map.groupBy(lostResources, ({ cause }) => cause)].flatMap(([cause, lost]) =>
      ofContents(policy, cause, lost),
    ),
  ],
};

function ofAction(policy: Policy, action: Action): Problem[] {
  const { address, reason, resourceId = "" } = action;
  const isPrune = deletes(action) && !makes(action) && reason === "prune";
  if (!isPrune || isOwn(policy, resourceId)) return [];
  return [
    {
      code: "owner",
      message: `${describeAddress(address)}: these documents have never declared it, so the reconciler does not delete it`,
      advice: "delete it manually, or declare it",
      address: formatAddress(address),
    },
  ];
}

function ofContents(policy: Policy, cause: LiveAction, lost: readonly LostResource[]): Problem[] {
  const foreign = lost.filter(
    ({ own, identity }) => !own && identity.kind?.use !== "data" && isForeign(policy, identity),
  );
  if (cause.reason !== "prune" || foreign.length === 0) return [];
  return [
    {
      code: "contents",
      message: `${describeAddress(cause.address)}: it contains ${counted(foreign.length, "resource")} that these documents have never declared, and that would be deleted with it: ${namesOf(foreign)}`,
      advice: "delete them first, or declare them",
      address: formatAddress(cause.address),
    },
  ];
}

/** Whether another owner has created a resource, and it did not come with a copy. */
function isForeign(policy: Policy, identity: ResourceIdentity): boolean {
  const isInCopy = ({ parent }: ResourceIdentity): boolean =>
    parent !== undefined && (policy.inventory?.isCopy(parent.id) === true || isInCopy(parent));
  return !isOwn(policy, identity.id) && !isInCopy(identity);
}
