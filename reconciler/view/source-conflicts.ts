import { addressKey, formatAddress } from "../../core/model/addresses/address.ts";
import { type Action, deletes, makes, type Plan } from "../../core/planning/plan/index.ts";
import type { Problem } from "../../core/problems/problem.ts";
import type { DocumentMarks } from "../decide/index.ts";
import type { Claim, Conflict } from "../sources/index.ts";
import type { SourceClaim } from "./settings.ts";

/** The claims of a commit, by its documents and by the plan of everything. */
export function claimOf(
  organization: string,
  documents: DocumentMarks,
  { actions }: Pick<Plan, "actions">,
): Claim {
  const pruned = actions.filter(isPrune);
  const there = actions.filter((action) => !isPrune(action) && documents.has(addressKey(action.address)));
  return {
    organization,
    described: new Set([
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
      ? `${address} would be pruned, and the source ${source} describes it`
      : isPrunedThere
        ? `${address} would be pruned by the source ${source}, whose documents have declared it before`
        : `${address} is declared by the source ${source} too`;
    const advice =
      isPrunedHere || isPrunedThere
        ? "to hand it over, set prune: false for its environment in the policy of the source that has declared it before"
        : "take it out of one of the two repositories";
    return { code: "duplicate", message, advice, address };
  });
  return [...new Map(problems.map((problem) => [problem.message, problem])).values()];
}

/** Announces the claims of this source, and reads conflicting claims of others. */
export class Contest {
  readonly #claims: SourceClaim | undefined;
  #claim: Claim | undefined;
  #conflicts: readonly Conflict[] = [];

  /** @param claims default: there are no other sources */
  constructor(claims: SourceClaim | undefined) {
    this.#claims = claims;
  }

  /** The claims of others that conflict with those of this source now. */
  async conflicts(claim: Claim): Promise<readonly Conflict[]> {
    this.#claim = claim;
    return (this.#conflicts = (await this.#claims?.claim(claim)) ?? []);
  }

  /** Whether another source has added a conflicting claim, after all have announced theirs. */
  async isContested(): Promise<boolean> {
    if (!this.#claims || !this.#claim) return false;
    await this.#claims.settled();
    const known = new Set(this.#conflicts.map(({ key, source }) => `${source} ${key}`));
    const conflicts = await this.#claims.claim(this.#claim, true);
    return conflicts.some(({ key, source }) => !known.has(`${source} ${key}`));
  }
}
