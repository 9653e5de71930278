import type { LiveAction } from "../plan/action.ts";
import { formatAddress } from "../../model/addresses/address.ts";
import type { Problem } from "../../problems/problem.ts";
import { type BothAddresses, bothAddresses, covers } from "./both-addresses.ts";
import { type LostResource, isLiveDeletion, liveAddressOf } from "../plan/lost-resources.ts";
import { addressBy, type ResourceIdentity, type Inventory } from "../plan/inventory.ts";
import { type CausedLoss, lossesOf, unknownBehind } from "../plan/losses.ts";
import { holdsResources } from "../../model/kinds/index.ts";
import { isForGood, needsConsent, sayLoss } from "../../model/loss.ts";
import type { Policy } from "../plan/policy.ts";
import type { Remedy } from "../../problems/remedy.ts";
import { type Message, say, told } from "../../problems/say.ts";
import { dependsOn } from "../plan/findings.ts";
import type { Concern, Planning, UnmanagedResource, Whole } from "../plan/planning.ts";
import { isReplacement, updates } from "../plan/action-types.ts";

// Whoever may delete a resource to create it again, may also take its data without that: one consent serves for both.

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
  const data = keptData(policy, identity);
  if (data.length > 0) {
    const names = data.map(({ what, name }) => `${what} ${name}`).join(", ");
    findings.note({
      code: "protected",
      message: `not pruned, because nobody could restore what it contains: ${names}`,
      address: target,
    });
  }
  return data.length > 0;
}

/** The consents that a run lacks to lose something of each resource that it updates, by its id; none where it has them. */
export function lackingConsents({ planning: { inventory, policy }, actions }: Whole): Map<string, Remedy[]> {
  return new Map(
    actions.filter(updates).flatMap((action): [string, Remedy[]][] => {
      const both = bothAddresses(inventory, action);
      const isGiven = covers(policy.allowReplace, both);
      return action.resourceId === undefined ? [] : [[action.resourceId, isGiven ? [] : [consentTo(both)]]];
    }),
  );
}

type AllowedLosses = Pick<Policy, "allowReplace" | "hidesLosses">;

/** The problem of each update that takes data or secrets which nobody can bring back. */
function lossProblems(
  inventory: Inventory,
  { allowReplace, hidesLosses }: AllowedLosses,
  losses: readonly CausedLoss[],
): Problem[] {
  const final = losses.filter(
    (caused) =>
      updates(caused.action) && (needsConsent(caused.loss) || (hidesLosses === true && isHidden(caused))),
  );
  return [...Map.groupBy(final, ({ action }) => action)].flatMap(([action, its]): Problem[] => {
    const both = bothAddresses(inventory, action);
    if (covers(allowReplace, both)) return [];
    const what = its.flatMap(({ loss }, index) => say`${index === 0 ? "" : ", "}${sayLoss(loss)}`);
    const message = say`${formatAddress(action.address)} would lose ${what}`;
    const isFinal = its.some(({ loss }) => isForGood(loss));
    return [{ ...problemOf(both, message, isFinal), ...dependsOn(unknownBehind(its)) }];
  });
}

/** Whether the changes of the resource itself do not show that nobody can restore a part, or that another resource loses it. */
function isHidden({ action, loss }: CausedLoss): boolean {
  return loss.sort === "part" && (loss.owner?.id !== action.resourceId || isForGood(loss));
}

/** The problem of a resource that is itself data, such as a backup, and that nobody has asked to destroy. */
function dataProblems(policy: AllowedLosses, { identity, own, cause, names }: LostResource): Problem[] {
  const isDestroyed = own?.reason === "destroy";
  const both = { address: addressBy(identity, names), ...liveAddressOf(identity, names) };
  if (!isKept(policy, identity, both) || isDestroyed) return [];
  const along = own ? "" : ` with ${formatAddress(cause.address)}`;
  const problem = problemOf(both, `${formatAddress(both.address)} would be deleted${along}`);
  // Whoever destroys says what goes by describing it.
  return cause.reason === "destroy"
    ? [{ ...problem, advice: undefined, remedies: [{ declare: "data" }] }]
    : [problem];
}

/** The problem of a prune of an environment or a project: that takes a consent which names it. */
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

/** The data that would go with a resource although no consent names it: of the resource itself, or of its contents. */
function keptData(policy: AllowedLosses, identity: ResourceIdentity): ResourceIdentity[] {
  return [
    ...(isKept(policy, identity, ownAddresses(identity)) ? [identity] : []),
    ...identity.contents.flatMap((inner) => keptData(policy, inner)),
  ];
}

function isKept({ allowReplace }: AllowedLosses, { kind }: ResourceIdentity, both: BothAddresses): boolean {
  return kind?.use === "data" && !covers(allowReplace, both);
}

/** The names on the server, and those that the documents give. */
function ownAddresses(identity: ResourceIdentity): BothAddresses {
  const written = identity.names.at(-1) ?? [];
  return { address: addressBy(identity, written), ...liveAddressOf(identity, written) };
}

function problemOf(both: BothAddresses, message: string | Message, isFinal = true): Problem {
  const address = formatAddress(both.address);
  return {
    code: "loss",
    ...told(isFinal ? say`${message}, and nobody could restore that` : message),
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

/** The consent that covers a resource: it names the live address as well, where that differs. */
function consentTo({ address, liveAddress }: BothAddresses): Remedy {
  return {
    consent: "replace",
    address: formatAddress(address),
    ...(liveAddress && { also: formatAddress(liveAddress) }),
  };
}
