import { formatAddress } from "../core/address.ts";
import type { Client, Clock } from "../core/api/index.ts";
import { isComplete, type Report } from "../core/apply/index.ts";
import { formatPath } from "../core/fields/compare.ts";
import { LiveStore } from "../core/live/index.ts";
import { findOrganization, type Organization } from "../core/organization.ts";
import { type Action, hasChanges, type Plan, type Policy } from "../core/plan/index.ts";
import { removedParts } from "../core/plan/removed-parts.ts";
import type { Problem } from "../core/problem.ts";
import { enact, type Ending, propose, type Run, type RunSettings, startRun } from "../core/run/index.ts";
import type { Repository } from "./git/index.ts";
import { EventHints } from "./hints.ts";
import type { CommitSource, LoadedCommit } from "./source.ts";
import { type AppliedCommit, readApplied, writeApplied } from "./state.ts";

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
  /** The plan is not possible, or lacks a consent. */
  | { type: "refused"; problems: readonly Problem[] }
  /** A commit that drops the applied one, and whose plan deletes. */
  | { type: "held"; applied: string; changes: Change[] }
  | { type: "unaffordable"; requests: number }
  /** The branch moved on before the first write: the next cycle plans again. */
  | { type: "overtaken" }
  | { type: "interrupted" }
);

/** A change of a plan, without values: some may be secret. */
export interface Change {
  action: Action["type"];
  address: string;
  fields?: string[];
}

/** Compares the newest commit with live state, again and again. Live state and commits are kept between cycles. */
export class Reconciler {
  readonly #settings: ReconcilerSettings;
  readonly #live: LiveStore;
  readonly #hints: EventHints;
  #organization: Organization | undefined;
  #applied: AppliedCommit | undefined;
  #isStateRead = false;
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
    if (!this.#isStateRead) this.#applied = await readApplied(this.#settings.stateFile);
    this.#isStateRead = true;
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
    if (proposal.refusal) return end({ type: "refused", problems: proposal.refusal.problems });

    const isApplied = this.#applied?.tree === commit.tree;
    if (isApplied || !hasChanges(plan)) {
      await this.#remember(commit);
      if (hasChanges(plan)) return end({ type: "drift", changes: changesOf(plan) });
      return end({ type: "in_step", resources: plan.actions.length });
    }
    const dropped = await this.#dropped(commit);
    if (dropped !== undefined && deletes(plan))
      return end({ type: "held", applied: dropped, changes: changesOf(plan) });
    return end(await this.#enact(commit, await this.#ending(commit, run, proposal)));
  }

  async #ending(commit: LoadedCommit, run: Run, proposal: Parameters<typeof enact>[0]): Promise<Ending> {
    const { repository, onQuota, parallelism } = this.#settings;
    return enact(proposal, run, {
      onQuota,
      apply: { parallelism },
      // Another reconciler, or a long plan: what has been overtaken is not applied.
      consent: async () => (await repository.newest()) === commit.commit,
    });
  }

  async #enact(commit: LoadedCommit, ending: Ending): Promise<Unended<CycleEnd>> {
    switch (ending.type) {
      case "applied":
        if (!isComplete(ending.report)) return { type: "incomplete", report: ending.report };
        await this.#remember(commit);
        return { type: "applied", report: ending.report };
      case "refused":
        return { type: "refused", problems: ending.problems };
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
    if (!this.#applied) return undefined;
    const isFollowed = await this.#settings.repository.isAncestor(this.#applied.commit, commit);
    return isFollowed ? undefined : this.#applied.commit;
  }

  async #remember({ commit, tree }: LoadedCommit): Promise<void> {
    if (this.#applied?.commit === commit) return;
    this.#applied = { commit, tree };
    await writeApplied(this.#settings.stateFile, this.#applied);
  }
}

type Unended<End> = End extends CycleEnd ? Omit<End, "commit" | "spent"> : never;

/** Whether a plan deletes anything, and be it to create it again, or a variable. */
function deletes({ actions }: Plan): boolean {
  return actions.some(
    (action) => action.type === "delete" || action.type === "replace" || removedParts(action).length > 0,
  );
}

function changesOf({ actions }: Plan): Change[] {
  return actions
    .filter(({ type }) => type !== "none")
    .map((action) => ({
      action: action.type,
      address: formatAddress(action.address),
      ...("changes" in action && {
        fields: [...new Set(action.changes.map(({ path }) => formatPath(path)))],
      }),
    }));
}
