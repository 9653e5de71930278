import { formatAddress } from "../../core/address.ts";
import { hasChanges } from "../../core/plan/index.ts";
import { consentedTo, type Proposal, withProblems } from "../../core/session/index.ts";
import { limitProblems } from "./deletions.ts";
import { changesIn } from "./asked.ts";
import { changesByShare, isWholePossible, problemsOf, type Verdict, verdictOn } from "./verdict.ts";
import { everything, type Scope, scopeOf, type View } from "./view.ts";

/** The decision about the differences between a commit and live state. */
export type Decision =
  /** These plans have to be made before anything can be decided. */
  | { type: "plan"; scopes: readonly Scope[] }
  /** Carry out a plan, which does what the verdicts say. */
  | { type: "apply"; proposal: Proposal; verdicts: readonly Verdict[] }
  /** Send nothing. */
  | { type: "rest"; verdicts: readonly Verdict[]; unaffordable?: number };

/**
 * Decides what is done in each share, and which plan does that: a pure function. What blocks one share leaves the others
 * alone.
 */
export function decide(view: View): Decision {
  const missing = new Map<string, Scope>();
  const limited = new Map<string, Proposal>();
  const planned = (scope: Scope): Proposal | undefined => {
    const made = view.plans.get(scope.key);
    if (!made) missing.set(scope.key, scope);
    const proposal =
      limited.get(scope.key) ??
      (made && withProblems(withApprovals(made, view), limitProblems(made.plan, view.ledger, view.now)));
    if (proposal) limited.set(scope.key, proposal);
    return proposal;
  };
  const needed = (): Decision => ({ type: "plan", scopes: [...missing.values()] });

  const whole = planned(everything);
  if (!whole) return needed();
  const changes = changesByShare(view, whole.plan);
  const isWhole = isWholePossible({ view, whole, changes });
  const known = { view, whole, changes, isWhole, planned };
  const verdicts = view.shares.flatMap((share) => verdictOn(share, known) ?? []);
  if (missing.size > 0) return needed();
  const chosen = verdicts.filter(({ does }) => does === "apply");
  if (chosen.length === 0) return { type: "rest", verdicts };

  const left = new Set(chosen.flatMap((verdict) => [...verdict.left]));
  const proposal = planned(
    isWhole
      ? everything
      : scopeOf(
          chosen.map(({ share }) => share),
          view.shares,
          left,
        ),
  );
  if (!proposal) return needed();
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
  return { type: "apply", proposal, verdicts };
}

/** A proposal with the consents that people have given to the changes of shares. */
function withApprovals(proposal: Proposal, { shares }: View): Proposal {
  return shares.reduce((consented, share) => {
    const { asked } = share;
    if (asked?.type !== "approve") return consented;
    return consentedTo(consented, changesIn(share, shares, proposal.plan), asked.plan);
  }, proposal);
}
