import { type AnyAddress } from "../../core/model/addresses/address.ts";
import { comesWithin, type Client } from "../../core/api/index.ts";
import { startRun } from "../../core/execution/session/index.ts";
import { InvalidInputError } from "../../core/problems/problem.ts";
import type { Repository } from "../../adapters/git/index.ts";
import { Carrier, type CarryingOut, LeftWork } from "../carry-out/index.ts";
import {
  type CycleEffects,
  type FinalDecision,
  conclude,
  decide,
  everything,
  onFailure,
  retriedIn,
  type EnvironmentView,
  type EnvironmentState,
  type View,
} from "../decide/index.ts";
import { isSame } from "../identity.ts";
import { type CycleResult, idleIn } from "../journal/index.ts";
import type { Memory } from "../memory/index.ts";
import type { RequestTargets } from "../requests/index.ts";
import { takeOver } from "./take-over.ts";
import {
  type CommitPolicy,
  rulesNow,
  environmentOf,
  environmentsOf,
  suspendedAt,
  suspendedNow,
  suspensionText,
} from "../policy/index.ts";
import type { PreviewKeeper } from "../previews/index.ts";
import {
  type Commits,
  CommitsInForce,
  documentDigests,
  type InForce,
  type Snapshot,
  Viewer,
  type ViewSettings,
} from "../view/index.ts";
import type { SharedRefreshes } from "../watch/index.ts";
import { appliedNow, openedByCommit } from "./applied-changes.ts";
import { targetOf } from "./request-target.ts";
import { ApprovalEffects, settle } from "./settle.ts";

/** Who sends the requests of a cycle. */
export interface ServiceClients {
  checking: Client;
  /** The run that makes changes; default: the one that reads. */
  applying?: Client;
  /** The state that it shares with sources of the same token; default: nothing. */
  refreshes?: SharedRefreshes;
}

export interface ReconcilerSettings extends ViewSettings, CarryingOut {
  /** The clients of a cycle, whose tokens may change between cycles. */
  clients(): Promise<ServiceClients>;
  repository: Repository;
  memory: Memory;
  /** Looks after previews of pull requests, where the commit in force has a policy for them; default: nobody does. */
  previews?: Pick<PreviewKeeper, "keep" | "end"> | undefined;
}

/** Compares the newest commit with live state, again and again: view, decide, carry out, record. */
export class Reconciler {
  readonly #settings: ReconcilerSettings;
  readonly #memory: Memory;
  readonly #left = new LeftWork();
  readonly #effects = new ApprovalEffects();
  readonly #commits: CommitsInForce;
  readonly #viewer: Viewer;
  #inForce: InForce | undefined;
  #states: readonly EnvironmentState[] = [];
  /** The environments of the last look, with their rules. */
  #views: readonly EnvironmentView[] = [];
  #underWay: Promise<unknown> | undefined;
  /** The refresh of previews under way. */
  #keeping: Promise<{ error?: unknown }> | undefined;

  constructor(settings: ReconcilerSettings) {
    this.#settings = settings;
    this.#memory = settings.memory;
    this.#commits = new CommitsInForce(settings, this.#memory);
    this.#viewer = new Viewer(settings, this.#memory, (names) => this.#left.isIn(names));
  }

  /** One cycle: reads, plans, and carries out a new commit. @throws GitError, ApiError: nothing is concluded */
  async cycle(): Promise<CycleResult> {
    const { rateBudget } = this.#settings;
    const { checking: client, applying = client, refreshes } = await this.#settings.clients();
    rateBudget.share(refreshes);
    const carrier = new Carrier(this.#settings, this.#memory, this.#left, this.#viewer.live, applying);
    try {
      const end = await this.#compare(client, carrier, refreshes);
      await this.#refreshAfterPreviews(applying);
      return end;
    } finally {
      this.#settings.others?.looked();
      this.#viewer.runs.count(client);
      await rateBudget.keep();
    }
  }

  async #compare(
    client: Client,
    carrier: Carrier,
    refreshes: SharedRefreshes | undefined,
  ): Promise<CycleResult> {
    let commits = await this.#commits.read();
    if (await this.#takeOver(client, commits)) commits = await this.#commits.read();
    const { newest, mistakes, inForce, unread } = commits;
    this.#inForce = inForce;
    let spent = 0;
    const result = (more: Partial<CycleResult> = {}): CycleResult => ({
      ...more,
      commit: newest.commit,
      mistakes,
      repositoryFailure: unread,
      spent: spent + this.#viewer.runs.spent + carrier.spent,
      enacted: carrier.enacted,
    });
    if (!inForce) return result();
    let seen = await this.#viewer.see(client, refreshes, commits, inForce, carrier.affordable);
    if (seen.isBorrowed && hasWork(seen)) {
      this.#viewer.runs.count(client);
      spent = this.#viewer.runs.spent;
      seen = await this.#viewer.see(client, refreshes, commits, inForce, carrier.affordable, true);
    }
    // Never apply a commit that is not the newest, even if the newest one is invalid.
    const last = unread ? undefined : newest.commit;
    let approvals: ReadonlyMap<string, Partial<EnvironmentState>> = new Map();
    const carryOut = async (decision: FinalDecision, view: View) => {
      approvals = await this.#effects.of(view, decision, seen.plan);
      if (decision.type !== "apply") return undefined;
      const { proposal, verdicts } = decision;
      if (await this.#viewer.isContested()) return { type: "declined" } as const;
      const environments = verdicts.flatMap(({ does, isCommit: isOfCommit, environment }) =>
        does === "apply" && isOfCommit ? [environment] : [],
      );
      // A deployment that this cycle does not come to follows from the commit in the next one too.
      const isCommit = proposal.plan.actions.some(({ cause }) => cause === "commit");
      const open = isCommit ? openedByCommit(seen.view, this.#memory.documents) : {};
      const retried = retriedIn(proposal.plan, seen.view);
      await this.#memory.starts(environments, retried, open, this.#settings.clock.now());
      const { commit, tree, resources } = inForce.commit;
      const carrying = carrier.carryOut(
        decision,
        { commit, tree, resources, documents: documentDigests(resources) },
        last,
        () =>
          verdicts.every(
            ({ does, environment }) =>
              does !== "apply" ||
              environment.requested === this.#settings.requests.requestedIn(environment.key),
          ),
      );
      this.#underWay = carrying.catch(() => undefined).finally(() => (this.#underWay = undefined));
      return carrying;
    };
    this.#views = seen.view.environments;
    const { decision, view, ending } = await settle(seen.view, seen.plan, carryOut);
    const conclusion = conclude(view, decision, ending, this.#viewer.authorOf, approvals);
    await this.#record(conclusion, commits, inForce, view);
    const { stopped, environmentStates } = conclusion;
    if (environmentStates) this.#states = environmentStates;
    const isDeploying = ({ health }: EnvironmentState) =>
      health.some((service) => service.health === "deploying");
    // Whoever mends the requests waits for an answer.
    const isUnknown = this.#settings.requests.isUnknown;
    if (isUnknown || environmentStates?.some(isDeploying)) this.#settings.rateBudget.attend();
    const { actions = [] } = view.plans.get(everything.key)?.plan ?? {};
    return result({
      stopped,
      services: await this.#viewer.services(client, inForce),
      whole: {
        actions,
        environments: view.environments,
        documents: documentDigests(inForce.commit.resources),
      },
      ...(environmentStates && { environments: environmentStates, ...idleIn(view) }),
      ended: await this.#endRequests(conclusion, commits),
    });
  }

  /** Takes over what people have asked other sources for, or pauses where that is unknown. Gives whether an environment is rolled back by that. */
  async #takeOver(client: Client, { inForce }: Commits): Promise<boolean> {
    const { requests, others, clock } = this.#settings;
    if (!others || !inForce || requests.unknown) return false;
    const first = environmentsOf(inForce.commit.resources).filter(({ key }) => !requests.knows(key));
    requests.pauseUnknown([], undefined);
    if (first.length === 0) return false;
    const { id } = await this.#viewer.findOrganization(client);
    try {
      return await takeOver(first, id, requests, await others.memories(), clock.now());
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      const patterns = first.map(({ name, names }) => (names.length === 0 ? "**" : name));
      requests.pauseUnknown(patterns, error);
      return false;
    }
  }

  async #record(
    { done, isApplied, undone, healthy }: CycleEffects,
    { mistakes, rollbacks: { rolledBack } }: Commits,
    { commit }: InForce,
    view: View,
  ): Promise<void> {
    const now = this.#settings.clock.now();
    const digests = documentDigests(commit.resources);
    if (undone.length > 0) await this.#memory.revert(digests, undone, now);
    if (healthy) await this.#memory.healthyNow(commit, healthy, now);
    const { documents, inventory } = appliedNow(view, this.#memory.documents, digests, done);
    await this.#memory.compared(documents, inventory);
    const isKnown = rolledBack.size > 0 && this.#memory.isApplied(commit);
    const its = new Set([...done].filter((key) => !rolledBack.has(key)));
    if (mistakes.length > 0 || its.size === 0 || isKnown) return;
    const environments = isApplied && rolledBack.size === 0 ? "all" : its;
    await this.#memory.applied(commit, environments, now);
  }

  async #endRequests(
    { settled, rollbacks: desired }: CycleEffects,
    { rollbacks }: Commits,
  ): Promise<NonNullable<CycleResult["ended"]>> {
    const { requests, clock } = this.#settings;
    const type = "ended" as const;
    const ended: NonNullable<CycleResult["ended"]>[number][] = [];
    for (const { environment, requested, isCarriedOut, reasons } of settled) {
      await requests.end(environment.key, requested);
      // That a failed deployment is rolled back was reported when that was decided.
      if (isSame(requested.by, onFailure)) continue;
      const { type: request, by } = requested;
      ended.push({ type, environment: environment.name, request, by, isCarriedOut, reasons });
    }
    const none = { type, isCarriedOut: false };
    for (const { key, rollback, problems } of rollbacks.over) {
      await requests.endRollback(key);
      const reasons = problems.map(({ message }) => message);
      ended.push({ ...none, environment: key, request: "rollback", by: rollback.by, reasons });
    }
    for (const { environment, to, reasons } of desired) {
      await this.#memory.gaveUp(environment);
      const [{ commit, tree }, by] = [to, onFailure];
      const change = { to: [environment], requested: { type: "sync" }, rollback: { commit, tree } } as const;
      await requests.change(change, by, clock.now());
      const did = { request: "on_failure", isCarriedOut: true } as const;
      ended.push({ type, environment: environment.name, ...did, by, commit, reasons });
    }
    for (const { key, by, reason } of await requests.takeEnded()) {
      const environment = this.#views.find((view) => view.key === key)?.name ?? key;
      ended.push({ ...none, environment, request: "approve", by, reasons: [reason] });
    }
    return ended;
  }

  /** Looks after previews; where that takes longer, the next cycles go on meanwhile, and one of them tells of a failure. */
  async #refreshAfterPreviews(client: Client): Promise<void> {
    const { clock, longestWait } = this.#settings;
    const keeping = (this.#keeping ??= this.#keepPreviews(client).then(
      () => ({}),
      (error: unknown) => ({ error }),
    ));
    if (longestWait !== undefined && !(await comesWithin(clock, longestWait, keeping))) return;
    this.#keeping = undefined;
    const kept = await keeping;
    if ("error" in kept) throw kept.error;
  }

  /** Looks after previews as the commit in force wants them. Their requests count as changes. */
  async #keepPreviews(client: Client): Promise<void> {
    const { previews, run: settings, rateBudget, onQuota, parallelism } = this.#settings;
    const { machine: clock = this.#settings.clock } = this.#settings;
    const { organization, live } = this.#viewer;
    const policy = this.#inForce?.commit.policy.previews;
    if (!previews || !this.#inForce || !organization || settings.signal?.aborted) return;
    const run = startRun(client, { ...settings, live, clock });
    const { commit, policy: ofRuns } = this.#inForce;
    const { protect, policies, caps, before } = ofRuns;
    const protectedElsewhere = commit.resources.filter(({ manage }) => manage.protect);
    const suspended = (address: AnyAddress) => this.#heldNow(address, commit.policy);
    try {
      const context = {
        run,
        organization,
        rules: { protect, policies, caps, protectedElsewhere, suspended, ...(before && { before }) },
        parallelism,
        onQuota,
        affordable: () => rateBudget.affordable(client.budget) - run.client.spent.total,
      };
      await (policy ? previews.keep({ ...context, policy }) : previews.end(context));
    } finally {
      rateBudget.applied(run.client.spent.total, client.budget);
    }
  }

  /** Why nothing is changed now in an environment that no document describes, such as a preview: a pause, or a suspension. */
  #heldNow(address: AnyAddress, policy: CommitPolicy): string | undefined {
    const { requests, clock } = this.#settings;
    const now = clock.now();
    const { suspensions } = suspendedNow(undefined, environmentOf(address).names, requests.pauses, now);
    return suspensions?.[0] ? suspensionText(suspensions[0]) : suspendedAt(address, policy, now);
  }

  get known(): RequestTargets {
    const { requests, clock, memory } = this.#settings;
    const deploys = this.#inForce?.policy.deploy === true;
    const states = new Map(this.#states.map((each) => [each.environment, each]));
    const views = new Map(this.#views.map((view) => [view.key, view]));
    return {
      environments: this.#viewer.environments,
      of({ key, names, name }) {
        const { rules } = views.get(key) ?? {};
        const now = rules && rulesNow(rules, { names }, requests.pauses, clock.now());
        return {
          ...targetOf(states.get(name), deploys, now),
          commits: memory.appliedCommitsIn(key),
          requested: requests.requestedIn(key),
          rollback: requests.rollbackIn(key),
        };
      },
      underWay: this.#underWay ?? this.#keeping,
    };
  }

  /** Resolves when no run waits for the server any more that an earlier cycle has left. */
  async over(): Promise<void> {
    await Promise.all([this.#left.over(), this.#keeping]);
  }

  /** Whether the branch has another commit than the last cycle has seen: one look at the remote. @throws GitError */
  async hasNews(): Promise<boolean> {
    return (await this.#settings.repository.newest()) !== this.#commits.newest;
  }
}

/** Whether anything is to be done, or somebody has requested something. */
function hasWork({ view }: Snapshot): boolean {
  return view.environments.some(({ requested }) => requested !== undefined) || decide(view).type !== "rest";
}
