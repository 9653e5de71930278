import { digestOfActions } from "../../core/outputs/forms/digest.ts";
import type { PlanForm } from "../../core/outputs/forms/index.ts";
import { hasChanges, type Plan } from "../../core/planning/plan/index.ts";
import type { Problem } from "../../core/problems/problem.ts";
import { comparedJson, type PlanComparison } from "../render/plan-comparison.ts";
import { type PlanView, renderPlan } from "../render/plan.ts";
import type { Console } from "../terminal/console.ts";

interface PlanAdditions extends Pick<PlanView, "set" | "sectionOf" | "isSummary" | "saved" | "budget"> {
  comparison?: PlanComparison | undefined;
}

/** Shows a plan in a format: `json`, `markdown`, or as text. Loads what the format needs. */
export async function showPlan(
  made: Plan,
  { comparison, set = [], sectionOf, isSummary, saved, budget }: PlanAdditions,
  output: string | undefined,
  console: Console,
): Promise<void> {
  const now = Date.now();
  if (console.json) {
    const { planJson } = await import("../render/json.ts");
    console.document({
      ...outcomeOf(made.problems),
      ...planJson(made, budget, set),
      ...(comparison && comparedJson(comparison)),
    });
  } else if (output === "markdown") {
    const { planMarkdown } = await import("../render/plan-markdown.ts");
    console.data(planMarkdown(made, { budget, now, comparison, set, sectionOf, saved }));
  } else {
    const view = {
      colors: console.dataColors,
      budget,
      now,
      width: console.dataWidth,
      set,
      sectionOf,
      isSummary,
      saved,
      typed: console.typed,
    };
    console.data(await planText(made, view, comparison));
  }
}

/** The members of the JSON form of a plan that have values from manifests, or sentences. */
const membersWithValues = new Set(["declared", "expected", "before", "after", "message", "advice", "set"]);

/** A plan as JSON for the file that keeps it, without the texts that nothing shows: `show` does not know them. */
export async function savedForm(
  made: Plan,
  set: readonly string[] | undefined,
  console: Console,
): Promise<PlanForm> {
  const { planJson } = await import("../render/json.ts");
  const form: PlanForm = { ...outcomeOf(made.problems), ...planJson(made, {}, set) };
  const shown = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (_, each: unknown) =>
      typeof each === "string" ? console.redact(each) : each,
    );
  return JSON.parse(JSON.stringify(form), (member, each: unknown) =>
    membersWithValues.has(member) ? shown(each) : each,
  ) as PlanForm;
}

async function planText(made: Plan, view: PlanView, comparison?: PlanComparison): Promise<string> {
  const text = await renderPlan(made, view, comparison);
  // A deletion by destroy has no review: it is applied by whoever plans it.
  const isReviewed = hasChanges(made) && made.goal === "reconcile";
  return isReviewed ? `${text}\nDigest: ${view.saved?.digest ?? digestOfActions(made)}` : text;
}

/** Whether the plan can be applied, for programs. */
function outcomeOf(problems: readonly Problem[]): Pick<PlanForm, "ok" | "error"> {
  const [first, second] = problems;
  if (!first) return { ok: true };
  const message = second ? `${problems.length} approvals are missing` : first.message;
  return { ok: false, error: { code: "not_approved", message } };
}
