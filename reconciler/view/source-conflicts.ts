import { addressKey, formatAddress } from "../../core/model/addresses/address.ts";
import { type Action, deletes, makes, type Plan } from "../../core/planning/plan/index.ts";
import type { Problem } from "../../core/problems/problem.ts";
import type { Digests } from "../decide/index.ts";
import type { Claim, Conflict, OtherSources } from "../sources/index.ts";

/** The claims of a commit, by its documents and by the plan of everything. */
export function claimOf(organization: string, documents: Digests, { actions }: Pick<Plan, "actions">): Claim {
  const pruned = actions.filter(isPrune);
  const there = actions.filter((action) => !isPrune(action) && documents.has(addressKey(action.address)));
  return {
    organization,
    declared: new Set([
      ...documents.keys(),
      ...[...documents.values()].flatMap(({ former }) => former ?? []),
      ...there.flatMap(({ resourceId }) => resourceId ?? []),
    ]),
    pruned: new Set(pruned.flatMap(({ address, resourceId = "" }) => [addressKey(address), resourceId])),
  };
}

function isPrune(action: Action): boolean {
  return deletes(action) && !makes(action) && action.reason === "prune";
}

/** Conflicts with other sources, as problems of the resources. */
export function claimProblems(conflicts: readonly Conflict[], { actions }: Pick<Plan, "actions">): Problem[] {
  const byId = new Map(actions.map(({ resourceId = "", address }) => [resourceId, formatAddress(address)]));
  const problems = conflicts.map(({ key, source, isPrunedHere, isPrunedThere }): Problem => {
    const address = byId.get(key) ?? key;
    const message = isPrunedHere
      ? `${address} would be pruned, and the source ${source} declares it`
      : isPrunedThere
        ? `${address} would be pruned by the source ${source}, whose documents have declared it before`
        : `${address} is declared by the source ${source} too`;
    const advice =
      isPrunedHere || isPrunedThere
        ? "to move it to this source, set prune: false for its environment in the policy of the earlier source"
        : "remove it from one of the two repositories";
    return { code: "duplicate", message, advice, address };
  });
  return [...new Map(problems.map((problem) => [problem.message, problem])).values()];
}

/** Announces the claims of this source, and reads conflicting claims of others. @param others undefined: there are none */
export function contestOf(others: OtherSources | undefined) {
  const keyOf = ({ key, source }: Conflict) => `${source} ${key}`;
  let own: Claim | undefined;
  let known: ReadonlySet<string> = new Set();
  return {
    /** The claims of others that conflict with those of this source now. */
    async conflicts(claim: Claim): Promise<readonly Conflict[]> {
      own = claim;
      const conflicts = (await others?.claim(claim)) ?? [];
      known = new Set(conflicts.map(keyOf));
      return conflicts;
    },
    /** Whether another source has added a conflicting claim, after all have announced theirs. */
    async isContested(): Promise<boolean> {
      if (!others || !own) return false;
      await others.settled();
      return (await others.claim(own, true)).some((each) => !known.has(keyOf(each)));
    },
  };
}
