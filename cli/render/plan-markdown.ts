import picocolors from "picocolors";
import { type AnyAddress, formatReference } from "../../core/address.ts";
import { digestOfActions } from "../../core/forms/index.ts";
import {
  type Action,
  hasChanges,
  type Plan,
  adds,
  deletes,
  factsOf,
  isChange,
} from "../../core/plan/index.ts";
import type { Problem } from "../../core/problem.ts";
import { describeAction } from "./actions.ts";
import { symbolOf, title } from "./title.ts";
import { type PlanComparison, sectionsOf } from "./compared.ts";
import { lossesMarkdown } from "./losses.ts";
import { code, codeBlock, fold, plain, table } from "./markdown.ts";
import { type PlanView, summary } from "./plan.ts";
import { placeOf } from "./problems.ts";
import { withoutRepetition } from "./alike.ts";
import { consentLine } from "./consent-flags.ts";
import { adviceOf } from "./remedies.ts";
import { inSections } from "./sections.ts";
import { requestsOfPlan } from "./requests.ts";
import { counted } from "./text.ts";
import { wavesHeading, wavesOfChanges } from "./waves.ts";
import type { Report } from "../../core/execute/index.ts";
import { shownNotes } from "./notes.ts";
import { type ReportView, renderReport } from "./report.ts";

const colors = picocolors.createColors(false);

/** GitHub accepts comments of up to 65,536 characters; only two parts of a comment are long. */
const longestPart = 25_000;

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
    set = [],
    sectionOf,
  }: Omit<PlanView, "colors"> & { comparison?: PlanComparison | undefined },
): string {
  const actions = plan.actions.filter(isChange);
  return [
    `### ${plain(summary(plan, colors))}`,
    ...lossesMarkdown(plan.actions),
    ...(comparison ? comparedMarkdown(comparison) : []),
    ...(hasChanges(plan) && !comparison ? [...actionTables(actions, sectionOf), ...fieldsOf(actions)] : []),
    ...bullets(wavesHeading, wavesOfChanges(plan).map(plain)),
    ...bullets(
      "infrasync will refuse to apply this plan",
      withoutRepetition(plan.problems).map((problem) => refusal(problem)),
    ),
    ...consentMarkdown(plan.problems),
    ...bullets(
      "Notes",
      shownNotes(plan.notes).map(
        ({ address, text }) => `${address === undefined ? "" : `${resource(address)}: `}${plain(text)}`,
      ),
    ),
    ...bullets("Set with --set, not by a manifest", set.map(code)),
    `<sub>${plain(requestsOfPlan(plan, budget, now))}${hasChanges(plan) ? ` Digest: ${digestOfActions(plan)}` : ""}</sub>`,
  ].join("\n\n");
}

/** The actions of the change itself, and folded the other actions of an apply. */
function comparedMarkdown(comparison: PlanComparison): string[] {
  const { own, name } = comparison;
  const [first, ...others] = sectionsOf(comparison);
  const shown = (actions: readonly Action[]) => [actionTable(actions), ...fieldsOf(actions)].join("\n\n");
  const folded = own.length === 0 && first ? [first, ...others] : others;
  return [
    ...(own.length === 0
      ? [`Compared with ${code(name)}, the change itself does nothing.`]
      : [`**What the change itself does, compared with ${code(name)}:**`, shown(own)]),
    ...folded.map(({ title: what, actions }) => fold(`${plain(what)} (${actions.length})`, shown(actions))),
  ];
}

function actionTables(actions: readonly Action[], sectionOf: PlanView["sectionOf"]): string[] {
  return inSections(actions, sectionOf).flatMap(({ title: heading, actions: inside }) => [
    ...(heading === undefined ? [] : [`**${plain(heading)}**`]),
    actionTable(inside),
  ]);
}

function actionTable(actions: readonly Action[]): string {
  const rows = actions.map((action) => {
    const { remark = "" } = describeAction(action, colors);
    return [code(symbolOf(action, colors)), resource(action.address), plain(remark)];
  });
  const { shown, left } = fitting(rows, (cells) => cells.join(" | ").length);
  const more = left === 0 ? "" : `\n\n… and ${left} more.`;
  return table(["", "Resource", ""], shown) + more;
}

function fieldsOf(actions: readonly Action[]): string[] {
  const lines = actions.flatMap((action) => {
    const { details } = describeAction(action, colors);
    if (details.length === 0) return [];
    const symbol = symbolOf(action, colors);
    const mark = factsOf(action).diffMark;
    const first = mark === symbol ? mark : `${mark} ${symbol}`;
    return [`${first} ${title(action.address)}`, ...details.flatMap((detail) => detailLines(detail, action))];
  });
  if (lines.length === 0) return [];
  const { shown, left } = fitting(lines, (line) => line.length + 1);
  const more = left === 0 ? [] : [`  … and ${counted(left, "more line")}`];
  return [fold("Field by field", codeBlock([...shown, ...more], "diff"))];
}

/**
 * A detail of an action, whose lines begin with the character that colours them: that of the action, or in the
 * difference of a text their own. Any other line is indented, so that no text of a manifest colours it.
 */
function detailLines(detail: string, action: Action): string[] {
  const [first = "", ...others] = detail.split("\n");
  const isKept = /^also (deletes|loses)/.test(first);
  const mark = isKept ? "-" : isWhole(action) ? factsOf(action).diffMark : " ";
  const differs = !isKept && !isWhole(action) && !first.includes(" ");
  return [
    `${mark}     ${first}`,
    ...others.map((line) => {
      const [, sign = " "] = (differs && /^ {2}([+-])/.exec(line)) || [];
      return differs && sign !== " " ? `${sign}       ${line.slice(3)}` : `${mark}     ${line}`;
    }),
  ];
}

/** Whether an action adds or removes all that its details show. */
function isWhole(action: Action): boolean {
  return (adds(action) || deletes(action)) && !factsOf(action).compares;
}

function resource({ kind, names }: AnyAddress): string {
  return `${kind.name} ${code(formatReference(names))}`;
}

/** The flags that consent to what is refused: the job that plans is not the command of a person. */
function consentMarkdown(problems: readonly Problem[]): string[] {
  const consent = consentLine(problems);
  return consent ? [`**${consent.heading}** ${code(consent.command)}`] : [];
}

function refusal(problem: Problem): string {
  const { message, position } = problem;
  const advice = adviceOf(problem);
  return `${plain(placeOf(position))}${plain(message)}${advice === undefined ? "" : `<br>${plain(advice)}`}`;
}

function bullets(heading: string, items: readonly string[]): string[] {
  if (items.length === 0) return [];
  const { shown, left } = fitting(items, (item) => item.length);
  const more = left === 0 ? [] : [`- … and ${left} more`];
  return [[`**${heading}:**`, "", ...shown.map((item) => `- ${item}`), ...more].join("\n")];
}

/** The first parts, as many as fit, and how many do not. */
function fitting<Part>(
  parts: readonly Part[],
  lengthOf: (part: Part) => number,
): { shown: Part[]; left: number } {
  let room = longestPart;
  const shown: Part[] = [];
  for (const part of parts) {
    room -= lengthOf(part);
    if (room < 0) break;
    shown.push(part);
  }
  return { shown, left: parts.length - shown.length };
}

/** With its plan, a report of this length fits into a comment. */
const longestReport = 10_000;

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
  const lines = renderReport(report, { ...view, colors: picocolors.createColors(false) }).split("\n");
  let room = longestReport;
  // The last lines sum up the run.
  const end = lines.slice(-3);
  const shown = lines.slice(0, -3).filter((line) => {
    room -= line.length + 1;
    return room >= 0;
  });
  const left = lines.length - end.length - shown.length;
  const more = left === 0 ? [] : [`… and ${left} more lines`];
  return `**Result:**\n\n${codeBlock([...shown, ...more, ...end], "")}`;
}
