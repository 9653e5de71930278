import type { Clock } from "../../core/api/index.ts";
import { isComplete, type Report } from "../../core/execution/execute/index.ts";
import type { Organization } from "../../core/state/organization.ts";
import type { Plan } from "../../core/planning/plan/index.ts";
import type { Run } from "../../core/execution/session/index.ts";
import type { Repository } from "../../adapters/git/index.ts";
import { deletionLimits, inventoryOf } from "../decide/index.ts";
import type { Memory } from "../memory/index.ts";
import type { OperatorRules } from "../policy/index.ts";
import {
  commitPoliciesOf,
  DeletionCount,
  digestsIn,
  documentDigests,
  droppedBy,
  type InForce,
} from "../view/index.ts";
import type { Before } from "./permitted-plan.ts";

const day = 86_400_000;

export interface SingleRunSettings extends InForce {
  memory: Memory;
  repository: Pick<Repository, "isAncestor">;
  clock: Clock;
  organization: Pick<Organization, "id">;
  operator: OperatorRules;
}

/** The memory of a single run for later runs, as a service has it: the applied commit, and the deletions. */
export function singleRun(settings: SingleRunSettings) {
  const { memory, repository, clock, organization, commit, policy, before, operator } = settings;
  return {
    /** What earlier runs have deleted, and other processes by the events. A run that ends does not wait where nobody knows that. */
    async before(run: Pick<Run, "client">, plan: Plan): Promise<Before> {
      const dropped = await droppedBy(commit, memory.commits(), repository);
      const limits = deletionLimits([commit.policy, ...commitPoliciesOf(before)], policy, operator);
      await new DeletionCount(memory, undefined).ask(() => run, organization, plan, clock.now());
      return {
        ledger: { tree: commit.tree, limits, deletions: memory.deletions, countedSince: -Infinity },
        ...(dropped !== undefined && { dropped }),
      };
    },
    /** Whether the plan deletes, and the deletions of the last day are unknown. */
    isUncounted: () => (memory.countedSince ?? -Infinity) > clock.now() - day,
    begin: (plan: Plan) => memory.begins(commit, plan, clock.now()),
    /** @param report undefined: there was nothing to change @param isWhole whether the plan was that of the whole commit */
    async end(plan: Plan, report: Report | undefined, isWhole: boolean): Promise<void> {
      await memory.planned(commit.resources, plan);
      const documents = documentDigests(commit.resources);
      if (report) await memory.ended(commit, documents, plan, report);
      if (!isWhole || (report && !isComplete(report))) return;
      await memory.compared(digestsIn(documents), inventoryOf(plan.actions, documents));
      await memory.applied(commit, "all", clock.now());
    },
  };
}
