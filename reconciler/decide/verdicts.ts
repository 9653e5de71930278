import { type Answer, collect, hasChanges, open } from "../../core/planning/plan/index.ts";
import { deletes } from "./changes.ts";
import { type Differences, differencesIn, withOwnPlan, withRemainder } from "./differences.ts";
import { driftLoopOver } from "./drift-loops.ts";
import type { VerdictFacts } from "./judge.ts";
import type { Verdict } from "./verdict.ts";
import { firstRules, type Rule, rulesOnOwnPlan, rulesOnRemainder } from "./verdict-rules.ts";
import type { EnvironmentView } from "./view.ts";

/** The verdicts on an environment, one for each cause of its differences; open if a plan has to be made first. */
export function verdictsOn(environment: EnvironmentView, facts: VerdictFacts): Answer<Verdict[]> {
  const found = differencesIn(environment, facts);
  if (found === open) return open;
  return collect(found, (of) => {
    const verdict = verdictOn(of);
    return verdict === open ? open : [verdict];
  });
}

/** Each table of rules needs one more plan, which is made only if no earlier rule applies. */
function verdictOn(of: Differences): Answer<Verdict> {
  const first = verdictBy(firstRules, of);
  if (first) return first;
  const own = withOwnPlan(of);
  if (own === open) return open;
  const second = verdictBy(rulesOnOwnPlan, own);
  if (second) return second;
  const remainder = withRemainder(own);
  if (remainder === open) return open;
  return verdictBy(rulesOnRemainder, remainder) ?? verdictWith(of, "report");
}

function verdictBy<Known extends Differences>(rules: readonly Rule<Known>[], of: Known): Verdict | undefined {
  const rule = rules.find(({ holds }) => holds(of));
  return rule && { ...verdictWith(of, rule.does), ...rule.why?.(of) };
}

function verdictWith(
  { environment, isCommit, actions, plan, isRequested }: Differences,
  does: Verdict["does"],
): Verdict {
  return {
    environment,
    does,
    isCommit,
    actions: environment.isKnown ? actions : [],
    plan,
    isRequested,
    left: new Set(),
    problems: [],
    driftLoops: [],
  };
}

/** Whether the plan of everything is permitted, and no rule forbids or delays a part of it. */
export function isWholePossible({ view, whole, judged }: Omit<VerdictFacts, "isWhole">): boolean {
  const { problems } = whole.plan;
  if (problems.length + view.refused.length > 0 || !hasChanges(whole.plan)) return false;
  if (view.dropped !== undefined && deletes(whole.plan)) return false;
  if (view.environments.some(({ claimed = [] }) => claimed.length > 0)) return false;
  return judged(whole.plan).every(
    ({ mode, action, isOfCommit }) =>
      mode === "apply" && (isOfCommit || driftLoopOver(action, view.undone, view.now) === undefined),
  );
}
