import { formatAddress } from "../../model/addresses/address.ts";
import { isChange } from "../plan/action-types.ts";
import { idleTargets, isTarget } from "../plan/documents.ts";
import type { Concern, Whole } from "../plan/planning.ts";
import type { Problem } from "../../problems/problem.ts";
import { bothAddresses, covers } from "./both-addresses.ts";

export const targets: Concern = {
  name: "targets",
  programs: "the engine of a program chooses the resources of a run, with targets of its own",
  object: ({ planning: { policy, resources, inventory }, actions }) =>
    idleTargets(policy.targets, [
      ...resources.map(({ address }) => address),
      ...actions.flatMap((action) => Object.values(bothAddresses(inventory, action))),
    ]),
  guard: untargetedProblems,
};

/** Problems of targets that match the declared name of a resource, but not its live name. */
function untargetedProblems({ planning: { inventory, policy }, actions }: Whole): Problem[] {
  const { targets: chosen } = policy;
  if (chosen.length === 0) return [];
  return actions.flatMap((action): Problem[] => {
    const both = bothAddresses(inventory, action);
    const { address, liveAddress } = both;
    if (!isChange(action) || !liveAddress || !isTarget({ targets: chosen }, address)) return [];
    if (covers(chosen, both)) return [];
    const [written, live] = [address, liveAddress].map(formatAddress);
    return [
      {
        code: "target",
        message: `the targets match ${written}, its name in the documents, and not ${live}, its name on the server`,
        remedies: [{ setting: "targets", value: live ?? "" }],
        address: written ?? "",
      },
    ];
  });
}
