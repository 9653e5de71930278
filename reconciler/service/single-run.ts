import { join } from "node:path";
import type { Address } from "../../core/address.ts";
import type { Clock } from "../../core/api/index.ts";
import { isComplete, type Report } from "../../core/execute/index.ts";
import type { Plan, Policy } from "../../core/plan/index.ts";
import { type Proposal, withProblems } from "../../core/session/index.ts";
import type { Repository } from "../../git/index.ts";
import { deletes, deletionLimits, limitProblems } from "../decide/index.ts";
import { Memory } from "../memory/index.ts";
import type { OperatorRules } from "../policy/index.ts";
import { droppedBy, type LoadedCommit } from "../view/index.ts";

/** What a run that applies one commit and ends works with. */
export interface SingleRunSettings {
  /** The data folder. */
  folder: string;
  repository: Pick<Repository, "isAncestor">;
  clock: Clock;
  commit: LoadedCommit;
  policy: Policy;
  operator: OperatorRules;
}

/** What a run that ends remembers for those after it, as a service does: the applied commit, and what was deleted. */
export class SingleRun {
  readonly #memory: Memory;
  readonly #settings: SingleRunSettings;

  private constructor(settings: SingleRunSettings, memory: Memory) {
    this.#settings = settings;
    this.#memory = memory;
  }

  static async open(settings: SingleRunSettings): Promise<SingleRun> {
    const memory = new Memory(join(settings.folder, "state.json"));
    await memory.read();
    return new SingleRun(settings, memory);
  }

  /** The commit that an earlier run has applied as a whole. @param folder the data folder */
  static async applied(folder: string): Promise<Memory["wholeCommit"]> {
    const memory = new Memory(join(folder, "state.json"));
    await memory.read();
    return memory.wholeCommit;
  }

  /** The id by which an earlier run knew the resource of an address. */
  idOf(address: Address): string | undefined {
    return this.#memory.idOf(address);
  }

  /** The applied commit that a plan drops although it deletes: the branch was rewritten. */
  async droppedBy({ plan }: Proposal): Promise<string | undefined> {
    const { repository, commit } = this.#settings;
    return deletes(plan) ? droppedBy(commit, this.#memory.commits(), repository) : undefined;
  }

  /** Adds what the limits of deletions forbid now. */
  limited(proposal: Proposal): Proposal {
    const { commit, policy, operator, clock } = this.#settings;
    const limits = deletionLimits(commit.policy, policy, operator);
    const ledger = { tree: commit.tree, limits, deletions: this.#memory.deletions };
    return withProblems(proposal, limitProblems(proposal.plan, ledger, clock.now()));
  }

  begin(plan: Plan): Promise<void> {
    const { commit, clock } = this.#settings;
    return this.#memory.remember({ type: "begins", of: commit, plan, now: clock.now() });
  }

  /**
   * @param report undefined: there was nothing to change
   * @param isWhole whether the plan was that of the whole commit
   */
  async end(plan: Plan, report: Report | undefined, isWhole: boolean): Promise<void> {
    const { commit } = this.#settings;
    await this.#memory.remember({ type: "planned", resources: commit.resources, plan });
    if (report) await this.#memory.remember({ type: "ended", of: commit, plan, report });
    if (isWhole && (!report || isComplete(report)))
      await this.#memory.remember({ type: "applied", commit, shares: "all" });
  }
}
