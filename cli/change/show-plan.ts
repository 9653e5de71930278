import picocolors from "picocolors";
import type { Budget } from "../../core/api/index.ts";
import { digestOfActions } from "../../core/forms/digest.ts";
import type { PlanForm } from "../../core/forms/index.ts";
import type { PrintedPlan } from "../../core/forms/saved-plan/index.ts";
import { hasChanges, type Plan } from "../../core/plan/index.ts";
import type { Problem } from "../../core/problem.ts";
import { comparedJson, type PlanComparison } from "../render/compared.ts";
import { type PlanView, renderPlan } from "../render/plan.ts";
import type { Console } from "../terminal/console.ts";

/** Additions to the output of a plan. */
interface Shown {
  comparison?: PlanComparison | undefined;
  /** The fields that the command line sets. */
  set?: readonly string[] | undefined;
  sectionOf?: PlanView["sectionOf"];
  isSummary?: boolean | undefined;
  budget: Budget;
}

/** Shows a plan in a format: `json`, `markdown`, or as text. Loads what the format needs. */
export async function showPlan(
  made: Plan,
  { comparison, set = [], sectionOf, isSummary, budget }: Shown,
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
    console.data(planMarkdown(made, { budget, now, comparison, set, sectionOf }));
  } else {
    const view = {
      colors: console.dataColors,
      budget,
      now,
      width: console.dataWidth,
      set,
      sectionOf,
      isSummary,
      typed: console.typed,
    };
    console.data(await planText(made, view, comparison));
  }
}

/** What a plan is in each format, for the file that keeps it: `show` shows it without a server. */
export async function printedPlan(
  made: Plan,
  { set = [], sectionOf }: Pick<Shown, "set" | "sectionOf">,
  console: Console,
): Promise<PrintedPlan> {
  const { planJson } = await import("../render/json.ts");
  const { planMarkdown } = await import("../render/plan-markdown.ts");
  const view = { budget: {}, now: Date.now(), set, sectionOf };
  const text = await planText(made, { ...view, colors: picocolors.createColors(true) });
  return {
    plan: { ...outcomeOf(made.problems), ...planJson(made, {}, set) },
    shown: {
      text: console.redact(text),
      markdown: console.redact(planMarkdown(made, view)),
    },
  };
}

async function planText(made: Plan, view: PlanView, comparison?: PlanComparison): Promise<string> {
  const text = await renderPlan(made, view, comparison);
  // A deletion by destroy has no review: it is applied by whoever plans it.
  const isReviewed = hasChanges(made) && made.goal === "reconcile";
  return isReviewed ? `${text}\nDigest: ${digestOfActions(made)}` : text;
}

/** Whether the plan can be applied, for programs. */
function outcomeOf(problems: readonly Problem[]): Pick<PlanForm, "ok" | "error"> {
  const [first, second] = problems;
  if (!first) return { ok: true };
  const message = second ? `${problems.length} consents are missing` : first.message;
  return { ok: false, error: { code: "consent", message } };
}
