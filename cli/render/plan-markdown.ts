import picocolors from "picocolors";
import type { Report } from "../../core/execution/execute/index.ts";
import { digestOfActions } from "../../core/outputs/forms/index.ts";
import { type Action, costOf, hasChanges, isChange, type Plan } from "../../core/planning/plan/index.ts";
import {
  changeTable,
  detailsMarkdown,
  listMarkdown,
  lossesMarkdown,
  reportMarkdown as linesMarkdown,
} from "../../core/report/markdown.ts";
import { code, fold, plain } from "../../core/report/markdown-text.ts";
import { changesOf, sectionsOf } from "./changes.ts";
import { partsOf, type PlanComparison } from "./plan-comparison.ts";
import { lossesOf, mostLosses, notesOf, refusalsOf, setFieldsOf, wavesOf } from "./lists.ts";
import { type PlanView, summary } from "./plan.ts";
import { renderReport, type ReportView } from "./report.ts";
import { footOfPlan } from "./requests.ts";

const colors = picocolors.createColors(false);

/**
 * A plan as Markdown for a pull request comment: a table of the actions, their fields in a fold, notes, problems and the
 * number of requests. However large the plan, the text fits into a comment.
 */
export function planMarkdown(
  plan: Plan,
  {
    budget,
    now,
    comparison,
    set,
    sectionOf,
    saved,
  }: Omit<PlanView, "colors"> & { comparison?: PlanComparison | undefined },
): string {
  const lists = [wavesOf(plan), refusalsOf(plan.problems), notesOf(plan.notes), setFieldsOf(set)];
  const digest = hasChanges(plan) ? ` Digest: ${saved?.digest ?? digestOfActions(plan)}` : "";
  return [
    `### ${plain(summary(plan, colors))}`,
    ...lossesMarkdown(lossesOf(plan.actions), mostLosses),
    ...(comparison ? comparedMarkdown(comparison) : hasChanges(plan) ? actionsMarkdown(plan, sectionOf) : []),
    ...lists.flatMap(listMarkdown),
    `<sub>${plain(footOfPlan(plan, saved?.cost ?? costOf(plan), budget, now).join(" "))}${digest}</sub>`,
  ].join("\n\n");
}

function actionsMarkdown({ actions }: Pick<Plan, "actions">, sectionOf: PlanView["sectionOf"]): string[] {
  const sections = sectionsOf(actions, sectionOf, changesOf);
  return [
    ...sections.flatMap(({ heading, changes }) => [
      ...(heading === undefined ? [] : [`**${plain(heading)}**`]),
      changeTable(changes),
    ]),
    ...detailsMarkdown(changesOf(actions.filter(isChange))),
  ];
}

/** The actions of the change itself, and folded the other actions of an apply. */
function comparedMarkdown(comparison: PlanComparison): string[] {
  const { own, name } = comparison;
  const parts = partsOf(comparison).filter(({ actions }) => actions !== own);
  const shown = (actions: readonly Action[]) => {
    const changes = changesOf(actions);
    return [changeTable(changes), ...detailsMarkdown(changes)].join("\n\n");
  };
  return [
    ...(own.length === 0
      ? [`Compared with ${code(name)}, these manifests change nothing.`]
      : [`**Changes of these manifests, compared with ${code(name)}:**`, shown(own)]),
    ...parts.map(({ title, actions }) => fold(`${plain(title)} (${actions.length})`, shown(actions))),
  ];
}

/** A plan as Markdown, and below it what became of it, if it was carried out. */
export function runMarkdown(
  plan: Plan,
  report: Report | undefined,
  view: Pick<PlanView, "budget" | "now" | "set" | "sectionOf"> & Pick<ReportView, "next" | "isOnePlan">,
): string {
  return [planMarkdown(plan, view), ...(report ? [reportMarkdown(report, view)] : [])].join("\n\n");
}

/** A report as Markdown: failures with their reasons, then completed actions. */
export function reportMarkdown(
  report: Report,
  view: Pick<ReportView, "budget" | "now" | "next" | "isOnePlan">,
): string {
  return linesMarkdown(renderReport(report, { ...view, colors }).split("\n"));
}
