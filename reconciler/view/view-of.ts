import { hasChanges, wavesOf } from "../../core/planning/plan/index.ts";
import { deletionLimits, everything, type View } from "../decide/index.ts";
import type { Memory } from "../memory/index.ts";
import { commitPoliciesOf } from "./commit-rules.ts";
import { droppedBy } from "./commits.ts";
import type { DeletionCount } from "./deletion-count.ts";
import { documentDigests } from "./digests.ts";
import type { Commits, InForce } from "./in-force.ts";
import type { ScopePlan } from "./plan-scope.ts";
import type { ViewSettings } from "./settings.ts";

/** The view of a refresh and the records. */
export async function viewOf(
  { commits, inForce, plan }: { commits: Commits; inForce: InForce; plan: ScopePlan },
  { environments, affordable }: Pick<View, "environments" | "affordable">,
  { clock, operator = {}, repository, others }: ViewSettings,
  memory: Memory,
  deletions: DeletionCount,
): Promise<View> {
  const { newest, mistakes, unread } = commits;
  const { commit, policy, before } = inForce;
  const { rulesOf, resources, proposal: whole } = plan;
  const isApplied = environments.every((environment) => environment.isApplied);
  const isNews = !isApplied && (whole.refusal !== undefined || hasChanges(whole.plan));
  return {
    now: clock.now(),
    commit: newest.commit,
    mistakes,
    isUnread: unread !== undefined,
    isApplied,
    isTargeted: policy.targets.length > 0,
    rulesOf,
    waveOf: wavesOf(resources),
    affordable,
    environments,
    plans: new Map([[everything.key, whole]]),
    refused: [],
    undone: memory.undoneTo(documentDigests(commit.resources)),
    ledger: {
      tree: commit.tree,
      limits: deletionLimits([commit.policy, ...commitPoliciesOf(before)], policy, operator),
      deletions: await deletions.named(others),
      countedSince: memory.countedSince,
    },
    dropped:
      isNews && mistakes.length === 0 ? await droppedBy(commit, memory.commits(), repository) : undefined,
  };
}
