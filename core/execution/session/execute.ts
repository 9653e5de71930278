import { addressKey, formatAddress } from "../../model/addresses/address.ts";
import type { Clock } from "../../api/index.ts";
import { type ApprovedLosses, type WriteResult, entryKey, type Run } from "../../operations/index.ts";
import {
  type Action,
  deletes,
  deploys,
  factsOf,
  isChange,
  isReplacement,
  lossesOf,
  type Plan,
  updates,
  waitsForOthers,
} from "../../planning/plan/index.ts";
import { EventWatch } from "../../state/live/index.ts";
import { type DeploymentResult, Deployments } from "../execute/deployments.ts";
import {
  failure,
  hadStopped,
  interruptedBy,
  lostWithParent,
  stalled,
  standstill,
  stopFor,
} from "../execute/failure.ts";
import { lackingConsents } from "../../planning/concerns/index.ts";
import { type Freshly, perform, performAlone } from "../execute/perform.ts";
import { type Outcome, outcomeOf, type Progress, type Report, type Stop } from "../execute/report.ts";
import { runInOrder, type Turn } from "../execute/turns.ts";
import { type ApprovedPlan, type Hindrance, takeApproved } from "./approve.ts";

export type { Freshly };

/** The result of a run. Only `applied` has sent writes. */
export type RunResult = Hindrance | { type: "applied"; report: Report };

/** Options for executing a plan. */
export interface ExecutionOptions {
  /** The most concurrent actions. */
  parallelism: number;
  /** Milliseconds for which deployments are followed; absent: they are only started. */
  wait?: number;
  /** Called when an action starts and when it finishes. */
  onProgress?: (progress: Progress) => void;
  /** Aborted when waiting has become useless: the run ends with the outcomes known by then. */
  standstill?: AbortSignal | undefined;
  /** Lets `execute` return when all remaining actions wait for the server; absent: it returns after the last action. */
  leave?: {
    /** Milliseconds that each remaining action has to have waited. */
    after: number;
    /** Receives the report of the whole run, which resolves when the run has ended, and never rejects. */
    rest(report: Promise<Report>): void;
  };
}

/**
 * Executes an approved plan: each action after those on which it depends, deletions after all other actions. A failure
 * stops the dependent actions, not the others; a refused token, an exhausted quota or the signal stops every action
 * that has not started. Never throws for a failed action: the report has its error.
 *
 * @throws TypeError if the plan was executed before, or has orders
 */
export async function execute(approved: ApprovedPlan, run: Run, options: ExecutionOptions): Promise<Report> {
  const plan = takeApproved(approved);
  if (plan.whole?.().operation) throw new TypeError("operate carries out orders for live services");
  if (plan.secretValues) run.secrets.know(plan.secretValues);
  const execution = new Execution(plan, { ...run, approved: approvedLosses(plan, run) }, options);
  const all = runInOrder(plan.actions, options.parallelism, (action, turn) => execution.one(action, turn));
  const { standstill: end, leave } = options;
  await Promise.race([all, ...(end ? [aborted(end)] : []), ...(leave ? [execution.onlyWaits] : [])]);
  if (leave && !end?.aborted && !execution.isOver) return execution.leave(leave, all);
  await run.live.parts.save();
  return execution.report();
}

/** The losses of a plan, for the check before each deletion. */
function approvedLosses({ actions, at, isForThisRun, whole }: Plan, run: Run): ApprovedLosses {
  const changed = actions
    .filter(updates)
    .flatMap(({ resourceId = "", changes }) =>
      changes.map(({ path: [member = "", key = ""] }) => entryKey(resourceId, member, key)),
    );
  const losses = lossesOf(actions).map(({ loss }) => loss);
  const deleted = actions.filter(deletes).flatMap(({ resourceId }) => resourceId ?? []);
  return {
    contents: new Set(losses.flatMap(({ content }) => content ?? [])),
    at,
    fresh: isForThisRun ? new EventWatch(run) : undefined,
    losses: Map.groupBy(losses, ({ owner }) => owner?.id ?? ""),
    changed: new Set(changed),
    deleted: new Set(deleted),
    lacking: whole ? lackingConsents(whole()) : new Map(),
    beside: new Map(),
  };
}

/** Executes an approved plan for one resource of a program that was just read. @throws the error of the write */
export function executeAlone(approved: ApprovedPlan, run: Run, freshly: Freshly): Promise<WriteResult> {
  const plan = takeApproved(approved);
  const [action, ...others] = plan.actions;
  if (!action || others.length > 0) throw new TypeError("the plan is not about one resource");
  return performAlone({ ...run, approved: approvedLosses(plan, run) }, action, freshly);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

class Execution {
  readonly #plan: Plan;
  readonly #run: Run;
  readonly #options: ExecutionOptions;
  readonly #outcomes = new Map<string, Outcome>();
  /** Ids of resources, by the id of the action that has created or found them. */
  readonly #resourceIds = new Map<string, string>();
  /** The ids of the clone actions whose resource somebody else has created. */
  readonly #found = new Set<string>();
  readonly #started = new Set<Action>();
  readonly #deployments: Deployments;
  readonly #total: number;
  #finished = 0;
  #stopped: Stop | undefined;
  /** Since when an action waits for the server, and those that have waited for long. */
  readonly #waitsSince = new Map<Action, number>();
  readonly #waitsLong = new Set<Action>();
  readonly #onlyWaits = Promise.withResolvers<void>();

  constructor(plan: Plan, run: Run, options: ExecutionOptions) {
    this.#plan = plan;
    this.#run = run;
    this.#options = options;
    const { clock } = run;
    const seen: Clock = {
      ...clock,
      sleep: (milliseconds, signal) => {
        this.#deploymentsWait();
        return clock.sleep(milliseconds, signal);
      },
    };
    this.#deployments = new Deployments(plan.actions, { ...run, clock: seen }, options.wait);
    this.#total = plan.actions.filter(isChange).length;
  }

  /** Resolves when all remaining actions have waited for long. */
  get onlyWaits(): Promise<void> {
    return this.#onlyWaits.promise;
  }

  get isOver(): boolean {
    return this.#plan.actions.every(({ id }) => this.#outcomes.has(id));
  }

  /** Reports the outcomes so far; the run continues. */
  leave({ rest }: NonNullable<ExecutionOptions["leave"]>, all: Promise<unknown>): Report {
    rest(all.then(() => this.report()));
    const left = this.#plan.actions.filter(({ id }) => !this.#outcomes.has(id));
    const outcomes = this.#plan.actions.map((action): Outcome => {
      const isStarted = this.#started.has(action);
      const message = isStarted ? "the server is working on it" : "it waits for the server";
      return (
        this.#outcomes.get(action.id) ?? outcomeOf(action, isStarted ? "pending" : "skipped", { message })
      );
    });
    const { spent } = this.#run.client;
    return { outcomes, stopped: this.#stopped, goesOn: left.map(({ address }) => address), spent };
  }

  /** Waits while another action has the turn, and checks whether only such waits remain. */
  #outsideTurn<Value>(action: Action, turn: Turn, waiting: () => Promise<Value>): Promise<Value> {
    this.#waits(action);
    return turn.outsideTurn(waiting);
  }

  /** Deployments wait for the server all the time. */
  #deploymentsWait(): void {
    for (const action of this.#started)
      if (deploys(action) && !this.#outcomes.has(action.id)) this.#waits(action);
  }

  /** After a long wait, checks whether anything else is left to do. */
  #waits(action: Action): void {
    const now = this.#run.clock.now();
    const since = this.#waitsSince.get(action) ?? now;
    this.#waitsSince.set(action, since);
    if (now - since < (this.#options.leave?.after ?? Infinity)) return;
    this.#waitsLong.add(action);
    this.#seeWhatIsLeft();
  }

  #seeWhatIsLeft(): void {
    if (this.#waitsLong.size === 0) return;
    // By then, every action that can start has started.
    setImmediate(() => {
      const isOver = ({ id }: { id: string }) => this.#outcomes.has(id);
      const left = this.#plan.actions.filter((action) => !isOver(action));
      const isHeldUp = (action: Action) =>
        this.#started.has(action)
          ? this.#waitsLong.has(action)
          : waitsForOthers(action) || action.after.some((id) => !isOver({ id }));
      if (left.some((action) => this.#started.has(action)) && left.every(isHeldUp)) this.#onlyWaits.resolve();
    });
  }

  report(): Report {
    if (this.#plan.actions.some(({ id }) => !this.#outcomes.has(id))) this.#standStill();
    const outcomes = this.#plan.actions.flatMap(({ id }) => this.#outcomes.get(id) ?? []);
    return { outcomes, stopped: this.#stopped, spent: this.#run.client.spent };
  }

  /** Reports the known outcomes of actions that have not ended. */
  #standStill(): void {
    this.#stopped ??= standstill;
    for (const action of this.#plan.actions) {
      if (this.#outcomes.has(action.id)) continue;
      const outcome = this.#started.has(action) ? stalled(action) : this.#notStarted(action, hadStopped());
      this.#outcomes.set(action.id, outcome);
    }
  }

  /** Starts an action, or reports why it cannot start; never rejects. */
  async one(action: Action, turn?: Turn): Promise<void> {
    const { id } = action;
    const hindrance = this.#hindrance(action);
    if (hindrance !== undefined) return this.#finish(action, this.#notStarted(action, hindrance));
    this.#started.add(action);
    if (isChange(action)) this.#tell({ event: "started", action });
    try {
      const done = await this.#perform(action, turn);
      if (done.id !== undefined) this.#resourceIds.set(id, done.id);
      if (factsOf(action).effects.includes("copies") && done.remarks?.includes("created_by_another"))
        this.#found.add(id);
      const outcome = outcomeOf(action, "done", {
        resourceId: done.id,
        ...(done.already && { already: true }),
        ...(done.goesOn && { goesOn: true }),
        remarks: done.remarks,
        ...(action.reaches.length > 0 && { reaches: action.reaches }),
        normalized: done.normalized,
      });
      this.#finish(action, outcome);
    } catch (error) {
      this.#stopped ??= stopFor(error);
      this.#finish(action, failure(action, error));
    }
  }

  #notStarted(action: Action, why: string): Outcome {
    return this.#wentWithParent(action)
      ? lostWithParent(action, why)
      : outcomeOf(action, "skipped", { message: why });
  }

  #perform(action: Action, turn: Turn | undefined): Promise<Partial<WriteResult & DeploymentResult>> {
    const run: Run = {
      ...this.#run,
      ...(turn && { outsideTurn: (waiting) => this.#outsideTurn(action, turn, waiting) }),
    };
    return perform(run, action, {
      ids: this.#resourceIds,
      found: this.#found,
      deployments: this.#deployments,
    });
  }

  #hindrance(action: Action): string | undefined {
    if (isChange(action)) {
      if (this.#run.signal?.aborted) this.#stopped ??= interruptedBy(this.#run.signal.reason);
      // The resource was deleted with its parent, so it is created again despite the signal and the cap.
      const comesLate = this.#stopped?.reason === "interrupted" || this.#stopped?.reason === "quota";
      const goesOn = comesLate && this.#wentWithParent(action);
      if (this.#stopped && !goesOn) return hadStopped(this.#stopped);
    }
    const missing = action.after.find((id) => this.#outcomes.get(id)?.status !== "done");
    return missing === undefined ? undefined : this.#wants(missing, action);
  }

  #wants(missing: string, { address }: Action): string {
    const other = this.#plan.actions.find(({ id }) => id === missing);
    if (other && addressKey(other.address) === addressKey(address))
      return "an earlier action on it was not done";
    return `needs ${other ? formatAddress(other.address) : missing}, which was not done`;
  }

  /** Whether a resource to be replaced has been deleted with its parent. */
  #wentWithParent(action: Action): boolean {
    if (!isReplacement(action) || action.carriedOutBy === undefined) return false;
    const parent = this.#outcomes.get(action.carriedOutBy);
    return parent?.status === "done" || parent?.lost !== undefined;
  }

  #finish(action: Action, outcome: Outcome): void {
    this.#outcomes.set(action.id, outcome);
    this.#seeWhatIsLeft();
    if (!isChange(action)) return;
    if (outcome.status !== "skipped") this.#finished += 1;
    this.#tell({ event: "finished", action, outcome });
  }

  #tell(progress: Omit<Progress, "finished" | "total">): void {
    this.#options.onProgress?.({ ...progress, finished: this.#finished, total: this.#total });
  }
}
