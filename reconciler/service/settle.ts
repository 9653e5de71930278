import type { RunResult, Proposal } from "../../core/execution/session/index.ts";
import { type Decision, decide, type PlanTargets, type View } from "../decide/index.ts";

/** Decides, and carries out the decision: a refused plan, and one that has to be made first, lead to another decision. */
export async function settle(
  seen: View,
  plan: (scope: PlanTargets) => Promise<Proposal>,
  carryOut: (decision: Extract<Decision, { type: "apply" }>) => Promise<RunResult | undefined>,
) {
  for (let view = seen; ;) {
    const decision = decide(view);
    if (decision.type === "plan") {
      const plans = new Map(view.plans);
      for (const scope of decision.scopes) plans.set(scope.key, await plan(scope));
      view = { ...view, plans };
      continue;
    }
    const ending = decision.type === "apply" ? await carryOut(decision) : undefined;
    if (ending?.type !== "refused") return { decision, view, ending };
    view = { ...view, refused: [...view.refused, ...ending.problems] };
  }
}
