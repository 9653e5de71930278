import { type Address, nameOf } from "../../core/address.ts";
import type { Client, Clock } from "../../core/api/index.ts";
import { type Known, LiveStore } from "../../core/live/index.ts";
import { findOrganization, type Organization } from "../../core/organization.ts";
import type { Policy } from "../../core/plan/index.ts";
import type { Problem } from "../../core/problem.ts";
import { propose, type Run, type RunSettings, startRun } from "../../core/session/index.ts";
import { type Attribution, changesOf } from "../decide/changes.ts";
import type { CycleEnd } from "../decide/cycle-end.ts";
import { Enactment, type Watch } from "../carry-out/enactment.ts";
import { sharesOf } from "../policy/shares.ts";
import type { Finding } from "../decide/finding.ts";
import type { Repository } from "../../git/index.ts";
import { type Allowance, Looking } from "../watch/index.ts";
import { LeftWork } from "../carry-out/left-work.ts";
import { Memory } from "../memory/memory.ts";
import { liveRules, type OperatorRules, type Rules, withoutPruning } from "../policy/index.ts";
import type { PreviewKeeper } from "../previews/index.ts";
import { Settler } from "../decide/settle.ts";
import type { CommitSource, LoadedCommit } from "../view/commits.ts";
import { type Standing, standingsOf } from "../decide/standing.ts";
import { readSuspensions, rulesOfSuspensions } from "../policy/suspensions.ts";

/** Who sends the requests of a cycle. */
export interface ServiceClients {
  looking: Client;
  /** Changes what is there; default: the one that looks. */
  applying?: Client;
}

/** What a reconciler works with. */
export interface ReconcilerSettings {
  /** The clients of a cycle, whose tokens may change between cycles. */
  clients(): Promise<ServiceClients>;
  clock: Clock;
  repository: Repository;
  source: CommitSource;
  /** The file that keeps the last applied commit. */
  stateFile: string;
  /** The organization that is set: a name or an id. */
  organization: string | undefined;
  /** The policy for a commit, which its settings may tighten, and the problems of these settings. */
  policyFor(commit: LoadedCommit): Promise<{ policy: Policy; problems: Problem[] }>;
  /** What the operator has set of the policy; default: nothing. */
  operator?: OperatorRules;
  /** The folder with the suspensions of the operator, which are read in each cycle; default: there are none. */
  suspensions?: string;
  run: Omit<RunSettings, "live" | "clock">;
  onQuota: "wait" | "fail";
  parallelism: number;
  /** What may be spent on looking and on applying. */
  allowance: Allowance;
  /** Aborted when nothing that the service waits for can come any more: a cycle ends with what is known by then. */
  standstill?: AbortSignal;
  /** For how long a cycle waits for the server where nothing else is left to do, in milliseconds; absent: to the end. */
  patience?: number;
  /** Sees what the reconciler does while it does it. */
  watch?: Watch;
  /** Looks after previews of pull requests, where the commit in force has a policy for them; default: nobody does. */
  previews?: Pick<PreviewKeeper, "keep" | "end">;
}

/** Compares the newest commit with live state, again and again. Live state and commits are kept between cycles. */
export class Reconciler {
  readonly #settings: ReconcilerSettings;
  readonly #live: LiveStore;
  readonly #looking: Looking;
  #organization: Organization | undefined;
  readonly #memory: Memory;
  readonly #left = new LeftWork();
  /** The look after previews that goes on. */
  #keeping: Promise<Settled> | undefined;
  readonly #settler: Settler;
  /** The last commit without mistakes. */
  #inForce: { commit: LoadedCommit; policy: Policy } | undefined;
  /** The newest commit that a cycle has seen. */
  #newest: string | undefined;

  constructor(settings: ReconcilerSettings) {
    this.#settings = settings;
    this.#live = new LiveStore(settings.clock);
    this.#looking = new Looking(settings);
    this.#memory = new Memory(settings.stateFile);
    this.#settler = new Settler(this.#memory, settings.repository, settings.clock, this.#authorOf);
  }

  /**
   * One cycle: reads the newest commit and what has changed on the server, plans, and carries out a new commit.
   *
   * @throws GitError, ApiError and the like: nothing may be concluded, and nothing was sent but what the message says
   */
  async cycle(): Promise<CycleEnd> {
    const { clock, run: settings } = this.#settings;
    const { looking: client, applying } = await this.#settings.clients();
    const run = startRun(client, { ...settings, live: this.#live, clock });
    const enactment = new Enactment(this.#settings, this.#memory, run, applying, this.#left);
    try {
      const end = await this.#compare(run, enactment);
      await this.#lookAfterPreviews(applying ?? client);
      return end;
    } finally {
      const requests = run.client.spent.total - enactment.requests;
      this.#settings.allowance.looked(requests, countLists(this.#live.known()), client.budget);
    }
  }

  /** Looks after previews; where that takes longer, the next cycles go on meanwhile, and one of them tells of a failure. */
  async #lookAfterPreviews(client: Client): Promise<void> {
    const { clock, patience } = this.#settings;
    const keeping = (this.#keeping ??= settled(this.#keepPreviews(client)));
    const enough = new AbortController();
    const waited = patience === undefined ? [] : [clock.sleep(patience, enough.signal)];
    const kept = await Promise.race([keeping, ...waited]);
    enough.abort();
    if (!kept) return;
    this.#keeping = undefined;
    if ("error" in kept) throw kept.error;
  }

  /** Looks after previews as the commit in force wants them. Their requests count as changes. */
  async #keepPreviews(client: Client): Promise<void> {
    const { previews, run: settings, clock, allowance, onQuota, parallelism } = this.#settings;
    const policy = this.#inForce?.commit.policy.previews;
    if (!policy && this.#inForce) previews?.end();
    if (!previews || !policy || !this.#inForce || !this.#organization || settings.signal?.aborted) return;
    const run = startRun(client, { ...settings, live: this.#live, clock });
    try {
      await previews.keep({
        run,
        organization: this.#organization,
        policy,
        protect: this.#inForce.policy.protect,
        parallelism,
        onQuota,
        mayApply: (requests) => allowance.mayApply(run.client.spent.total + requests, client.budget),
      });
    } finally {
      allowance.applied(run.client.spent.total, client.budget);
    }
  }

  /** Resolves when no run waits for the server any more that an earlier cycle has left. */
  async over(): Promise<void> {
    await Promise.all([this.#left.over(), this.#keeping]);
  }

  /** Whether the branch has another commit than the last cycle has seen: one look at the remote. @throws GitError */
  async hasNews(): Promise<boolean> {
    return (await this.#settings.repository.newest()) !== this.#newest;
  }

  async #compare(run: Run, enactment: Enactment): Promise<CycleEnd> {
    const { clock, source } = this.#settings;
    const commit = await source.newest();
    this.#newest = commit.commit;
    const { policy, problems } = await this.#settings.policyFor(commit);
    const mistakes = [...commit.problems, ...problems];
    await this.#memory.read();
    const end = (finding: Finding, environments?: Standing[]): CycleEnd => ({
      ...finding,
      commit: commit.commit,
      spent: run.client.spent.total,
      enacted: [...enactment.enacted],
      ...(environments && { environments }),
    });
    this.#inForce =
      mistakes.length === 0 ? { commit, policy } : (this.#inForce ?? (await this.#remembered()));
    if (!this.#inForce) return end({ type: "invalid", problems: mistakes, changes: [] });
    const inForce = this.#inForce;
    const policyInForce = { ...inForce.policy, remembered: (address: Address) => this.#memory.idOf(address) };

    this.#organization ??= await findOrganization(run.client, this.#settings.organization);
    await this.#looking.follow(run.client, this.#organization.id, this.#live);
    const { suspensions: folder, operator = {} } = this.#settings;
    const suspensions = folder === undefined ? [] : rulesOfSuspensions(await readSuspensions(folder));
    const stated = await liveRules({
      run,
      organization: this.#organization,
      resources: inForce.commit.resources,
      policy: policyInForce,
      commitPolicy: inForce.commit.policy,
      operator: { ...operator, suspensions },
      now: clock.now(),
    });
    const rulesOf = (names: readonly string[]): Rules =>
      this.#left.isIn(names) ? { ...stated(names), atWork: true } : stated(names);
    const resources = withoutPruning(inForce.commit.resources, rulesOf);
    // What is overtaken is not applied, even if what has overtaken it has mistakes.
    const division = enactment.of(commit, inForce.commit, inForce.policy);
    const proposal = division.limited(
      await propose(run, this.#organization, "reconcile", resources, policyInForce),
    );
    await this.#memory.identified(resources, proposal.plan);
    const isApplied = this.#memory.isApplied(inForce.commit);
    const planned = changesOf(proposal.plan, isApplied ? "drift" : "commit", this.#authorOf);
    const finding = await this.#settler.settle(
      { newest: commit, inForce: inForce.commit, mistakes, proposal },
      {
        run,
        organization: this.#organization,
        resources,
        policy: policyInForce,
        rulesOf,
        ...division,
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

  /** The commit that an earlier process has applied: the last one without mistakes, as far as this one knows. */
  async #remembered(): Promise<{ commit: LoadedCommit; policy: Policy } | undefined> {
    const { source, policyFor } = this.#settings;
    const applied = this.#memory.wholeCommit;
    const commit = applied && (await source.earlier(applied));
    if (!commit) return undefined;
    const { policy, problems } = await policyFor(commit);
    return commit.problems.length + problems.length === 0 ? { commit, policy } : undefined;
  }

  readonly #authorOf: Attribution = (action) =>
    this.#looking.authorOf({
      ...(action.resourceId !== undefined && { id: action.resourceId }),
      name: nameOf(action.address),
      ...("id" in action.parent && { environmentId: action.parent.id }),
    });
}

function countLists({ contents, lists, parts, defaults }: Known): number {
  return [contents, lists, parts, defaults].reduce((sum, { size }) => sum + size, 0);
}

type Settled = { error: unknown } | { error?: never };

async function settled(work: Promise<void>): Promise<Settled> {
  try {
    await work;
    return {};
  } catch (error) {
    return { error };
  }
}
