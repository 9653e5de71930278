import type { Client, Clock } from "../core/api/index.ts";
import { isComplete, type Outcome, type Report } from "../core/apply/index.ts";
import { LiveStore } from "../core/live/index.ts";
import { findOrganization, type Organization } from "../core/organization.ts";
import { hasChanges, type Policy } from "../core/plan/index.ts";
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
import { type Change, changesOf, deletes } from "./changes.ts";
import type { Repository } from "./git/index.ts";
import { EventHints } from "./hints.ts";
import { enactShares, type Shared, type Sharing } from "./shares.ts";
import type { CommitSource, LoadedCommit } from "./source.ts";
import { readState, type ReconcilerState, writeState } from "./state.ts";

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
  run: Omit<RunSettings, "live" | "clock">;
  onQuota: "wait" | "fail";
  parallelism: number;
}

/** What a cycle has found and done. */
export type CycleEnd = {
  /** The newest commit. */
  commit: string;
  /** The requests of the cycle. */
  spent: number;
} & (
  | { type: "in_step"; resources: number }
  /** Live state differs from the commit that is applied. */
  | { type: "drift"; changes: Change[] }
  | { type: "applied"; report: Report }
  /** Not all changes could be made. */
  | { type: "incomplete"; report: Report }
  /** The manifests have mistakes. The last commit without mistakes stays in force; `changes`: what differs from it. */
  | { type: "invalid"; problems: readonly Problem[]; changes: Change[] }
  /** Something blocks a part of the commit: a mistake that live state shows, or a missing consent. The rest is applied. */
  | {
      type: "blocked";
      problems: readonly Problem[];
      outcomes: readonly Outcome[];
      /** What differs from the commit in environments that it was applied to before. */
      changes: Change[];
      /** Why not everything else was tried. */
      stopped?: Shared["stopped"];
    }
  /** A commit that drops the applied one, and whose plan deletes. */
  | { type: "held"; applied: string; changes: Change[] }
  | { type: "unaffordable"; requests: number }
  /** The branch moved on before the first write: the next cycle plans again. */
  | { type: "overtaken" }
  | { type: "interrupted" }
);

/** Compares the newest commit with live state, again and again. Live state and commits are kept between cycles. */
export class Reconciler {
  readonly #settings: ReconcilerSettings;
  readonly #live: LiveStore;
  readonly #hints: EventHints;
  #organization: Organization | undefined;
  /** Undefined: not read yet. */
  #state: ReconcilerState | undefined;
  /** The last commit without mistakes. */
  #inForce: LoadedCommit | undefined;

  constructor(settings: ReconcilerSettings) {
    this.#settings = settings;
    this.#live = new LiveStore(settings.clock);
    this.#hints = new EventHints(settings.clock);
  }

  /**
   * One cycle: reads the newest commit and what has changed on the server, plans, and carries out a new commit.
   *
   * @throws GitError, ApiError and the like: nothing may be concluded, and nothing was sent but what the message says
   */
  async cycle(): Promise<CycleEnd> {
    const { client, clock, run: settings, source } = this.#settings;
    const run = startRun(client, { ...settings, live: this.#live, clock });
    const commit = await source.newest();
    const { policy, problems } = this.#settings.policyFor(commit);
    const mistakes = [...commit.problems, ...problems];
    this.#state ??= await readState(this.#settings.stateFile);
    const end = (what: Unended<CycleEnd>): CycleEnd =>
      ({ commit: commit.commit, spent: run.client.spent.total, ...what }) as CycleEnd;
    if (mistakes.length === 0) this.#inForce = commit;
    else if (!this.#inForce) return end({ type: "invalid", problems: mistakes, changes: [] });
    const inForce = this.#inForce;
    const inForcePolicy = inForce === commit ? policy : this.#settings.policyFor(inForce).policy;

    this.#organization ??= await findOrganization(run.client, this.#settings.organization);
    await this.#hints.follow(run.client, this.#organization.id, this.#live);
    const { resources } = inForce;
    const proposal = await propose(run, this.#organization, "reconcile", resources, inForcePolicy);
    const { plan } = proposal;
    if (mistakes.length > 0) return end({ type: "invalid", problems: mistakes, changes: changesOf(plan) });
    const isApplied = this.#state.applied?.tree === commit.tree;
    if (!proposal.refusal && (isApplied || !hasChanges(plan))) {
      await this.#remember(commit);
      if (hasChanges(plan)) return end({ type: "drift", changes: changesOf(plan) });
      return end({ type: "in_step", resources: plan.actions.length });
    }
    const dropped = await this.#dropped(commit);
    if (dropped !== undefined && proposal.refusal)
      return end({ type: "blocked", problems: proposal.refusal.problems, outcomes: [], changes: [] });
    if (dropped !== undefined && deletes(plan))
      return end({ type: "held", applied: dropped, changes: changesOf(plan) });
    const ending = await this.#ending(commit, run, proposal);
    if (ending.type !== "refused") return end(await this.#enact(commit, ending));
    const sharing = { run, organization: this.#organization, resources, policy: inForcePolicy };
    return end(await this.#share(commit, ending.problems, sharing));
  }

  /** Applies what can be applied of a commit that is blocked as a whole. */
  async #share(
    commit: LoadedCommit,
    whole: readonly Problem[],
    sharing: Pick<Sharing, "run" | "organization" | "resources" | "policy">,
  ): Promise<Unended<CycleEnd>> {
    // Which documents a target chooses is the decision of the operator, and not divided further.
    if (sharing.policy.targets.length > 0)
      return { type: "blocked", problems: whole, outcomes: [], changes: [] };
    const { partly } = this.#state ?? {};
    const before = new Set(partly?.tree === commit.tree ? partly.done : []);
    const { done, problems, outcomes, drift, stopped } = await enactShares({
      ...sharing,
      whole,
      done: before,
      enact: (proposal) => this.#ending(commit, sharing.run, proposal),
    });
    if (done.size > before.size) await this.#keep({ partly: { tree: commit.tree, done: [...done] } });
    if (stopped === "declined") return { type: "overtaken" };
    return {
      type: "blocked",
      problems: problems.length > 0 ? problems : whole,
      outcomes,
      changes: drift,
      ...(stopped !== undefined && { stopped }),
    };
  }

  async #ending(commit: LoadedCommit, run: Run, proposal: Proposal): Promise<Ending> {
    const { repository, onQuota, parallelism } = this.#settings;
    return enact(proposal, run, {
      onQuota,
      apply: { parallelism },
      // Another reconciler, or a long plan: what has been overtaken is not applied.
      consent: async () => (await repository.newest()) === commit.commit,
    });
  }

  async #enact(
    commit: LoadedCommit,
    ending: Exclude<Ending, { type: "refused" }>,
  ): Promise<Unended<CycleEnd>> {
    switch (ending.type) {
      case "applied":
        if (!isComplete(ending.report)) return { type: "incomplete", report: ending.report };
        await this.#remember(commit);
        return { type: "applied", report: ending.report };
      case "unaffordable":
        return { type: "unaffordable", requests: ending.requests };
      case "declined":
        return { type: "overtaken" };
      case "interrupted":
        return { type: "interrupted" };
      case "unchanged":
        throw new Error("internal error: a plan with changes has ended as unchanged");
      default:
        return ending satisfies never;
    }
  }

  /** The applied commit, if the newest one does not come after it: the branch was rewritten. */
  async #dropped({ commit }: LoadedCommit): Promise<string | undefined> {
    const { applied } = this.#state ?? {};
    if (!applied) return undefined;
    const isFollowed = await this.#settings.repository.isAncestor(applied.commit, commit);
    return isFollowed ? undefined : applied.commit;
  }

  async #remember({ commit, tree }: LoadedCommit): Promise<void> {
    if (this.#state?.applied?.commit !== commit) await this.#keep({ applied: { commit, tree } });
  }

  async #keep(news: ReconcilerState): Promise<void> {
    this.#state = { ...this.#state, ...news };
    await writeState(this.#settings.stateFile, this.#state);
  }
}

type Unended<End> = End extends CycleEnd ? Omit<End, "commit" | "spent"> : never;
