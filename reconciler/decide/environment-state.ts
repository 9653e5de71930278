import { formatAddress } from "../../core/model/addresses/address.ts";
import type { Outcome } from "../../core/execution/execute/index.ts";
import { type Action, deletes } from "../../core/planning/plan/index.ts";
import type { Problem } from "../../core/problems/problem.ts";
import { type Suspension, suspensionText, waitEnd, whileAtWork } from "../policy/index.ts";
import { type SyncState, syncStates } from "../sync-states.ts";
import { type Attribution, type Change, changesOf } from "./changes.ts";
import type { DriftLoop } from "./drift-loops.ts";
import { healthAfter, isIll, unreadHealth } from "./health.ts";
import { retryOf } from "./retries.ts";
import { distinct, type Verdict } from "./verdict.ts";
import type { EnvironmentView } from "./view.ts";

/** The state of an environment, or of a project without its contents, relative to the commit in force. */
export interface EnvironmentState extends Pick<
  EnvironmentView,
  "applied" | "rolledBack" | "unmanaged" | "unread" | "knowledge" | "health"
> {
  /** `shop/production`. */
  environment: string;
  state: SyncState;
  /** The differences: drift with its outcome, or the changes that the commit would make. */
  changes: readonly Change[];
  reverted?: readonly Change[] | undefined;
  /** The digest of the changes, which an approval names; absent: nothing differs. */
  plan?: string | undefined;
  /** Why an approval of the plan has no effect; absent: it has one. */
  unapprovable?: string | undefined;
  /** What an approved plan waits for, beside pauses and windows, which may end before the next cycle. */
  delay?: string | undefined;
  /** The pauses of people and suspensions of the policy, the one that ends first in front. */
  suspensions?: readonly Suspension[] | undefined;
  /** Why the commit is not applied: a policy, a suspension, the quota. */
  reason?: string | undefined;
  /** When the wait ends, in milliseconds since 1970, if known. */
  until?: number | undefined;
  problems: readonly Problem[];
  /** The attempted actions that are not done. */
  unfinished: readonly Outcome[];
  driftLoops: readonly DriftLoop[];
}

/** The outcome of the verdict on an environment. */
export interface Result {
  /** The attempted actions there; absent: the plan was not carried out. */
  outcomes?: readonly Outcome[];
  /** Whether the server is still at work there. */
  goesOn: boolean;
}

/** The differences that stay. */
export function leftIn({ does, isCommit, actions, left }: Verdict): Action[] {
  if (does === "apply") return actions.filter(({ address }) => left.has(formatAddress(address)));
  const isLeft = does === "wait" || does === "hold" || does === "report" || (does === "block" && !isCommit);
  return isLeft ? [...actions] : [];
}

/** The state of an environment after a cycle: the worse one of commit and drift, with the changes and reasons of both. @param untried why nothing was tried */
export function environmentStateOf(
  verdicts: readonly Verdict[],
  resultOf: (verdict: Verdict) => Result,
  untried: string | undefined,
  applied: string | undefined,
  authorOf: Attribution,
): EnvironmentState {
  const states = verdicts
    .map((verdict) => ({
      isCommit: verdict.isCommit,
      status: ofPart(verdict, resultOf(verdict), untried, applied, authorOf),
    }))
    .toSorted((left, right) => rankOf(left.status) - rankOf(right.status));
  const [first, second] = states;
  if (!first) throw new Error("internal error: an environment without a verdict");
  return second ? withOther(first.status, second) : first.status;
}

function rankOf({ state }: EnvironmentState): number {
  return syncStates.indexOf(state);
}

/** The state for one cause, merged with the state for the other, which is no worse. */
function withOther(
  worse: EnvironmentState,
  { isCommit, status: other }: { isCommit: boolean; status: EnvironmentState },
): EnvironmentState {
  const { reason = other.reason && `${isCommit ? "the commit" : "drift"} waits: ${other.reason}` } = worse;
  const until = worse.until ?? other.until;
  const plan = worse.plan ?? other.plan;
  return {
    ...worse,
    reason,
    until,
    plan,
    changes: [...worse.changes, ...other.changes],
    problems: distinct([...worse.problems, ...other.problems]),
    unfinished: [...worse.unfinished, ...other.unfinished],
    driftLoops: [...worse.driftLoops, ...other.driftLoops],
    health: other.health.length > worse.health.length ? other.health : worse.health,
  };
}

const inNextCycle = "the next cycle applies it";

/** Whether an environment needs no person: the server is still at work, or the next cycle continues. */
export function isPassing({ state, reason }: Pick<EnvironmentState, "state" | "reason">): boolean {
  return state === "waiting" && (reason === whileAtWork || reason === inNextCycle);
}

function ofPart(
  verdict: Verdict,
  { outcomes, goesOn }: Result,
  untried: string | undefined,
  applied: string | undefined,
  authorOf: Attribution,
): EnvironmentState {
  const { environment, does, isCommit, actions, plan, problems, driftLoops, reason, until } = verdict;
  const unfinished = (outcomes ?? []).filter(({ status }) => status !== "done");
  const health = healthAfter(environment.health, outcomes ?? []);
  const gone = (outcomes ?? [])
    .filter((outcome) => deletes(outcome) && outcome.status === "done")
    .map(({ address }) => formatAddress(address));
  const isThere = (text: string) => !gone.some((each) => text === each || text.endsWith(` of ${each}`));
  const isUntried = does === "apply" && outcomes === undefined;
  // Drift that the policy does not watch is not reported, but the next commit would revert it.
  const isForCommit =
    !isCommit && (does === "report" || does === "ignore") && environment.rules.onCommit !== "off";
  const isAll = isUntried || does === "block" || (does === "ignore" && isForCommit);
  const shown = isAll ? actions : leftIn(verdict);
  const { knowledge, rolledBack } = environment;
  const facts = { applied, problems, unfinished, driftLoops, health, knowledge, rolledBack };
  const withState = (state: SyncState, more: Partial<EnvironmentState> = {}): EnvironmentState => ({
    environment: environment.name,
    state,
    ...facts,
    changes: changesOf(shown, authorOf, isForCommit),
    unmanaged: environment.unmanaged?.filter(isThere),
    unread: environment.unread?.filter(({ address }) => isThere(formatAddress(address))),
    plan: does !== "ignore" && shown.length > 0 ? plan : undefined,
    suspensions: environment.rules.suspensions,
    ...more,
  });
  if (does === "block" || problems.length > 0) return withState("blocked");
  if (goesOn) return withState("waiting", { unfinished: [], reason: whileAtWork });
  if (unfinished.length > 0) return withState("failed");
  if (does !== "ignore" && health.some(isIll))
    return withState("unhealthy", { reason, ...retryOf(environment, health) });
  if (driftLoops.length > 0)
    return withState("drift_loop", { until: Math.min(...driftLoops.map((each) => Date.parse(each.until))) });
  const synced = (): EnvironmentState => {
    if (environment.isHealthUnread) return withState("unread", { reason: unreadHealth });
    if (health.some((service) => service.health === "deploying")) return withState("deploying");
    return withState(environment.rolledBack ? "rolled_back" : "synced");
  };
  switch (does) {
    case "refresh":
      return withState("unread", { reason });
    case "wait":
      return withState("waiting", { reason, until });
    case "report": {
      const [suspension] = environment.rules.suspensions ?? [];
      return withState("drift", {
        reason,
        ...(suspension && { reason: suspensionText(suspension), until: waitEnd(environment.rules) }),
      });
    }
    case "hold":
      return withState("held", { reason });
    case "ignore":
      return withState("unwatched");
    case "nothing":
      return synced();
    case "apply":
      if (isCommit && reason !== undefined) return withState("waiting", { reason });
      if (!isUntried) return synced();
      return isCommit ? withState("waiting", { reason: untried ?? inNextCycle }) : withState("drift");
    default:
      return does satisfies never;
  }
}
