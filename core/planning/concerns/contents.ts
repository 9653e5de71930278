import {
  addressKey,
  describeAddress,
  formatAddress,
  formatReference,
} from "../../model/addresses/address.ts";
import { holdsServices } from "../../model/kinds/index.ts";
import type { Action, LiveAction } from "../plan/action.ts";
import type { LostResource } from "../plan/lost-resources.ts";
import type { ResourceIdentity, Inventory } from "../plan/inventory.ts";
import type { Concern, Whole } from "../plan/planning.ts";
import type { Policy } from "../plan/policy.ts";
import type { Problem } from "../../problems/problem.ts";
import { say, reported } from "../../problems/say.ts";
import { counted, firstOf } from "../../values/text.ts";

/** The resources that would be deleted with their parent. */
export const contents: Concern = {
  name: "contents",
  programs: true,
  needsNames: (whole) => problemsOfContents(whole).length > 0,
  guard: problemsOfContents,
};

function problemsOfContents({ planning: { inventory, policy }, actions, lostResources }: Whole): Problem[] {
  const byAddress = new Map(actions.map((action) => [addressKey(action.address), action]));
  return [...Map.groupBy(lostResources, ({ cause }) => cause)].flatMap(([cause, going]) =>
    alongProblems(inventory, policy, byAddress, cause, going),
  );
}

/** Problems of resources that are deleted with their parent and have no action of their own. */
function alongProblems(
  inventory: Inventory,
  policy: Policy,
  byAddress: ReadonlyMap<string, Action>,
  cause: LiveAction,
  going: readonly LostResource[],
): Problem[] {
  const along = going.filter(({ own }) => !own);
  const partial = going.filter(({ identity }) => identity.mayContainMore);
  if (along.length + partial.length === 0) return [];
  const { address } = cause;
  const document = inventory.documentOf(address);
  const declared = along.filter(({ identity }) => isDeclared(identity, byAddress));
  // Data needs a consent of its own, which allows more than a prune does.
  const unmanaged = along.filter(
    ({ identity }) => !isDeclared(identity, byAddress) && identity.kind?.use !== "data",
  );
  const isConsented =
    cause.reason === "prune" ||
    (policy.prune && document?.manage.prune === true && address.kind.deletion?.takesContents === true);
  const about = {
    ...(document && { position: document.position(["name"]) }),
    address: formatAddress(address),
  };
  const problems: Problem[] = [];
  if (declared.length > 0)
    problems.push({
      ...about,
      code: "declared_contents",
      message: `${describeAddress(address)}: it contains ${counted(declared.length, "resource")} that this plan leaves out although documents declare them, and that would be deleted with it: ${namesOf(declared)}`,
      advice: `leave ${formatAddress(address)} out`,
      remedies: [{ setting: "targets", value: `${formatReference(address.names)}/**` }],
    });
  if (unmanaged.length > 0 && !isConsented)
    problems.push({
      ...about,
      code: "contents",
      ...reported(
        say`${describeAddress(address)}: it contains ${counted(unmanaged.length, "resource")}${{ ofDocuments: " that no document declares and" }} that would be deleted with it: ${namesOf(unmanaged)}`,
      ),
      remedies: holdsServices(address.kind)
        ? [
            { declare: "contents", mayMove: true },
            { consent: "prune", document: true },
          ]
        : [{ declare: "contents", mayMove: false }],
    });
  if (partial.length > 0 && !isConsented)
    problems.push({
      ...about,
      code: "contents",
      message: `${describeAddress(address)}: the server lists services by type, so services of other types may be in ${namesOf(partial)}, and would be deleted with it`,
      advice: "check its contents in the web console",
      remedies: [{ consent: "prune", document: true }],
    });
  return problems;
}

/** Whether a document declares a resource, and no action of the plan concerns another resource of the same address. */
function isDeclared(identity: ResourceIdentity, actions: ReadonlyMap<string, Action>): boolean {
  return identity.documents.some((document) => {
    const action = actions.get(addressKey(document.address));
    return !action || action.resourceId === undefined || action.resourceId === identity.id;
  });
}

export function namesOf(lostResources: readonly LostResource[]): string {
  return firstOf(lostResources.map(({ identity }) => identity.name));
}
