import type { RunResult, Proposal } from "../../core/execution/session/index.ts";
import {
  decide,
  type FinalDecision,
  approvalEffect,
  type EnvironmentState,
  type PlanTargets,
  type View,
  viewsWithApproval,
} from "../decide/index.ts";

type MakePlan = (scope: PlanTargets) => Promise<Proposal>;

/** Decides, and carries out the decision: a refused plan, and one that has to be made first, lead to another decision. */
export async function settle(
  seen: View,
  plan: MakePlan,
  carryOut: (decision: FinalDecision, view: View) => Promise<RunResult | undefined>,
) {
  for (let view = seen; ;) {
    const decision = decide(view);
    if (decision.type === "plan") {
      const plans = new Map(view.plans);
      for (const scope of decision.scopes) plans.set(scope.key, await plan(scope));
      view = { ...view, plans };
      continue;
    }
    const ending = await carryOut(decision, view);
    if (ending?.type !== "refused") return { decision, view, ending };
    view = { ...view, refused: [...view.refused, ...ending.problems] };
  }
}

/** What becomes of each plan that is not carried out by itself if a person approves it, by the keys of environments. */
export async function approvalsIn(
  view: View,
  decision: FinalDecision,
  plan: MakePlan,
): Promise<Map<string, Partial<EnvironmentState>>> {
  const found = new Map<string, Partial<EnvironmentState>>();
  for (const [key, approved] of viewsWithApproval(view, decision)) {
    const settled = await settle(approved, plan, () => Promise.resolve(undefined));
    found.set(key, approvalEffect(key, settled.decision));
  }
  return found;
}
