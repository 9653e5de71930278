import { type Policy, type RulesBefore, rulesBefore } from "../../core/planning/plan/index.ts";
import type { Problem } from "../../core/problems/problem.ts";
import { short } from "../../adapters/git/index.ts";
import type { ManifestCommit } from "../memory/index.ts";
import type { DesiredResource } from "../../core/manifests/manifest/index.ts";
import { type CommitPolicy, noPolicy, rulesFor, withoutPruning } from "../policy/index.ts";
import type { CommitSource, LoadedCommit } from "./commits.ts";

/** The rules of an earlier commit. Its resources lack the consents to prune that its policy revokes. */
export interface CommitBefore extends RulesBefore {
  commitPolicy: CommitPolicy;
  documents: readonly DesiredResource[];
}

/** The rules before a commit; none if the same manifests are applied. @param applied the last commit applied as a whole @throws GitError */
export async function rulesBeforeCommit(
  commit: LoadedCommit,
  applied: ManifestCommit | undefined,
  {
    source,
    policyFor,
  }: {
    source: Pick<CommitSource, "before" | "earlier">;
    policyFor(commit: LoadedCommit): Promise<{ policy: Policy; problems: Problem[] }>;
  },
): Promise<CommitBefore[]> {
  if (applied?.tree === commit.tree) return [];
  const read = async (earlier: LoadedCommit): Promise<CommitBefore[]> => {
    const { policy, problems } = await policyFor(earlier);
    const { resources: documents, policy: commitPolicy } = earlier;
    // Neither windows nor the operator change whether a policy allows pruning.
    const resources = withoutPruning(documents, (names) => rulesFor(names, commitPolicy, {}, 0));
    return problems.length > 0
      ? []
      : [{ name: `the commit ${short(earlier.commit)}`, policy, resources, documents, commitPolicy }];
  };
  async function* states() {
    for await (const earlier of source.before(commit)) yield* await read(earlier);
  }
  if (!applied) return rulesBefore(states(), undefined);
  const last = await source.earlier(applied);
  const [known] = last?.problems.length === 0 ? await read(last) : [];
  const mistakes = last ? [...last.problems, ...(await policyFor(last)).problems] : [];
  return rulesBefore(states(), known ?? unreadable(applied, mistakes[0] ?? gone));
}

const gone = { message: "the repository no longer has it" };

/** The rules of the applied commit if they cannot be read any more: for another version, or without its history. */
function unreadable({ commit }: ManifestCommit, { message }: Pick<Problem, "message">): CommitBefore {
  const caps = { count: Infinity, percent: Infinity };
  return {
    name: `the commit ${short(commit)}`,
    unreadable: message,
    policy: { protect: [], policies: [], caps },
    resources: [],
    documents: [],
    commitPolicy: noPolicy,
  };
}

/** The policies of the earlier commits, whose limits apply too. */
export function commitPoliciesOf(before: readonly CommitBefore[]): CommitPolicy[] {
  return before.flatMap(({ isOlder, commitPolicy }) => (isOlder ? [] : [commitPolicy]));
}
