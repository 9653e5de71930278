import {
  isComplete,
  isCompleteSoFar,
  type Outcome,
  type Report,
} from "../../core/execution/execute/index.ts";
import { type Action, deploys, isChange } from "../../core/planning/plan/index.ts";
import type { RunResult } from "../../core/execution/session/index.ts";
import { type Attribution, changesOf } from "./changes.ts";
import { isOfCommit } from "./causes.ts";
import { type ClosedRequest, closedRequests } from "./closed-requests.ts";
import type { FinalDecision } from "./decide.ts";
import { quotaTooLow } from "./approval-effect.ts";
import { requestedRollbacks } from "./retries.ts";
import type { PolicyRollback } from "./rollback.ts";
import { type Result, type EnvironmentState, environmentStateOf } from "./environment-state.ts";
import type { Verdict } from "./verdict.ts";
import { holderOf, type EnvironmentView, type View } from "./view.ts";

/** The outcome of an executed plan. */
export type RunEffects = Exclude<RunResult, { type: "refused" }>;

/** The effects of a cycle, from its decision and the outcome. */
export interface CycleEffects {
  /** Why the cycle did not do everything; absent: it did, or a rule forbids the rest. */
  stopped?: RunStop | undefined;
  /** The state of each environment; absent: nothing new is known. */
  environmentStates?: EnvironmentState[];
  /** The keys of the environments that are synced with the commit in force. */
  done: ReadonlySet<string>;
  /** Whether the commit in force is applied as a whole. */
  isApplied: boolean;
  /** The environments that are synced and healthy; absent: nothing new is known. */
  healthy?: readonly EnvironmentView[];
  /** Environments that the policy rolls back after a failed deployment. */
  rollbacks: readonly PolicyRollback[];
  /** The reverted drift. */
  undone: readonly Action[];
  settled: readonly ClosedRequest[];
}

/** Why a cycle stopped early. */
export type RunStop =
  /** The branch moved on, or an environment was paused, before the first write: the next cycle plans again. */
  | { type: "overtaken" }
  | { type: "interrupted" }
  | { type: "incomplete" }
  | { type: "unaffordable"; requests: number };

/** Concludes a cycle; pure. @param carried undefined: there was nothing to carry out @param approvals by the keys of environments */
export function conclude(
  view: View,
  decided: FinalDecision,
  carried: RunEffects | undefined,
  authorOf: Attribution,
  approvals: ReadonlyMap<string, Partial<EnvironmentState>>,
): CycleEffects {
  const { verdicts } = decided;
  const { environments, mistakes, commit } = view;
  const report = carried?.type === "applied" ? carried.report : undefined;
  const results = resultsOf(view, decided, report);
  const byEnvironment = Map.groupBy(verdicts, ({ environment }) => environment);
  const done = new Set(
    [...byEnvironment].filter(([each, its]) => isDone(each, its, results)).map(([{ key }]) => key),
  );
  const undone = decided.type === "apply" && report ? undoneBy(decided, report.outcomes) : [];
  const changed = undone.filter((action) => !deploys(action));
  const revertedIn = Map.groupBy(changed, ({ address }) => holderOf(environments, address));
  const stopped = stopOf(decided, carried);
  const isKnown = stopped?.type !== "overtaken" && stopped?.type !== "interrupted";
  const isNow = mistakes.length === 0;
  const settled = isKnown ? closedRequests(byEnvironment, report !== undefined) : [];
  const environmentStates = [...byEnvironment].map(([environment, its]): EnvironmentState => {
    const { key, applied, rolledBack } = environment;
    const inForce = rolledBack?.commit ?? (isNow ? commit : applied);
    const now = done.has(key) ? inForce : applied;
    const reverted = revertedIn.get(environment);
    return {
      ...environmentStateOf(its, results, whyUntried(stopped), now, authorOf),
      ...(approvals.get(key) ?? { delay: whyUntried(stopped) }),
      ...(reverted && { reverted: changesOf(reverted, authorOf) }),
    };
  });
  return {
    ...(stopped && { stopped }),
    ...(isKnown && {
      environmentStates,
      healthy: [...byEnvironment.keys()].filter((_environment, index) => isHealthy(environmentStates[index])),
    }),
    settled,
    rollbacks: isKnown ? requestedRollbacks([...byEnvironment.keys()], environmentStates) : [],
    done,
    isApplied:
      isNow &&
      (view.isApplied || ((!report || isComplete(report)) && environments.every(({ key }) => done.has(key)))),
    undone,
  };
}

/** Whether the documents in force are applied, and all services are healthy. */
function isHealthy(status: EnvironmentState | undefined): boolean {
  return status?.state === "synced" || status?.state === "rolled_back";
}

/** The outcomes of each verdict, as far as it was carried out. */
function resultsOf(
  { environments }: View,
  decided: FinalDecision,
  report: Report | undefined,
): (verdict: Verdict) => Result {
  const actions = decided.type === "apply" ? decided.proposal.plan.actions : [];
  const drift = new Set(actions.filter((action) => !isOfCommit(action)).map(({ id }) => id));
  const going = new Set((report?.goesOn ?? []).map((address) => holderOf(environments, address)));
  const outcomes = Map.groupBy((report?.outcomes ?? []).filter(isChange), ({ address }) =>
    holderOf(environments, address),
  );
  const { verdicts } = decided;
  return ({ environment, isCommit, does }) => {
    const isOnly =
      verdicts.filter((other) => other.environment === environment && other.does === "apply").length < 2;
    const its = (does === "apply" ? (outcomes.get(environment) ?? []) : []).filter(
      ({ id }) => isOnly || drift.has(id) !== isCommit,
    );
    return { ...(report && { outcomes: its }), goesOn: going.has(environment) };
  };
}

/** Whether the documents of the commit in force are applied in an environment, even with drift. */
function isDone(
  environment: EnvironmentView,
  verdicts: readonly Verdict[],
  resultOf: (verdict: Verdict) => Result,
): boolean {
  const ofCommit = verdicts.filter(({ isCommit }) => isCommit);
  if (verdicts.some(({ does }) => does === "refresh")) return environment.isApplied;
  return ofCommit.every((verdict) => isFinished(verdict, resultOf(verdict)));
}

function isFinished({ does, actions, left }: Verdict, { outcomes, goesOn }: Result): boolean {
  if (does === "nothing") return true;
  if (does === "ignore") return actions.length === 0;
  return (
    does === "apply" &&
    left.size === 0 &&
    !goesOn &&
    outcomes?.every(({ status }) => status === "done") === true
  );
}

function undoneBy(
  { proposal }: Extract<FinalDecision, { type: "apply" }>,
  outcomes: readonly Outcome[],
): Action[] {
  const done = new Set(outcomes.flatMap(({ id, status }) => (status === "done" ? [id] : [])));
  return proposal.plan.actions.filter(
    (action) => isChange(action) && !isOfCommit(action) && done.has(action.id),
  );
}

function stopOf(decided: FinalDecision, carried: RunEffects | undefined): RunStop | undefined {
  if (carried?.type === "declined") return { type: "overtaken" };
  if (carried?.type === "interrupted") return { type: "interrupted" };
  const requests =
    carried?.type === "unaffordable"
      ? carried.requests
      : decided.type === "rest"
        ? decided.unaffordable
        : undefined;
  if (requests !== undefined) return { type: "unaffordable", requests };
  return carried?.type === "applied" && !isCompleteSoFar(carried.report) ? { type: "incomplete" } : undefined;
}

/** Why planned changes were not attempted. */
function whyUntried(stopped: RunStop | undefined): string | undefined {
  if (stopped?.type === "unaffordable") return quotaTooLow(stopped.requests);
  return stopped ? "the cycle ended before this environment" : undefined;
}
