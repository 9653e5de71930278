import type { Budget } from "../../core/api/index.ts";
import {
  type Action,
  allActionTypes,
  type Cost,
  costOf,
  countActions,
  countLosses,
  deletes,
  factsOf,
  hasChanges,
  isChange,
  isReplacement,
  type Plan,
  unmanagedCounts,
} from "../../core/planning/plan/index.ts";
import type { Section } from "../../core/report/block.ts";
import { escapeControl } from "../../core/values/text.ts";
import type { Colors } from "../terminal/colors.ts";
import type { TypedCommand } from "../terminal/typed-command.ts";
import type { SectionOf } from "./changes.ts";
import { partsOf, type PlanComparison } from "./plan-comparison.ts";
import { lossesOf, mostLosses, notesOf, refusalsOf, setFieldsOf, wavesOf } from "./lists.ts";
import { headingText, listText, lossesText, symbolText, sectionsText } from "./print.ts";
import { footOfPlan } from "./requests.ts";
import { counted, title } from "./text.ts";
import { fitted } from "./width.ts";

export interface PlanView {
  colors: Colors;
  budget: Budget;
  /** Milliseconds since 1970. */
  now: number;
  /** The width of the terminal; absent: there is none. */
  width?: number | undefined;
  /** As `ManifestContents` has them. */
  set?: readonly string[] | undefined;
  /** The environments of the settings file that have a resource, in words. */
  sectionOf?: SectionOf | undefined;
  /** Whether actions that are alike are one line. */
  isSummary?: boolean | undefined;
  /** What the file of a saved plan says of it: it has no value of a secret, and not all that counts for the cost. */
  saved?: { cost: Cost; digest: string } | undefined;
  /** The command line that shows the plan; absent: unknown. */
  typed?: TypedCommand | undefined;
}

/** A plan with more lines repeats deletions and replacements at its end. */
const longPlan = 30;

/**
 * A plan as text: losses that nobody can restore, its actions and their reasons, notes, problems that forbid it, and
 * the number of requests. Loads what describes changes, which compares texts and writes YAML, where there are some.
 */
export async function renderPlan(plan: Plan, view: PlanView, comparison?: PlanComparison): Promise<string> {
  const { colors, width } = view;
  if (!hasChanges(plan) && !comparison) return fitted(renderPlanEnd(plan, "", view), width);
  const text = await (comparison ? renderCompared(comparison, view) : renderActions(plan.actions, view));
  const changes = comparison ? text : `${heading(plan)}\n\n${text}`;
  const losses = lossesText(lossesOf(plan.actions), mostLosses, colors);
  // Losses do not make the end of a comparison longer: they stand above all of its sections.
  const end = renderPlanEnd(plan, comparison ? changes : [...losses, changes].join("\n\n"), view);
  return fitted([...losses, changes, end].join("\n\n"), width);
}

/** Actions, one below the other, section by section; those that change nothing are left out. */
export async function renderActions(
  actions: readonly Action[],
  { colors, width, sectionOf, isSummary }: PlanView,
): Promise<string> {
  const { changesOf, grouped, sectionsOf } = await import("./changes.ts");
  const sections: Section[] = sectionsOf(actions, sectionOf, isSummary ? grouped : changesOf);
  return sectionsText(sections, colors, width);
}

/** Actions of the change itself, apart from differences that existed before. */
async function renderCompared({ name, ...parts }: PlanComparison, view: PlanView): Promise<string> {
  const sections = await Promise.all(
    partsOf({ name, ...parts }).map(
      async ({ title: text, actions }) =>
        `${view.colors.bold(`${escapeControl(text)}:`)}\n\n${await renderActions(actions, view)}`,
    ),
  );
  const nothing = `Compared with ${escapeControl(name)}, these manifests change nothing.`;
  return [...(parts.own.length === 0 ? [nothing] : []), ...sections].join("\n\n");
}

/**
 * The text below the actions of a plan: notes, problems that forbid it, the deletions and replacements of a long plan,
 * counts and the number of requests.
 *
 * @param actions the text before it
 */
export function renderPlanEnd(plan: Plan, actions: string, view: PlanView): string {
  const { colors, budget, now, set, saved, typed } = view;
  const lists = [wavesOf(plan), setFieldsOf(set), notesOf(plan.notes), refusalsOf(plan.problems, typed)];
  return [
    ...lists.flatMap((list) => listText(list, colors)),
    ...(actions.split("\n").length > longPlan ? renderDeleted(plan.actions, colors) : []),
    [summary(plan, colors), ...footOfPlan(plan, saved?.cost ?? costOf(plan), budget, now)].join("\n"),
  ].join("\n\n");
}

/** The name of the organization of a plan, or its id where the name is unknown. */
function organizationOf({ organization }: Plan): string {
  return escapeControl(organization.name ?? organization.id);
}

function heading(plan: Plan): string {
  const legend = plan.actions.some(isReplacement) ? " (±: deleted and created again)" : "";
  return `infrasync will make these changes in ${organizationOf(plan)}${legend}:`;
}

/** `Plan: 1 to create; 4 unchanged.` */
export function summary(plan: Plan, colors: Colors): string {
  const counts = countActions(plan.actions);
  const brought = plan.actions.filter(
    (action) => !isChange(action) && action.carriedOutBy !== undefined,
  ).length;
  const same = counts.none - brought;
  if (!hasChanges(plan) && plan.goal === "destroy")
    return `${colors.green("Nothing to delete:")} ${organizationOf(plan)} contains no resource that the manifests declare.`;
  if (!hasChanges(plan)) {
    const { unmanaged = [], unread = [] } = plan;
    const where = `in ${organizationOf(plan)}`;
    if (unmanaged.length > 0)
      return `${colors.yellow("No changes to make:")} ${unmanagedCounts(unmanaged)} ${unmanaged.length === 1 ? "is" : "are"} ${where} but missing in the manifests.`;
    const are = `${counted(same, "resource")} ${where} ${same === 1 ? "is" : "are"}`;
    if (plan.notes.some(({ code }) => code === "values_not_compared"))
      return `${colors.green("No changes to make:")} ${are} as the manifests declare, as far as secrets can be compared.`;
    if (unread.length > 0 || plan.notes.some(({ code }) => code === "not_deployed"))
      return `${colors.green("No changes to make:")} ${are} as the manifests declare.`;
    return `${colors.green("No changes:")} ${counted(same, "resource")} ${where} ${same === 1 ? "matches" : "match"} the manifests.`;
  }
  const parts = allActionTypes.flatMap((type) =>
    counts[type] === 0 || !isChange({ type }) ? [] : [`${counts[type]} to ${type}`],
  );
  const lost = countLosses(plan.actions);
  return [
    `${colors.bold("Plan:")} ${parts.join(", ")}`,
    ...(lost > 0 ? [`${lost} more will be deleted with them`] : []),
    ...(brought > 0 ? [`${brought} copied by a clone without changes`] : []),
    ...(same > 0 ? [`${same} unchanged`] : []),
  ]
    .join("; ")
    .concat(".");
}

/** The deletions and replacements of a plan, one resource a line, without details. */
function renderDeleted(actions: readonly Action[], colors: Colors): string[] {
  const deleted = actions.filter(deletes);
  if (deleted.length === 0) return [];
  const lines = deleted.map((action) => `  ${symbolText(factsOf(action), colors)} ${title(action.address)}`);
  return [[headingText("Deleted, or deleted and created again (±):", "bad", colors), ...lines].join("\n")];
}
