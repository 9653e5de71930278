import { formatAddress } from "../../core/model/addresses/address.ts";
import { type Action, type Answer, collect, hasChanges, open } from "../../core/planning/plan/index.ts";
import type { Proposal } from "../../core/execution/session/index.ts";
import { type ApprovedProposal, withApprovals } from "./approvals.ts";
import { once } from "../../core/values/json.ts";
import { limitProblems } from "./deletions.ts";
import { problemsOf } from "./differences.ts";
import { judgeOf } from "./judge.ts";
import type { Verdict } from "./verdict.ts";
import { isWholePossible, verdictsOn } from "./verdicts.ts";
import { everything, type PlanTargets, scopeOf, type View } from "./view.ts";

export type Decision =
  /** These plans are needed before the decision. */
  | { type: "plan"; scopes: readonly PlanTargets[] }
  /** Carry out a plan. `permits`: why the rules forbid an action with its cause; undefined: they permit it. */
  | {
      type: "apply";
      proposal: Proposal;
      verdicts: readonly Verdict[];
      permits(action: Action): string | undefined;
    }
  | { type: "rest"; verdicts: readonly Verdict[]; unaffordable?: number };

export type FinalDecision = Exclude<Decision, { type: "plan" }>;

/** Decides about each environment, and on one plan for them: a pure function. A blocked environment does not block others. */
export function decide(view: View): Decision {
  const missing = new Map<string, PlanTargets>();
  const limited = once((plan: Proposal) =>
    withApprovals(plan, view.environments, limitProblems(plan.plan, view.ledger, view.now)),
  );
  const planned = (scope: PlanTargets): Answer<ApprovedProposal> => {
    const plan = view.plans.get(scope.key);
    if (plan) return limited(plan);
    missing.set(scope.key, scope);
    return open;
  };
  const needed = (): Decision => ({ type: "plan", scopes: [...missing.values()] });

  const whole = planned(everything);
  if (whole === open) return needed();
  const known = { view, whole, judged: judgeOf(view, whole), planned };
  const isWhole = isWholePossible(known);
  const verdicts = collect(view.environments, (each) => verdictsOn(each, { ...known, isWhole }));
  if (verdicts === open) return needed();
  const chosen = verdicts.filter(({ does }) => does === "apply");
  if (chosen.length === 0) return { type: "rest", verdicts };

  const proposal = planned(isWhole && isEachApplied(verdicts) ? everything : scopeOfChosen(verdicts, view));
  if (proposal === open) return needed();
  const isRefused = proposal.plan.actions.some(({ address }) =>
    view.refused.some((problem) => problem.address === formatAddress(address)),
  );
  const problems = [...problemsOf(proposal), ...(isRefused ? view.refused : [])];
  if (problems.length > 0)
    return {
      type: "rest",
      verdicts: verdicts.map((verdict) =>
        verdict.does === "apply" ? { ...verdict, does: "block", left: new Set(), problems } : verdict,
      ),
    };
  if (!hasChanges(proposal.plan)) return { type: "rest", verdicts };
  if (proposal.cost.applying > view.affordable)
    return { type: "rest", verdicts, unaffordable: proposal.cost.applying };
  const modes = new Map(known.judged(proposal.plan).map(({ action, mode }) => [action.id, mode]));
  const permits = ({ id, cause = "commit" }: Action) =>
    modes.get(id) === "apply" ? undefined : `the rules do not permit it now, because its cause is ${cause}`;
  return { type: "apply", proposal, verdicts, permits };
}

/** Whether the verdicts apply all differences. */
function isEachApplied(verdicts: readonly Verdict[]): boolean {
  return verdicts.every(({ does, left, actions }) =>
    does === "apply" ? left.size === 0 : actions.length === 0,
  );
}

/** The scope of the verdicts; all other differences stay. */
function scopeOfChosen(verdicts: readonly Verdict[], { environments }: View): PlanTargets {
  const chosen = verdicts.filter(({ does }) => does === "apply");
  const others = verdicts.filter(({ does }) => does !== "apply");
  return scopeOf(
    [...new Set(chosen.map(({ environment }) => environment))],
    environments,
    new Set([
      ...chosen.flatMap(({ left }) => [...left]),
      ...others.flatMap(({ actions }) => actions.map(({ address }) => formatAddress(address))),
    ]),
  );
}
