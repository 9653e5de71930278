import type { Report } from "../../core/execute/index.ts";
import picocolors from "picocolors";
import type { Budget } from "../../core/api/budget.ts";
import type { Plan } from "../../core/plan/index.ts";
import { codeBlock } from "./markdown.ts";
import { planMarkdown } from "./plan-markdown.ts";
import { renderReport } from "./report.ts";

/** With its plan, a report of this length fits into a comment. */
const longestReport = 10_000;

/** A plan as Markdown, and below it what became of it, if it was carried out. */
export function runMarkdown(
  plan: Plan,
  report: Report | undefined,
  view: { budget: Budget; now: number; set?: readonly string[] | undefined },
): string {
  const { budget, now, set = [] } = view;
  return [
    planMarkdown(plan, { budget, now, set }),
    ...(report ? [reportMarkdown(report, { budget, now })] : []),
  ].join("\n\n");
}

/** A report as Markdown: what failed and why, and what was done. */
export function reportMarkdown(report: Report, view: { budget: Budget; now: number }): string {
  const lines = renderReport(report, { ...view, colors: picocolors.createColors(false) }).split("\n");
  let room = longestReport;
  // The end says what was done in all.
  const end = lines.slice(-3);
  const shown = lines.slice(0, -3).filter((line) => {
    room -= line.length + 1;
    return room >= 0;
  });
  const left = lines.length - end.length - shown.length;
  const more = left === 0 ? [] : [`… and ${left} more lines`];
  return `**What became of it:**\n\n${codeBlock([...shown, ...more, ...end], "")}`;
}
