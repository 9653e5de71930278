import type { RunResult, Proposal } from "../../core/execution/session/index.ts";
import {
  decide,
  type FinalDecision,
  approvalEffect,
  basisOfEffects,
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

/** What becomes of plans that wait if a person approves them. It is decided again only where something has changed: each takes a plan of its own. */
export class ApprovalEffects {
  readonly #known = new Map<string, { plan: string; basis: string; effect: Partial<EnvironmentState> }>();

  /** The effects by the keys of environments. @param plan makes a plan of a scope */
  async of(
    view: View,
    decision: FinalDecision,
    plan: MakePlan,
  ): Promise<ReadonlyMap<string, Partial<EnvironmentState>>> {
    const effects = new Map<string, Partial<EnvironmentState>>();
    const basisOf = basisOfEffects(view, decision);
    for (const [key, approved] of viewsWithApproval(view, decision)) {
      const { rules, requested } = approved.environments.find((each) => each.key === key) ?? {};
      const digest = requested?.type === "approve" ? requested.plan : "";
      const basis = JSON.stringify([basisOf(key), rules]);
      let known = this.#known.get(key);
      // Nothing is decided again before a plan of other environments is carried out.
      if (known?.plan !== digest || (known.basis !== basis && decision.type !== "apply")) {
        const settled = await settle(approved, plan, () => Promise.resolve(undefined));
        known = { plan: digest, basis, effect: approvalEffect(key, settled.decision) };
        this.#known.set(key, known);
      }
      effects.set(key, known.effect);
    }
    return effects;
  }
}
