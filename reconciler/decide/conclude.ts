import { counted } from "../../core/values/text.ts";
import {
  isComplete,
  isCompleteSoFar,
  type Outcome,
  type Report,
} from "../../core/execution/execute/index.ts";
import { type Action, deploys, isChange } from "../../core/planning/plan/index.ts";
import type { Ending } from "../../core/execution/session/index.ts";
import { shareOf, whileAtWork } from "../policy/index.ts";
import { type Attribution, changesOf } from "./changes.ts";
import { isOfCommit } from "./causes.ts";
import { type ClosedRequest, closedRequests } from "./closed-requests.ts";
import type { Decision } from "./decide.ts";
import type { Divided, Finding, WaitingEnvironment } from "./finding.ts";
import { wantedRollbacks } from "./retries.ts";
import type { WantedRollback } from "./rollback.ts";
import { leftIn, type Result, type Standing, standingOf } from "./standing.ts";
import { distinct, type Verdict } from "./verdict.ts";
import { everything, holderOf, type ShareView, type View } from "./view.ts";

/** The final decision of a cycle. */
export type FinalDecision = Exclude<Decision, { type: "plan" }>;

/** The outcome of the plan to carry out. */
export type RunEnding = Exclude<Ending, { type: "refused" }>;

/** The conclusion of a cycle from its decision and the outcome. */
export interface Conclusion {
  finding: Finding;
  /** The state of each share; absent: nothing new is known. */
  standings?: Standing[];
  /** The shares that are in step with the commit in force, by their keys. */
  done: ReadonlySet<string>;
  /** Whether the commit in force is applied as a whole. */
  isApplied: boolean;
  /** The shares that are in step and healthy; absent: nothing is known that was not known before. */
  healthy?: readonly ShareView[];
  /** Shares that the policy rolls back, because a deployment has failed. */
  rollbacks: readonly WantedRollback[];
  /** The drift that was undone. */
  undone: readonly Action[];
  /** Requests of people that are over. */
  settled: readonly ClosedRequest[];
}

/** Concludes a cycle: a pure function. @param carried undefined if nothing was to be carried out */
export function conclude(
  view: View,
  decided: FinalDecision,
  carried: RunEnding | undefined,
  authorOf: Attribution,
): Conclusion {
  const { verdicts } = decided;
  const { shares, mistakes, commit } = view;
  const report = carried?.type === "applied" ? carried.report : undefined;
  const results = resultsOf(view, decided, report);
  const byShare = Map.groupBy(verdicts, ({ share }) => share);
  const done = new Set(
    [...byShare].filter(([share, its]) => isDone(share, its, results)).map(([{ key }]) => key),
  );
  const undone = decided.type === "apply" && report ? undoneBy(decided, report.outcomes) : [];
  const changed = undone.filter((action) => !deploys(action));
  const setBack = Map.groupBy(changed, ({ address }) => holderOf(shares, address));
  const finding = findingOf(view, decided, carried, authorOf);
  const isKnown = finding.type !== "overtaken" && finding.type !== "interrupted";
  const isNow = mistakes.length === 0;
  const settled = isKnown ? closedRequests(byShare, report !== undefined) : [];
  const standings = [...byShare].map(([share, its]): Standing => {
    const { key, applied, rolledBack } = share;
    const inForce = rolledBack?.commit ?? (isNow ? commit : applied);
    const now = done.has(key) ? inForce : applied;
    const reverted = setBack.get(share);
    return {
      ...standingOf(its, results, whyUntried(finding), now, authorOf),
      ...(reverted && { setBack: changesOf(reverted, authorOf) }),
    };
  });
  return {
    finding,
    ...(isKnown && {
      standings,
      healthy: [...byShare.keys()].filter((_share, index) => isHealthy(standings[index])),
    }),
    settled,
    rollbacks: isKnown ? wantedRollbacks([...byShare.keys()], standings) : [],
    done,
    isApplied:
      isNow &&
      (view.isApplied || ((!report || isComplete(report)) && shares.every(({ key }) => done.has(key)))),
    undone,
  };
}

/** Whether the documents in force are applied, and all services are well. */
function isHealthy(standing: Standing | undefined): boolean {
  return standing?.state === "in_step" || standing?.state === "rolled_back";
}

/** What became of the attempted changes of each verdict; of one that was not carried out, nothing is known. */
function resultsOf(
  { shares }: View,
  decided: FinalDecision,
  report: Report | undefined,
): (verdict: Verdict) => Result {
  const actions = decided.type === "apply" ? decided.proposal.plan.actions : [];
  const drift = new Set(actions.filter((action) => !isOfCommit(action)).map(({ id }) => id));
  const going = new Set((report?.goesOn ?? []).map((address) => holderOf(shares, address)));
  const outcomes = Map.groupBy((report?.outcomes ?? []).filter(isChange), ({ address }) =>
    holderOf(shares, address),
  );
  const { verdicts } = decided;
  return ({ share, isCommit, does }) => {
    const isOnly = verdicts.filter((other) => other.share === share && other.does === "apply").length < 2;
    const its = (does === "apply" ? (outcomes.get(share) ?? []) : []).filter(
      ({ id }) => isOnly || drift.has(id) !== isCommit,
    );
    return { ...(report && { outcomes: its }), goesOn: going.has(share) };
  };
}

/** Whether the documents of the commit in force are applied in a share, whatever somebody else has changed there. */
function isDone(
  share: ShareView,
  verdicts: readonly Verdict[],
  resultOf: (verdict: Verdict) => Result,
): boolean {
  const ofCommit = verdicts.filter(({ isCommit }) => isCommit);
  if (verdicts.some(({ does }) => does === "look")) return share.isApplied;
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

/** The drift that a plan has undone. */
function undoneBy(
  { proposal }: Extract<FinalDecision, { type: "apply" }>,
  outcomes: readonly Outcome[],
): Action[] {
  const done = new Set(outcomes.flatMap(({ id, status }) => (status === "done" ? [id] : [])));
  return proposal.plan.actions.filter(
    (action) => isChange(action) && !isOfCommit(action) && done.has(action.id),
  );
}

function findingOf(
  { plans, mistakes, dropped, isApplied }: View,
  decided: FinalDecision,
  carried: RunEnding | undefined,
  authorOf: Attribution,
): Finding {
  if (carried?.type === "declined") return { type: "overtaken" };
  if (carried?.type === "interrupted") return { type: "interrupted" };
  const { verdicts } = decided;
  const { actions: all = [] } = plans.get(everything.key)?.plan ?? {};
  const report = carried?.type === "applied" ? carried.report : undefined;
  const unaffordable =
    carried?.type === "unaffordable"
      ? carried.requests
      : decided.type === "rest"
        ? decided.unaffordable
        : undefined;
  const stopped: NonNullable<Divided["stopped"]> | undefined =
    unaffordable !== undefined
      ? "unaffordable"
      : report && !isCompleteSoFar(report)
        ? "incomplete"
        : undefined;
  const problems = distinct(verdicts.flatMap((verdict) => verdict.problems));
  const changes = verdicts.flatMap((verdict) =>
    verdict.isCommit ? [] : changesOf(leftIn(verdict), authorOf),
  );
  const fights = verdicts.flatMap((verdict) => verdict.fights);
  const unread = verdicts.filter(({ does, share }) => does === "look" || share.isHealthUnread).length;
  const waiting = waitingIn(verdicts, report);
  const divided: Divided = {
    outcomes: (report?.outcomes ?? []).filter(isChange),
    ...(waiting.length > 0 && { waiting }),
    ...(fights.length > 0 && { fights }),
    ...(stopped && { stopped }),
  };
  if (mistakes.length > 0) return { type: "invalid", problems: mistakes, changes, ...divided };
  if (dropped !== undefined && verdicts.some(({ does }) => does === "hold"))
    return { type: "held", applied: dropped, changes: changesOf(all) };
  if (problems.length > 0) return { type: "blocked", problems, changes, ...divided };
  if (unaffordable !== undefined && changes.length + waiting.length === 0)
    return { type: "unaffordable", requests: unaffordable };
  const isOnlyCommit = verdicts.every(({ does, isCommit }) => does !== "apply" || isCommit);
  if (report && isOnlyCommit && waiting.length === 0)
    return { type: stopped ? "incomplete" : "applied", report };
  if (report || waiting.length > 0 || stopped)
    return { type: isApplied && !isOnlyCommit ? "undone" : "partly", changes, ...divided };
  return changes.length === 0
    ? { type: "in_step", resources: all.length, ...(unread > 0 && { unread }) }
    : { type: "drift", changes, ...(fights.length > 0 && { fights }) };
}

/** The environments in which something is left for later, and those in which the server is still at work. */
function waitingIn(verdicts: readonly Verdict[], report: Report | undefined): WaitingEnvironment[] {
  const left = verdicts.flatMap((verdict): WaitingEnvironment[] => {
    const { does, share, actions, isCommit, reason = "" } = verdict;
    const isLater = does === "apply" && isCommit && verdict.left.size > 0;
    return does === "wait" || (does === "look" && !share.isApplied) || isLater
      ? [{ environment: share.name, reason, changes: changesOf(isLater ? leftIn(verdict) : actions) }]
      : [];
  });
  const atWork = atWorkOn(report).map((environment) => ({ environment, reason: whileAtWork, changes: [] }));
  return [...left, ...atWork];
}

/** The environments in which a run goes on. */
function atWorkOn(report: Report | undefined): string[] {
  return [...new Set((report?.goesOn ?? []).map((address) => shareOf(address).name))];
}

/** Why what was to be applied was not tried. */
function whyUntried(finding: Finding): string | undefined {
  if (finding.type === "unaffordable")
    return `the quota is too low: it takes ${counted(finding.requests, "request")}`;
  return "stopped" in finding && finding.stopped !== undefined
    ? "the cycle ended before its turn"
    : undefined;
}
