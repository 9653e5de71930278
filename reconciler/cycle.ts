import { nameOf } from "../core/address.ts";
import type { Client, Clock } from "../core/api/index.ts";
import { LiveStore } from "../core/live/index.ts";
import { findOrganization, type Organization } from "../core/organization.ts";
import type { Plan, Policy } from "../core/plan/index.ts";
import type { Problem } from "../core/problem.ts";
import {
  enact,
  type Ending,
  propose,
  type Proposal,
  type Run,
  type RunSettings,
  startRun,
} from "../core/run/index.ts";
import { type Attribution, changesOf } from "./changes.ts";
import type { CycleEnd, Enacted } from "./cycle-end.ts";
import { sharesOf } from "./environments.ts";
import type { Finding } from "./finding.ts";
import type { Repository } from "./git/index.ts";
import { EventHints } from "./hints.ts";
import { Memory } from "./memory.ts";
import { liveRules, type OperatorRules, withoutPruning } from "./policy/index.ts";
import { Settler } from "./settle.ts";
import type { CommitSource, LoadedCommit } from "./source.ts";
import { type Standing, standingsOf } from "./standing.ts";
import { readSuspensions, rulesOfSuspensions } from "./suspensions.ts";

/** What a reconciler works with. */
export interface ReconcilerSettings {
  client: Client;
  clock: Clock;
  repository: Repository;
  source: CommitSource;
  /** The file that keeps the last applied commit. */
  stateFile: string;
  /** The organization that is set: a name or an id. */
  organization: string | undefined;
  /** The policy for a commit, which its settings may tighten, and the problems of these settings. */
  policyFor(commit: LoadedCommit): { policy: Policy; problems: Problem[] };
  /** What the operator has set of the policy; default: nothing. */
  operator?: OperatorRules;
  /** The folder with the suspensions of the operator, which are read in each cycle; default: there are none. */
  suspensions?: string;
  run: Omit<RunSettings, "live" | "clock">;
  onQuota: "wait" | "fail";
  parallelism: number;
  /** Aborted when nothing that the service waits for can come any more: a cycle ends with what is known by then. */
  standstill?: AbortSignal;
  /** Sees what the reconciler does while it does it. */
  watch?: Watch;
}

/** Sees what a reconciler does. */
export interface Watch {
  /** A plan is about to be carried out. */
  applying(plan: Plan): void;
}

/** Compares the newest commit with live state, again and again. Live state and commits are kept between cycles. */
export class Reconciler {
  readonly #settings: ReconcilerSettings;
  readonly #live: LiveStore;
  readonly #hints: EventHints;
  #organization: Organization | undefined;
  readonly #memory: Memory;
  readonly #settler: Settler;
  /** The last commit without mistakes. */
  #inForce: { commit: LoadedCommit; policy: Policy } | undefined;
  /** What this cycle has carried out. */
  readonly #enacted: Enacted[] = [];

  constructor(settings: ReconcilerSettings) {
    this.#settings = settings;
    this.#live = new LiveStore(settings.clock);
    this.#hints = new EventHints(settings.clock);
    this.#memory = new Memory(settings.stateFile);
    this.#settler = new Settler(this.#memory, settings.repository, settings.clock, this.#authorOf);
  }

  /**
   * One cycle: reads the newest commit and what has changed on the server, plans, and carries out a new commit.
   *
   * @throws GitError, ApiError and the like: nothing may be concluded, and nothing was sent but what the message says
   */
  async cycle(): Promise<CycleEnd> {
    const { client, clock, run: settings, source } = this.#settings;
    const run = startRun(client, { ...settings, live: this.#live, clock });
    this.#enacted.length = 0;
    const commit = await source.newest();
    const { policy, problems } = this.#settings.policyFor(commit);
    const mistakes = [...commit.problems, ...problems];
    await this.#memory.read();
    const end = (finding: Finding, environments?: Standing[]): CycleEnd => ({
      ...finding,
      commit: commit.commit,
      spent: run.client.spent.total,
      enacted: [...this.#enacted],
      ...(environments && { environments }),
    });
    if (mistakes.length === 0) this.#inForce = { commit, policy };
    if (!this.#inForce) return end({ type: "invalid", problems: mistakes, changes: [] });
    const inForce = this.#inForce;

    this.#organization ??= await findOrganization(run.client, this.#settings.organization);
    await this.#hints.follow(run.client, this.#organization.id, this.#live);
    const { suspensions: folder, operator = {} } = this.#settings;
    const suspensions = folder === undefined ? [] : rulesOfSuspensions(await readSuspensions(folder));
    const rulesOf = await liveRules({
      run,
      organization: this.#organization,
      resources: inForce.commit.resources,
      policy: inForce.policy,
      commitPolicy: inForce.commit.policy,
      operator: { ...operator, suspensions },
      now: clock.now(),
    });
    const resources = withoutPruning(inForce.commit.resources, rulesOf);
    const proposal = await propose(run, this.#organization, "reconcile", resources, inForce.policy);
    const isApplied = this.#memory.isApplied(inForce.commit);
    const planned = changesOf(proposal.plan, isApplied ? "drift" : "commit", this.#authorOf);
    const finding = await this.#settler.settle(
      { newest: commit, inForce: inForce.commit, mistakes, proposal },
      {
        run,
        organization: this.#organization,
        resources,
        policy: inForce.policy,
        rulesOf,
        // What is overtaken is not applied, even if what has overtaken it has mistakes.
        enact: (each) => this.#ending(commit, run, each),
      },
    );
    const environments = standingsOf({
      shares: sharesOf(resources),
      finding,
      planned,
      isApplied,
      done: this.#memory.doneOf(inForce.commit),
      appliedIn: (key) => this.#memory.appliedIn(key),
      rulesOf,
    });
    return end(finding, environments);
  }

  readonly #authorOf: Attribution = (action) =>
    this.#hints.authorOf({
      ...("resourceId" in action && action.resourceId !== undefined && { id: action.resourceId }),
      name: nameOf(action.address),
      ...("id" in action.parent && { environmentId: action.parent.id }),
    });

  async #ending(commit: LoadedCommit, run: Run, proposal: Proposal): Promise<Ending> {
    const { repository, onQuota, parallelism, watch, standstill } = this.#settings;
    const ending = await enact(proposal, run, {
      onQuota,
      apply: { parallelism, ...(standstill && { standstill }) },
      consent: async () => {
        // Another reconciler, or a long plan: what has been overtaken is not applied.
        const isNewest = (await repository.newest()) === commit.commit;
        if (isNewest) watch?.applying(proposal.plan);
        return isNewest;
      },
    });
    if (ending.type === "applied") this.#enacted.push({ plan: proposal.plan, report: ending.report });
    return ending;
  }
}
