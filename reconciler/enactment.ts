import type { Client, Clock } from "../core/api/index.ts";
import { defaultCaps, type Plan, type Policy } from "../core/plan/index.ts";
import {
  enact,
  type Ending,
  type Proposal,
  type Run,
  type RunSettings,
  startRun,
} from "../core/run/index.ts";
import type { Enacted } from "./cycle-end.ts";
import { type DeletionLimits, type Ledger, limitProblems, withBegun, withDone } from "./deletions.ts";
import type { Repository } from "./git/index.ts";
import type { Allowance } from "./looking/index.ts";
import type { Memory } from "./memory.ts";
import type { OperatorRules } from "./policy/index.ts";
import type { LoadedCommit } from "./source.ts";

/** Sees what a reconciler does. */
export interface Watch {
  /** A plan is about to be carried out. */
  applying(plan: Plan): void;
}

/** What an enactment works with. */
export interface EnactmentSettings {
  repository: Pick<Repository, "newest">;
  clock: Clock;
  allowance: Allowance;
  operator?: OperatorRules;
  run: Omit<RunSettings, "live" | "clock">;
  onQuota: "wait" | "fail";
  parallelism: number;
  standstill?: AbortSignal;
  watch?: Watch;
}

/** How plans of a commit are carried out. */
export interface Enacting {
  /** Adds what the limits of deletions forbid now. */
  limited(proposal: Proposal): Proposal;
  enact(proposal: Proposal): Promise<Ending>;
}

/** Carries out the plans of one cycle, within what may be spent and deleted. */
export class Enactment {
  readonly enacted: Enacted[] = [];
  readonly #settings: EnactmentSettings;
  readonly #memory: Memory;
  /** The run that looks. */
  readonly #run: Run;
  /** Sends what changes something; undefined: the run that looks does. */
  readonly #client: Client | undefined;
  #requests = 0;

  constructor(settings: EnactmentSettings, memory: Memory, run: Run, client: Client | undefined) {
    this.#settings = settings;
    this.#memory = memory;
    this.#run = run;
    this.#client = client;
  }

  /** How many requests of the run that looks were sent to change something. */
  get requests(): number {
    return this.#requests;
  }

  /**
   * How plans are carried out.
   *
   * @param newest a plan is carried out only while this is the newest commit
   * @param inForce the commit that the plans are of
   */
  of(newest: LoadedCommit, inForce: LoadedCommit, policy: Policy): Enacting {
    const ledger = (): Ledger => ({
      tree: inForce.tree,
      limits: limitsOf(inForce, policy, this.#settings.operator),
      deletions: this.#memory.deletions,
      now: this.#settings.clock.now(),
    });
    return {
      limited: (proposal) => ({
        ...proposal,
        missingConsents: [...proposal.missingConsents, ...limitProblems(proposal.plan, ledger())],
      }),
      enact: (proposal) => this.#enact(proposal, newest, ledger),
    };
  }

  async #enact(proposal: Proposal, newest: LoadedCommit, ledger: () => Ledger): Promise<Ending> {
    const { repository, onQuota, parallelism, watch, standstill, allowance } = this.#settings;
    const { plan, cost } = proposal;
    const run = this.#applyingRun();
    const { budget } = run.client;
    if (isPossible(proposal) && !allowance.mayApply(cost.applying, budget)) {
      const { limit: window, remaining: left = 0 } = budget;
      const resetAt = new Date(allowance.applyingAgain);
      return {
        type: "unaffordable",
        requests: cost.applying,
        shortage: { by: "quota", left, resetAt, window },
      };
    }
    const before = run.client.spent.total;
    const ending = await enact(proposal, run, {
      onQuota,
      apply: { parallelism, ...(standstill && { standstill }) },
      consent: async () => {
        // Another reconciler, or a long plan: what has been overtaken is not applied.
        const isNewest = (await repository.newest()) === newest.commit;
        if (!isNewest) return false;
        const begun = withBegun(plan, ledger());
        if (begun.length > 0) await this.#memory.keepDeletions(begun);
        watch?.applying(plan);
        return true;
      },
    });
    const spent = run.client.spent.total - before;
    if (!this.#client) this.#requests += spent;
    allowance.applied(spent, run.client.budget);
    if (ending.type === "applied") {
      this.enacted.push({ plan, report: ending.report });
      const { outcomes } = ending.report;
      const done = new Set(outcomes.filter(({ status }) => status === "done").map(({ id }) => id));
      const { deletions } = this.#memory;
      if (deletions.length > 0) await this.#memory.keepDeletions(withDone(plan, done, ledger()));
    }
    return ending;
  }

  #applyingRun(): Run {
    const { run: settings, clock } = this.#settings;
    return this.#client ? startRun(this.#client, { ...settings, live: this.#run.live, clock }) : this.#run;
  }
}

/** The limits of deletions: those of the operator, which a commit can only lower. */
function limitsOf(
  { policy: { maxDeletes } }: LoadedCommit,
  { caps }: Policy,
  operator: OperatorRules = {},
): DeletionLimits {
  return {
    commit: Math.min(caps.count, maxDeletes?.commit ?? Infinity),
    day: Math.min(operator.deletesPerDay ?? defaultCaps.count, maxDeletes?.day ?? Infinity),
  };
}

/** Whether nothing but the quota can keep a proposal from being carried out. */
function isPossible({ refusal, missingConsents }: Proposal): boolean {
  return refusal === undefined && missingConsents.length === 0;
}
