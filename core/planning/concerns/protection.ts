import { formatAddress } from "../../model/addresses/address.ts";
import { subjectOf } from "../../model/loss.ts";
import type { Goal, Note } from "../plan/action.ts";
import { factsOf, updates } from "../plan/action-types.ts";
import { addressBy, type Inventory } from "../plan/inventory.ts";
import { type CausedLoss, isOfStaying, lossesOf, titleOf, unknownBehind } from "../plan/losses.ts";
import { type LostResource, liveAddressOf } from "../plan/lost-resources.ts";
import { dependsOn } from "../plan/findings.ts";
import type { Concern, Planning, UnmanagedResource } from "../plan/planning.ts";
import type { Policy } from "../plan/policy.ts";
import type { Problem } from "../../problems/problem.ts";
import { byDocument, patternsIn, protectedNote, type Protection, protectionOf } from "./protected-by.ts";
import { needRenamed, unprotectedProblems } from "./protected-renames.ts";

/** The advice for a change that takes a protection away and deletes what it protected. */
const liftFirst = "lift the protection in a change of its own, and delete in a later one";

/** `manage.protect`, and the patterns of the configuration. */
export const protection: Concern = {
  name: "protection",
  programs: true,
  spare: sparesProtected,
  need: needRenamed,
  needsNames: ({ planning: { policy }, actions }) =>
    patternsIn(policy).length > 0 && lossesOf(actions).length > 0,
  guard(whole) {
    const { goal, planning, actions, lostResources } = whole;
    const { inventory, policy } = planning;
    return [
      ...protectionProblems(goal, inventory, policy, lostResources),
      ...lossesOf(actions).flatMap((caused) => protectedPartProblems(goal, inventory, policy, caused)),
      ...unprotectedProblems(whole),
      ...liftedProblems(planning.findings.notes),
    ];
  },
};

function sparesProtected(
  { inventory, policy, findings }: Planning,
  { target, identity }: UnmanagedResource,
): boolean {
  const found = protectionOf(inventory, policy, identity);
  if (found) findings.note(protectedNote(found, "not pruned", target));
  return found !== undefined;
}

/** The most resources that a problem names. */
const mostNamed = 3;

/** A resource that would be lost, what protects it, and the address of the action that would lose it. */
interface ProtectedLoss {
  lost: LostResource;
  protection: Protection;
  cause: string;
}

/**
 * A problem for each cause and each protection: what a deletion takes along, and all that a destroy names, is one
 * problem, and so are all that protect nothing but themselves.
 */
function protectionProblems(
  goal: Goal,
  inventory: Inventory,
  policy: Policy,
  lostResources: readonly LostResource[],
): Problem[] {
  const found = lostResources.flatMap((lost): ProtectedLoss[] => {
    const its = protectionOf(inventory, policy, lost.identity);
    return its ? [{ lost, protection: its, cause: formatAddress(lost.cause.address) }] : [];
  });
  if (goal !== "destroy")
    return groupedBy(found, ({ cause, protection: { by } }) => `${cause} ${by}`).flatMap((group) =>
      protectionProblem(goal, group),
    );
  const groups = groupedBy(found, ({ protection: { by } }) => by);
  const isAlone = ([only, ...others]: readonly ProtectedLoss[]) =>
    only !== undefined && others.length === 0 && only.protection.by === byDocument(title(only.lost));
  const alone = groups.filter(isAlone).flat();
  return [
    ...groups.filter((group) => !isAlone(group)).flatMap((group) => protectionProblem(goal, group)),
    ...protectionProblem(goal, alone, alone.length > 1 ? "manage.protect of its document" : undefined),
  ];
}

function groupedBy(
  found: readonly ProtectedLoss[],
  keyOf: (loss: ProtectedLoss) => string,
): ProtectedLoss[][] {
  return [...Map.groupBy(found, keyOf).values()];
}

/** One problem for all of a group. @param common what protects each of them, where that is not the same for all */
function protectionProblem(goal: Goal, group: readonly ProtectedLoss[], common?: string): Problem[] {
  const [first, ...others] = group.toSorted(
    (left, right) => Number(!left.lost.own) - Number(!right.lost.own),
  );
  if (!first) return [];
  const { lost, protection: its, cause } = first;
  const becomes = lost.own ? factsOf(lost.own).past : "deleted";
  const along = lost.own ? "" : `, and would be deleted with ${cause}`;
  const more = others.slice(0, mostNamed).map((other) => title(other.lost));
  const rest = others.length > mostNamed ? [`${others.length - mostNamed} more`] : [];
  const also =
    others.length === 0 ? "" : `, as ${others.length === 1 ? "is" : "are"} ${[...more, ...rest].join(", ")}`;
  return [
    {
      code: "protected",
      message: `${title(lost)} cannot be ${becomes}: it is protected by ${common ?? its.by}${also}${along}`,
      ...adviceOn(goal, its),
      address: cause,
    },
  ];
}

/** The problem of a loss of a protected resource that stays: protection covers its variables and data as well. */
function protectedPartProblems(
  goal: Goal,
  inventory: Inventory,
  policy: Policy,
  caused: CausedLoss,
): Problem[] {
  const { action, loss } = caused;
  const subject = isOfStaying(caused) ? subjectOf(loss) : undefined;
  const identity = subject && inventory.byId.get(subject.id);
  const found = identity && protectionOf(inventory, policy, identity);
  if (!subject || !found) return [];
  const [address, cause] = [subject.address, action.address].map(formatAddress);
  const along =
    address === cause ? "" : `, and would be deleted with ${updates(action) ? `what ${cause} loses` : cause}`;
  return [
    {
      code: "protected",
      message: `${titleOf(caused)} cannot be ${becomesOf(caused)}: ${address} is protected by ${found.by}${along}`,
      ...adviceOn(goal, found),
      ...dependsOn(unknownBehind([caused])),
      address: cause,
    },
  ];
}

function adviceOn(goal: Goal, { remedies, isLifted }: Protection): Pick<Problem, "advice" | "remedies"> {
  if (isLifted) return { advice: `undo the change, or ${liftFirst}` };
  return { ...(goal === "reconcile" && { advice: "undo the change" }), remedies };
}

/** The fate of a lost thing. */
function becomesOf({ loss: { sort } }: CausedLoss): string {
  return sort === "resource" || sort === "part" || sort === "data" ? "deleted" : "lost";
}

/** `job:shop/staging/new (now job:shop/staging/old)`. */
function title(lostResource: LostResource): string {
  const { liveAddress } = liveAddressOf(lostResource.identity, lostResource.names);
  const address = formatAddress(addressBy(lostResource.identity, lostResource.names));
  return liveAddress === undefined ? address : `${address} (now ${formatAddress(liveAddress)})`;
}

/**
 * The problems of a plan that would leave something alone only because of a protection that the change lifts: the next
 * run would delete it, and nobody would have lifted the protection before.
 */
function liftedProblems(notes: readonly Note[]): Problem[] {
  return notes.flatMap(({ message, address, isLifted }): Problem[] =>
    isLifted && address
      ? [
          {
            code: "protected",
            message: `${formatAddress(address)}: ${message}; nothing that it protected may be deleted in the run that lifts it`,
            advice: liftFirst,
            address: formatAddress(address),
          },
        ]
      : [],
  );
}
