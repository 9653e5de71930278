import type { Client } from "../../core/api/index.ts";
import type { Report } from "../../core/execution/execute/index.ts";
import type { DesiredResource } from "../../core/manifests/manifest/index.ts";
import type { LiveStore } from "../../core/state/live/index.ts";
import { countedLossesOf, isChange, type Plan } from "../../core/planning/plan/index.ts";
import { approve, type RunResult, execute, type Run, startRun } from "../../core/execution/session/index.ts";
import type { Repository } from "../../adapters/git/index.ts";
import type { Decision, Digests } from "../decide/index.ts";
import type { Memory, ManifestCommit } from "../memory/index.ts";
import { isPausedBy, environmentOf } from "../policy/index.ts";
import { secretsWrittenBy, type ViewSettings, withValues } from "../view/index.ts";
import type { LeftWork } from "./left-work.ts";

/** A plan that was carried out, and what became of it. */
export interface PlanOutcome {
  plan: Plan;
  report: Report;
}

/** Options for carrying out plans. */
export interface CarryingOut extends Pick<
  ViewSettings,
  "clock" | "machine" | "rateBudget" | "run" | "others" | "requests"
> {
  repository: Pick<Repository, "newest">;
  onQuota: "wait" | "fail";
  parallelism: number;
  standstill?: AbortSignal | undefined;
  watch?: {
    /** A plan is about to be carried out: nothing is sent before it resolves. */
    applying(plan: Plan, of: PlannedCommit): void | Promise<void>;
  };
  /** For how long a cycle waits for the server where nothing else is left to do, in milliseconds; absent: to the end. */
  longestWait?: number;
}

/** A commit, and its documents as a plan was made of them. */
export interface PlannedCommit extends ManifestCommit {
  documents: Digests;
  resources: readonly DesiredResource[];
}

/** Carries out the plans of one cycle. */
export class Carrier {
  readonly enacted: PlanOutcome[] = [];
  readonly #settings: CarryingOut;
  readonly #memory: Memory;
  readonly #left: LeftWork;
  readonly #run: Run;

  /** @param client sends what changes something */
  constructor(settings: CarryingOut, memory: Memory, left: LeftWork, live: LiveStore, client: Client) {
    const { run, machine: clock = settings.clock } = settings;
    this.#settings = settings;
    this.#memory = memory;
    this.#left = left;
    this.#run = startRun(client, { ...run, live, clock });
  }

  get spent(): number {
    return this.#run.client.spent.total;
  }

  get affordable(): number {
    return this.#settings.rateBudget.affordable(this.#run.client.budget);
  }

  /** Carries out a decided plan of a commit. @param newest it has to be the newest commit still; undefined: the plan only undoes drift */
  async carryOut(
    { proposal, permits }: Pick<Extract<Decision, { type: "apply" }>, "proposal" | "permits">,
    of: PlannedCommit,
    newest: string | undefined,
    isStillRequested: () => boolean,
  ): Promise<RunResult> {
    const { repository, onQuota, watch, others, clock, rateBudget } = this.#settings;
    const { parallelism, standstill, longestWait: after } = this.#settings;
    const { plan } = proposal;
    const run = this.#run;
    const before = run.client.spent.total;
    const approval = await approve(proposal, run, {
      onQuota,
      permits,
      confirm: async () => {
        // Another reconciler, or a long plan: an outdated plan is not applied.
        if (newest !== undefined && (await repository.newest()) !== newest) return false;
        if (!isStillRequested() || this.#isPaused(plan)) return false;
        await this.#memory.begins(of, plan, clock.now());
        others?.deletes(countedLossesOf(plan).flatMap(({ id }) => id ?? []));
        await watch?.applying(plan, of);
        return true;
      },
    });
    if (approval.type !== "approved") return approval;
    let rest: Promise<Report> | undefined;
    const leave =
      after === undefined ? {} : { leave: { after, rest: (going: typeof rest) => (rest = going) } };
    const report = await execute(approval.approved, run, { parallelism, standstill, ...leave });
    rateBudget.applied(run.client.spent.total - before, run.client.budget);
    this.enacted.push({ plan, report });
    // The header with the time of the server has whole seconds.
    const over = run.client.serverTime + 1000;
    const secrets = secretsWrittenBy(plan, report, of.resources, run.live.known(), over);
    await this.#memory.wrote(await withValues(secrets, run.secrets));
    if (rest) this.#left.leave(report.goesOn ?? [], this.#followed(rest, of, plan));
    else await this.#memory.ended(of, of.documents, plan, report);
    return { type: "applied", report };
  }

  /** Whether somebody has paused what a plan changes since it was made. */
  #isPaused({ actions }: Plan): boolean {
    const { requests, clock } = this.#settings;
    const now = clock.now();
    return actions
      .filter(isChange)
      .some(({ address }) =>
        requests.pauses.some((each) => isPausedBy(each, environmentOf(address).names, now)),
      );
  }

  /** Follows a run that only waits, and notes what it has spent and deleted once it has ended. */
  async #followed(rest: Promise<Report>, of: PlannedCommit, plan: Plan): Promise<void> {
    const { client } = this.#run;
    const before = client.spent.total;
    const report = await rest;
    this.#settings.rateBudget.applied(client.spent.total - before, client.budget);
    // The next cycle tells why the memory cannot be written.
    await this.#memory.ended(of, of.documents, plan, report).catch(() => undefined);
  }
}
