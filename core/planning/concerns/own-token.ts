import type { Concern, Whole } from "../plan/planning.ts";
import { type AnyAddress, formatAddress } from "../../model/addresses/address.ts";
import type { Kind } from "../../model/kinds/index.ts";
import { nameKey } from "../../model/addresses/names.ts";
import type { Problem } from "../../problems/problem.ts";
import { addressBy, type ResourceIdentity } from "../plan/inventory.ts";
import type { Policy } from "../plan/policy.ts";

export const ownUse: Concern = { name: "own token", programs: true, guard: ownUseProblems };

interface Candidate {
  kind: Kind | undefined;
  address: AnyAddress;
  id: string;
}

/** Problems of deleting a token that may be the run's own: a setting names that, and without it no token is deleted. */
function ownUseProblems({ planning: { inventory, policy }, lostResources }: Whole): Problem[] {
  const { byId } = inventory;
  const lost = lostResources.map(({ identity }) => toCandidate(identity));
  return usedAmong(lost, policy, [...byId.values()].map(toCandidate));
}

function toCandidate(identity: ResourceIdentity): Candidate {
  const { kind, id, names, name } = identity;
  return { kind, id, address: addressBy(identity, names[0] ?? [name]) };
}

/** @param lost deleted or replaced resources @param all the existing resources; undefined if they have not been read */
function usedAmong(
  lost: readonly Candidate[],
  { ownToken }: Pick<Policy, "ownToken">,
  all?: readonly Candidate[],
): Problem[] {
  if (ownToken === null) return [];
  return lost.flatMap((each): Problem[] => {
    if (!each.kind?.deletion?.sparesOwn) return [];
    const address = formatAddress(each.address);
    const problem = (why: string, help: Pick<Problem, "advice" | "remedies">): Problem[] => [
      { code: "in_use", message: `${address} cannot be deleted: ${why}`, ...help, address },
    ];
    const named = { remedies: [{ setting: "token_name" as const }] };
    if (ownToken === undefined)
      return problem("this run may use this token, and the API does not show which token it uses", named);
    if (isNamed(each, ownToken)) return problem("this run uses it", { advice: "run with another token" });
    const isThere = !all || all.some((other) => other.kind === each.kind && isNamed(other, ownToken));
    return isThere
      ? []
      : problem(
          `there is no API token "${ownToken}", which the settings name as the token of this run`,
          named,
        );
  });
}

function isNamed({ id, address }: Candidate, expected: string): boolean {
  return id === expected || nameKey(address.names.at(-1) ?? "") === nameKey(expected);
}
