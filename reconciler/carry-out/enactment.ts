import type { Client, Clock } from "../../core/api/index.ts";
import type { Report } from "../../core/execute/index.ts";
import type { Plan, Policy } from "../../core/plan/index.ts";
import {
  approve,
  type Ending,
  execute,
  type ExecutionOptions,
  type Proposal,
  type Run,
  type RunSettings,
  startRun,
} from "../../core/session/index.ts";
import type { Enacted } from "../decide/cycle-end.ts";
import { DeletionBook, deletionLimits } from "../memory/deletion-book.ts";
import type { Repository } from "../../git/index.ts";
import type { LeftWork } from "./left-work.ts";
import type { Allowance } from "../watch/index.ts";
import type { Memory } from "../memory/memory.ts";
import type { OperatorRules } from "../policy/index.ts";
import type { LoadedCommit } from "../view/commits.ts";

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
  /** For how long a cycle waits for the server where nothing else is left to do, in milliseconds; absent: to the end. */
  patience?: number;
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
  readonly #left: LeftWork;
  #requests = 0;

  constructor(
    settings: EnactmentSettings,
    memory: Memory,
    run: Run,
    client: Client | undefined,
    left: LeftWork,
  ) {
    this.#settings = settings;
    this.#left = left;
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
    const limits = deletionLimits(inForce, policy, this.#settings.operator);
    const book = new DeletionBook(this.#memory, this.#settings.clock, inForce, limits);
    return {
      limited: (proposal) => book.limited(proposal),
      enact: (proposal) => this.#enact(proposal, newest, book),
    };
  }

  async #enact(proposal: Proposal, newest: LoadedCommit, book: DeletionBook): Promise<Ending> {
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
    const approval = await approve(proposal, run, {
      onQuota,
      consent: async () => {
        // Another reconciler, or a long plan: what has been overtaken is not applied.
        const isNewest = (await repository.newest()) === newest.commit;
        if (!isNewest) return false;
        await book.begin(plan);
        watch?.applying(plan);
        return true;
      },
    });
    const { patience } = this.#settings;
    let rest: Promise<Report> | undefined;
    const options: ExecutionOptions = {
      parallelism,
      ...(standstill && { standstill }),
      ...(patience !== undefined && { leave: { patience, rest: (report) => void (rest = report) } }),
    };
    const ending: Ending =
      approval.type === "approved"
        ? { type: "applied", report: await execute(approval.approved, run, options) }
        : approval;
    const spent = run.client.spent.total - before;
    if (!this.#client) this.#requests += spent;
    allowance.applied(spent, run.client.budget);
    if (ending.type === "applied") {
      this.enacted.push({ plan, report: ending.report });
      if (rest) this.#goOn(rest, ending.report, plan, run, book);
      else await book.end(plan, ending.report);
    }
    return ending;
  }

  /** Notes that a run goes on which only waits, and what it has spent and deleted once it has ended. */
  #goOn(rest: Promise<Report>, { goesOn = [] }: Report, plan: Plan, run: Run, book: DeletionBook): void {
    const { allowance } = this.#settings;
    const before = run.client.spent.total;
    const ends = async (): Promise<void> => {
      const report = await rest;
      allowance.applied(run.client.spent.total - before, run.client.budget);
      // The next cycle tells why the memory cannot be written.
      await book.end(plan, report).catch(() => undefined);
    };
    this.#left.leave(goesOn, ends());
  }

  #applyingRun(): Run {
    const { run: settings, clock } = this.#settings;
    return this.#client ? startRun(this.#client, { ...settings, live: this.#run.live, clock }) : this.#run;
  }
}

/** Whether nothing but the quota can keep a proposal from being carried out. */
function isPossible({ refusal, missingConsents }: Proposal): boolean {
  return refusal === undefined && missingConsents.length === 0;
}
