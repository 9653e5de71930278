import { formatAddress } from "../../core/model/addresses/address.ts";
import { addressOf, type ManifestDocument, toDesired } from "../../core/manifests/manifest/index.ts";
import { lossesOf, type Plan, titleOf } from "../../core/planning/plan/index.ts";
import type { Problem } from "../../core/problems/problem.ts";
import { short } from "../../adapters/git/index.ts";
import type { Requests, Rollback } from "../requests/index.ts";
import { environmentOf } from "../policy/index.ts";
import type { CommitSource, LoadedCommit } from "./commits.ts";
import { digestsOf } from "./digests.ts";

/** A commit with documents of earlier commits in some environments. */
export interface WithRollbacks {
  commit: LoadedCommit;
  /** The rollbacks in force, by environment key. */
  rolledBack: ReadonlyMap<string, Rollback>;
  /** The ended rollbacks: the commit has other documents there, or those of the earlier one are impossible now. */
  over: readonly { key: string; rollback: Rollback; problems: readonly Problem[] }[];
}

/** Replaces documents of a commit by those of earlier commits, as requested. @throws GitError */
export async function withRollbacks(
  commit: LoadedCommit,
  requests: Pick<Requests, "rolledBack" | "rollbackIn" | "note">,
  source: Pick<CommitSource, "earlier">,
): Promise<WithRollbacks> {
  const over: WithRollbacks["over"][number][] = [];
  const rolledBack = new Map<string, Rollback>();
  let result = commit;
  for (const key of requests.rolledBack) {
    const rollback = requests.rollbackIn(key);
    if (!rollback) continue;
    const present = digestsOf(commit.resources).get(key) ?? "";
    if (rollback.instead === undefined) await requests.note(key, present);
    else if (rollback.instead !== present) {
      over.push({ key, rollback, problems: [] });
      continue;
    }
    const laid = laidOver(result, key, await source.earlier(rollback));
    if ("problems" in laid) over.push({ key, rollback, ...laid });
    else {
      result = laid.commit;
      rolledBack.set(key, rollback);
    }
  }
  return { commit: result, rolledBack, over };
}

function laidOver(
  commit: LoadedCommit,
  key: string,
  earlier: LoadedCommit | undefined,
): { commit: LoadedCommit } | { problems: readonly Problem[] } {
  if (!earlier)
    return {
      problems: [{ code: "invalid", message: "the commit to roll back to is no longer in the repository" }],
    };
  const taken = earlier.documents.filter((document) => keyOf(document) === key);
  if (earlier.problems.length > 0) return { problems: earlier.problems };
  if (taken.length === 0)
    return {
      problems: [
        { code: "invalid", message: "the commit to roll back to declares nothing in this environment" },
      ],
    };
  const documents = [...commit.documents.filter((document) => keyOf(document) !== key), ...taken];
  const { resources, problems } = toDesired(documents);
  return problems.length > 0 ? { problems } : { commit: { ...commit, documents, resources } };
}

function keyOf(document: ManifestDocument): string {
  return environmentOf(addressOf(document)).key;
}

/** The problems of losses by a rollback: its request is no consent to them, so a person has to approve the plan. */
export function lossesOfRollbacks(
  { actions }: Pick<Plan, "actions">,
  rolledBack: WithRollbacks["rolledBack"],
): Problem[] {
  return [...Map.groupBy(lossesOf(actions), ({ action }) => action)].flatMap(
    ([{ address }, lost]): Problem[] => {
      const rollback = rolledBack.get(environmentOf(address).key);
      if (!rollback) return [];
      return [
        {
          code: "loss",
          message: `the rollback to ${short(rollback.commit)} would delete ${lost.map(titleOf).join(", ")}`,
          advice: "end the rollback",
          remedies: [{ consent: "policy", name: "rollback" }],
          address: formatAddress(address),
          blocks: "apply",
        },
      ];
    },
  );
}
