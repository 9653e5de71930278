import { join } from "node:path";
import type { Address } from "../../core/address.ts";
import { isComplete, type Report } from "../../core/execute/index.ts";
import type { Clock } from "../../core/api/index.ts";
import type { Plan, Policy } from "../../core/plan/index.ts";
import type { Proposal } from "../../core/session/index.ts";
import { deletes } from "../decide/changes.ts";
import { DeletionBook, deletionLimits } from "../memory/deletion-book.ts";
import { droppedBy } from "../view/dropped.ts";
import type { Repository } from "../../git/index.ts";
import { Memory } from "../memory/memory.ts";
import type { OperatorRules } from "../policy/index.ts";
import type { LoadedCommit } from "../view/commits.ts";

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
  readonly #book: DeletionBook;
  readonly #settings: SingleRunSettings;

  private constructor(settings: SingleRunSettings, memory: Memory) {
    const { clock, commit, policy, operator } = settings;
    this.#settings = settings;
    this.#memory = memory;
    this.#book = new DeletionBook(memory, clock, commit, deletionLimits(commit, policy, operator));
  }

  static async open(settings: SingleRunSettings): Promise<SingleRun> {
    const memory = new Memory(join(settings.folder, "state.json"));
    await memory.read();
    return new SingleRun(settings, memory);
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
    return this.#book.limited(proposal);
  }

  begin(plan: Plan): Promise<void> {
    return this.#book.begin(plan);
  }

  /**
   * @param report undefined: there was nothing to change
   * @param isWhole whether the plan was that of the whole commit
   */
  async end(plan: Plan, report: Report | undefined, isWhole: boolean): Promise<void> {
    await this.#memory.identified(this.#settings.commit.resources, plan);
    if (report) await this.#book.end(plan, report);
    if (isWhole && (!report || isComplete(report))) await this.#memory.applied(this.#settings.commit);
  }
}
