import type { Concern, Whole } from "../plan/planning.ts";
import { type AnyAddress, formatAddress } from "../address.ts";
import type { Kind } from "../kinds/index.ts";
import { nameKey } from "../names.ts";
import type { Problem } from "../problem.ts";
import { addressBy, type Identity } from "../plan/inventory.ts";
import type { Policy } from "../plan/policy.ts";

type Own = Pick<Policy, "ownToken">;

/** What a run uses itself. */
export const ownUse: Concern = { name: "own use", guard: ownUseProblems };

/** What may go, by its live address and its id. */
interface Going {
  kind: Kind | undefined;
  address: AnyAddress;
  id: string;
}

/**
 * The problems of resources that a plan deletes although the run may use them itself. The API does not tell which token
 * a request comes with, so the run has to be told, and deletes none before it is.
 */
function ownUseProblems({ planning: { inventory, policy }, lostResources }: Whole): Problem[] {
  const { byId } = inventory;
  const going = lostResources.map(({ identity }) => toGoing(identity));
  return usedAmong(going, policy, [...byId.values()].map(toGoing));
}

function toGoing(identity: Identity): Going {
  const { kind, id, names, name } = identity;
  return { kind, id, address: addressBy(identity, names[0] ?? [name]) };
}

/**
 * @param going what is deleted or replaced
 * @param all all that is known to exist; undefined: it has not been read
 */
function usedAmong(going: readonly Going[], { ownToken }: Own, all?: readonly Going[]): Problem[] {
  return going.flatMap((each): Problem[] => {
    if (!each.kind?.isUsedByRuns) return [];
    const address = formatAddress(each.address);
    const problem = (why: string, help: Pick<Problem, "advice" | "remedies">): Problem[] => [
      { code: "in_use", message: `${address} cannot be deleted: ${why}`, ...help, address },
    ];
    const named = { remedies: [{ setting: "token_name" as const }] };
    if (ownToken === undefined)
      return problem(
        "it may be the one that this run uses, and the API does not tell which one that is",
        named,
      );
    if (isNamed(each, ownToken)) return problem("this run uses it", { advice: "run with another token" });
    const isThere = !all || all.some((other) => other.kind === each.kind && isNamed(other, ownToken));
    return isThere
      ? []
      : problem(`this run is said to use "${ownToken}", and there is none of that name`, named);
  });
}

function isNamed({ id, address }: Going, wanted: string): boolean {
  return id === wanted || nameKey(address.names.at(-1) ?? "") === nameKey(wanted);
}
