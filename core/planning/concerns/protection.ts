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

/** The advice for a change that lifts a protection and deletes the protected resource. */
const liftFirst = "remove the protection in a change of its own, and delete in a later one";

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

const mostNamed = 3;

/** A protected resource that would be lost, its protection, and the address of the action. */
interface ProtectedLoss {
  lost: LostResource;
  protection: Protection;
  cause: string;
}

/** One problem for each cause and protection; resources that protect only themselves are one problem each. */
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

/** @param common the protection, if it is not the same for all */
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

/** The problem of a loss of a protected resource that stays: protection covers its variables and data. */
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

function becomesOf({ loss: { sort } }: CausedLoss): string {
  return sort === "resource" || sort === "part" || sort === "data" ? "deleted" : "lost";
}

/** `job:shop/staging/new (now job:shop/staging/old)`. */
function title(lostResource: LostResource): string {
  const { liveAddress } = liveAddressOf(lostResource.identity, lostResource.names);
  const address = formatAddress(addressBy(lostResource.identity, lostResource.names));
  return liveAddress === undefined ? address : `${address} (now ${formatAddress(liveAddress)})`;
}

/** Problems of resources whose protection this change lifts: the next run would delete them. */
function liftedProblems(notes: readonly Note[]): Problem[] {
  return notes.flatMap(({ message, address, isLifted }): Problem[] =>
    isLifted && address
      ? [
          {
            code: "protected",
            message: `${formatAddress(address)}: ${message}; the run that removes the protection cannot delete the protected resources`,
            advice: liftFirst,
            address: formatAddress(address),
          },
        ]
      : [],
  );
}
