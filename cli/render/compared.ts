import { formatAddress } from "../../core/address.ts";
import { formatPath } from "../../core/fields/compare.ts";
import { type Action, type Plan, factsOf } from "../../core/plan/index.ts";
import type { ComparedPlans } from "../../core/session/index.ts";
import { escapeControl } from "../../core/text.ts";
import { renderActions, renderFinalLosses } from "./plan-actions.ts";
import { type PlanView, renderPlanEnd } from "./plan.ts";
import { fitted } from "./width.ts";

/** A plan beside that of the base of a change. */
export interface PlanComparison extends ComparedPlans {
  /** The base, as it was named: `main`. */
  name: string;
}

/** The parts of a comparison that have actions, with what they are. */
export function sectionsOf({
  name,
  own,
  earlier,
  settled,
}: PlanComparison): { title: string; actions: readonly Action[] }[] {
  return [
    { title: `What the change itself does, compared with ${escapeControl(name)}`, actions: own },
    { title: "Was there before the change; an apply does this too", actions: earlier },
    {
      title: `An apply of ${escapeControl(name)} would do this; with the change, nothing is left to do`,
      actions: settled,
    },
  ].filter(({ actions }) => actions.length > 0);
}

/** A plan as text that separates the effects of the change from differences that existed before. */
export function renderCompared(plan: Plan, comparison: PlanComparison, view: PlanView): string {
  const { own, name } = comparison;
  const sections = [
    ...(own.length === 0 ? [`Compared with ${escapeControl(name)}, the change itself does nothing.`] : []),
    ...sectionsOf(comparison).map(
      ({ title, actions }) => `${view.colors.bold(`${title}:`)}\n\n${renderActions(actions, view)}`,
    ),
  ].join("\n\n");
  return fitted(
    [...renderFinalLosses(plan.actions, view.colors), sections, renderPlanEnd(plan, sections, view)].join(
      "\n\n",
    ),
    view.width,
  );
}

/** A comparison for programs. */
export function comparedJson({ name, own, earlier, settled }: PlanComparison) {
  const part = (actions: readonly Action[]) =>
    actions.map((action) => ({
      action: action.type,
      address: formatAddress(action.address),
      ...(factsOf(action).compares && { fields: action.changes.map(({ path }) => formatPath(path)) }),
    }));
  return { base: { name, own: part(own), earlier: part(earlier), settled: part(settled) } };
}
