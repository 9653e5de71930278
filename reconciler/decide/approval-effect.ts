import { counted, firstNamed } from "../../core/values/text.ts";
import type { Problem } from "../../core/problems/problem.ts";
import { theService } from "../identity.ts";
import { reasonToHold, rulesUntilCommit, whileAtWork } from "../policy/index.ts";
import type { FinalDecision } from "./decide.ts";
import { recentDeletions } from "./deletions.ts";
import type { EnvironmentState } from "./environment-state.ts";
import { distinct } from "./verdict.ts";
import { everything, type EnvironmentView, type View } from "./view.ts";

/** The same view after an approval of the plan of an environment, for each plan that is not carried out without one; by key. */
export function viewsWithApproval(view: View, { type, verdicts }: FinalDecision): Map<string, View> {
  const waiting = verdicts.filter(
    ({ does, left }) =>
      does !== "ignore" && does !== "nothing" && (type !== "apply" || does !== "apply" || left.size > 0),
  );
  return new Map(
    waiting.flatMap(({ environment, plan }) => {
      if (plan === undefined) return [];
      const rules = rulesUntilCommit(environment.rules);
      const requested = { type: "approve" as const, plan, by: theService };
      const approved: EnvironmentView = { ...environment, rules, requested };
      const environments = view.environments.map((each) => (each === environment ? approved : each));
      return [[environment.key, { ...view, environments }]];
    }),
  );
}

/** What becomes of an approved plan, as members of the state of its environment, by the decision about the view with its approval. */
export function approvalEffect(key: string, decision: FinalDecision): Partial<EnvironmentState> {
  const verdicts = decision.verdicts.filter(({ environment }) => environment.key === key);
  const [held] = verdicts.flatMap(({ environment: { rules } }) => reasonToHold(rules) ?? []);
  const problems = distinct(verdicts.flatMap((verdict) => verdict.problems)).map(({ message }) => message);
  const dropped = verdicts.flatMap(({ does, reason }) => (does === "hold" ? [reason ?? ""] : []));
  const forbidden = [...problems, ...dropped];
  if (held !== undefined || forbidden.length > 0)
    return { unapprovable: held ?? firstNamed(forbidden, 3, "; ") };
  const waiting = verdicts.find(({ does }) => does === "wait" || does === "report" || does === "refresh");
  if (waiting) return { delay: waiting.reason ?? whileAtWork };
  const { unaffordable } = decision.type === "rest" ? decision : {};
  return unaffordable === undefined ? {} : { delay: quotaTooLow(unaffordable) };
}

/** All on which the effect of an approval in an environment depends, beside its rules, as plain values. */
export function basisOfEffects(view: View, { verdicts }: FinalDecision): (key: string) => unknown {
  const { commit, mistakes, isUnread, dropped, refused, affordable, ledger, now } = view;
  const whole = view.plans.get(everything.key);
  const messages = (problems: readonly Problem[]) => problems.map(({ message }) => message);
  const around = [
    [commit, mistakes.length, isUnread, dropped, messages(refused), messages(whole?.plan.problems ?? [])],
    Math.min(affordable, whole?.cost.applying ?? 0),
    [ledger.limits, ledger.countedSince, recentDeletions(ledger.deletions, now).length],
    // A plan may need changes of another environment.
    verdicts.map(({ does, environment, plan }) => [environment.key, does, plan]),
  ];
  return (key) => {
    const its = verdicts.filter(({ environment }) => environment.key === key);
    return [
      around,
      its.map(({ does, plan, reason, left, problems }) => [
        does,
        plan,
        reason,
        [...left],
        messages(problems),
      ]),
    ];
  };
}

export function quotaTooLow(requests: number): string {
  return `the quota is too low: it takes ${counted(requests, "request")}`;
}
