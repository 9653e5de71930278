import type { LiveAction } from "../plan/action.ts";
import { formatAddress } from "../../model/addresses/address.ts";
import type { Problem } from "../../problems/problem.ts";
import { type BothAddresses, bothAddresses, covers } from "./both-addresses.ts";
import { type LostResource, isLiveDeletion, liveAddressOf } from "../plan/lost-resources.ts";
import { addressBy, type ResourceIdentity, type Inventory } from "../plan/inventory.ts";
import { type CausedLoss, isOfStaying, lossesOf, unknownBehind } from "../plan/losses.ts";
import { holdsResources } from "../../model/kinds/index.ts";
import { isForGood, needsConsent, sayLoss } from "../../model/loss.ts";
import type { Policy } from "../plan/policy.ts";
import type { Remedy } from "../../problems/remedy.ts";
import { type Message, say, reported } from "../../problems/say.ts";
import { dependsOn } from "../plan/findings.ts";
import type { Concern, Planning, UnmanagedResource, Whole } from "../plan/planning.ts";
import { isReplacement, updates } from "../plan/action-types.ts";

// One consent allows both, because a replacement deletes the data too.

/** Resources that a plan deletes and creates again. */
export const replacement: Concern = {
  name: "replacement",
  programs: "the engine of a program shows each replacement and asks; its option `protect` forbids one",
  guard: ({ planning: { inventory, policy }, actions }) =>
    actions
      .filter(isLiveDeletion)
      .flatMap((action) => replacementProblems(policy, action, bothAddresses(inventory, action))),
};

/** Losses that nobody can restore. */
export const finalLosses: Concern = {
  name: "losses",
  programs: true,
  spare: sparesData,
  needsNames: (whole) => problemsOfLosses(whole).length > 0,
  guard: problemsOfLosses,
};

function problemsOfLosses({ planning: { inventory, policy }, actions, lostResources }: Whole): Problem[] {
  return [
    ...lossProblems(inventory, policy, lossesOf(actions)),
    ...lostResources.flatMap((lostResource) => dataProblems(policy, lostResource)),
    ...lostResources.flatMap((lostResource) => prunedContainers(policy, lostResource)),
  ];
}

function sparesData({ policy, findings }: Planning, { target, identity }: UnmanagedResource): boolean {
  const data = unapprovedData(policy, identity);
  if (data.length > 0) {
    const names = data.map(({ what, name }) => `${what} ${name}`).join(", ");
    findings.note({
      code: "protected",
      message: `not pruned, because its contents cannot be restored: ${names}`,
      address: target,
    });
  }
  return data.length > 0;
}

/** The missing consents to losses of updates, by the id of the updated resource; empty where they are given. */
export function lackingConsents({ planning: { inventory, policy }, actions }: Whole): Map<string, Remedy[]> {
  return new Map(
    actions.filter(updates).flatMap((action): [string, Remedy[]][] => {
      const both = bothAddresses(inventory, action);
      const isGiven = covers(policy.allowReplace, both);
      return action.resourceId === undefined ? [] : [[action.resourceId, isGiven ? [] : [consentTo(both)]]];
    }),
  );
}

type AllowedLosses = Pick<Policy, "allowReplace" | "hidesLosses" | "empties">;

/** The problem of each update that loses data or secrets which cannot be restored, and of each hidden loss. */
function lossProblems(
  inventory: Inventory,
  { allowReplace, hidesLosses }: AllowedLosses,
  losses: readonly CausedLoss[],
): Problem[] {
  const final = losses.filter(
    (caused) =>
      (updates(caused.action) && needsConsent(caused.loss)) || (hidesLosses === true && isHidden(caused)),
  );
  return [...Map.groupBy(final, ({ action }) => action)].flatMap(([action, its]): Problem[] => {
    const both = bothAddresses(inventory, action);
    if (covers(allowReplace, both)) return [];
    const what = its.flatMap(({ loss }, index) => say`${index === 0 ? "" : ", "}${sayLoss(loss)}`);
    const does = updates(action) ? "lose" : "also delete";
    const message = say`${formatAddress(action.address)} would ${does} ${what}`;
    const isFinal = its.some(({ loss }) => isForGood(loss));
    const problem = problemOf(both, message, isFinal);
    // The aliases of an entry that is removed, or gets another key.
    const ways = isFinal ? problem.advice : `${problem.advice}, or ${later}`;
    const advice = updates(action) ? ways : before;
    return [{ ...problem, advice, ...dependsOn(unknownBehind(its)) }];
  });
}

const later = "change the target of its aliases in this run, and remove the entry in the next run";

const before = "remove the lost parts in an earlier run, and declare them again after this change";

/** Whether the resource's own changes do not show that a part is lost for good, or that another resource loses it. */
function isHidden(caused: CausedLoss): boolean {
  const { action, loss } = caused;
  const isOfAnother = loss.owner?.id !== action.resourceId;
  return loss.sort === "part" && isOfStaying(caused) && (isOfAnother || isForGood(loss));
}

/** The problem of deleting a resource that is data, such as a backup, unless a destroy names it. */
function dataProblems(policy: AllowedLosses, { identity, own, cause, names }: LostResource): Problem[] {
  const isDestroyed = own?.reason === "destroy";
  const both = { address: addressBy(identity, names), ...liveAddressOf(identity, names) };
  if (!isUnapproved(policy, identity, both) || isDestroyed) return [];
  const along = own ? "" : ` with ${formatAddress(cause.address)}`;
  const problem = problemOf(both, `${formatAddress(both.address)} would be deleted${along}`);
  // A destroy consents to the deletion of a resource by declaring it.
  return cause.reason === "destroy"
    ? [{ ...problem, advice: undefined, remedies: [{ declare: "data" }] }]
    : [problem];
}

/** The problem of pruning an environment or a project, which needs a consent with its address. */
function prunedContainers(policy: AllowedLosses, { identity, own, names }: LostResource): Problem[] {
  const both = { address: addressBy(identity, names), ...liveAddressOf(identity, names) };
  if (own?.reason !== "prune" || !identity.kind || !holdsResources(identity.kind)) return [];
  if (covers(policy.allowReplace, both)) return [];
  const address = formatAddress(both.address);
  return [
    {
      code: "contents",
      message: `${address} is unmanaged, and would be deleted with everything in it`,
      remedies: [{ declare: "missing" }, consentTo(both)],
      address,
    },
  ];
}

/** The data in a resource, or the resource itself, whose deletion no consent allows. */
function unapprovedData(policy: AllowedLosses, identity: ResourceIdentity): ResourceIdentity[] {
  return [
    ...(isUnapproved(policy, identity, ownAddresses(identity)) ? [identity] : []),
    ...identity.contents.flatMap((inner) => unapprovedData(policy, inner)),
  ];
}

function isUnapproved(
  { allowReplace, empties }: AllowedLosses,
  { kind }: ResourceIdentity,
  both: BothAddresses,
): boolean {
  return kind?.use === "data" && !empties && !covers(allowReplace, both);
}

function ownAddresses(identity: ResourceIdentity): BothAddresses {
  const written = identity.names.at(-1) ?? [];
  return { address: addressBy(identity, written), ...liveAddressOf(identity, written) };
}

function problemOf(both: BothAddresses, message: string | Message, isFinal = true): Problem {
  const address = formatAddress(both.address);
  return {
    code: "loss",
    ...reported(isFinal ? say`${message}, which cannot be restored` : message),
    advice: "undo the change",
    remedies: [consentTo(both)],
    address,
  };
}

function replacementProblems(policy: Policy, action: LiveAction, both: BothAddresses): Problem[] {
  if (!isReplacement(action) || action.carriedOutBy !== undefined) return [];
  if (covers(policy.allowReplace, both)) return [];
  const address = formatAddress(action.address);
  return [
    {
      code: "replacement",
      message: `${address} must be replaced: ${action.reasons.join("; ")}`,
      advice: "undo the change",
      remedies: [consentTo(both)],
      address,
    },
  ];
}

/** The consent names the live address too if it differs. */
function consentTo({ address, liveAddress }: BothAddresses): Remedy {
  return {
    consent: "replace",
    address: formatAddress(address),
    ...(liveAddress && { also: formatAddress(liveAddress) }),
  };
}
