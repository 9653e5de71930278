import type { Report } from "../../core/execute/index.ts";
import type { Clock } from "../../core/api/index.ts";
import { defaultCaps, type Plan, type Policy } from "../../core/plan/index.ts";
import { type Proposal, withProblems } from "../../core/session/index.ts";
import { type DeletionLimits, type Ledger, limitProblems, withBegun, withDone } from "../decide/deletions.ts";
import type { Memory } from "./memory.ts";
import type { OperatorRules } from "../policy/index.ts";
import type { LoadedCommit } from "../view/commits.ts";

/** Counts what the plans of one commit delete, and what they may. */
export class DeletionBook {
  readonly #memory: Memory;
  readonly #clock: Clock;
  readonly #tree: string;
  readonly #limits: DeletionLimits;

  /** @param memory remembers what was deleted in the last day */
  constructor(memory: Memory, clock: Clock, commit: LoadedCommit, limits: DeletionLimits) {
    this.#memory = memory;
    this.#clock = clock;
    this.#tree = commit.tree;
    this.#limits = limits;
  }

  /** Adds what the limits of deletions forbid now. */
  limited(proposal: Proposal): Proposal {
    return withProblems(proposal, limitProblems(proposal.plan, this.#ledger()));
  }

  /** A plan is about to be carried out: a kill forgets none of its deletions. */
  async begin(plan: Plan): Promise<void> {
    const begun = withBegun(plan, this.#ledger());
    if (begun.length > 0) await this.#memory.keepDeletions(begun);
  }

  /** A plan was carried out. */
  async end(plan: Plan, { outcomes }: Report): Promise<void> {
    const done = new Set(outcomes.filter(({ status }) => status === "done").map(({ id }) => id));
    if (this.#memory.deletions.length > 0)
      await this.#memory.keepDeletions(withDone(plan, done, this.#ledger()));
  }

  #ledger(): Ledger {
    return {
      tree: this.#tree,
      limits: this.#limits,
      deletions: this.#memory.deletions,
      now: this.#clock.now(),
    };
  }
}

/** The limits of deletions: those of the operator, which a commit can only lower. */
export function deletionLimits(
  { policy: { maxDeletes } }: LoadedCommit,
  { caps }: Policy,
  operator: OperatorRules = {},
): DeletionLimits {
  return {
    commit: Math.min(caps.count, maxDeletes?.commit ?? Infinity),
    day: Math.min(operator.deletesPerDay ?? defaultCaps.count, maxDeletes?.day ?? Infinity),
  };
}
