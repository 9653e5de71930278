import type { Budget } from "../../core/api/index.ts";
import {
  type Action,
  countActions,
  countLosses,
  hasChanges,
  type Note,
  type Plan,
  allActionTypes,
  deletes,
  isChange,
  isReplacement,
} from "../../core/plan/index.ts";
import type { Problem } from "../../core/problem.ts";
import { escapeControl } from "../../core/text.ts";
import type { Colors } from "../terminal/colors.ts";
import type { TypedCommand } from "../terminal/typed-command.ts";
import { shownNotes } from "./notes.ts";
import { placeOf } from "./problems.ts";
import type { SectionOf } from "./sections.ts";
import { withoutRepetition } from "./alike.ts";
import { consentLine } from "./consent-flags.ts";
import { adviceOf } from "./remedies.ts";
import { rememberedInPlan, requestsOfPlan } from "./requests.ts";
import { counted } from "./text.ts";
import { wavesHeading, wavesOfChanges } from "./waves.ts";
import { fitted } from "./width.ts";
import { symbolOf, title } from "./title.ts";

/** Options for showing a plan. */
export interface PlanView {
  colors: Colors;
  budget: Budget;
  /** Milliseconds since 1970. */
  now: number;
  /** The width of the terminal; absent: there is none. */
  width?: number | undefined;
  /** The fields that the command line sets: `job:shop/production/web:source.image.tag`. */
  set?: readonly string[] | undefined;
  sectionOf?: SectionOf | undefined;
  /** Whether actions that are alike are one line. */
  isSummary?: boolean | undefined;
  /** The command line that shows the plan; absent: unknown. */
  typed?: TypedCommand | undefined;
}

/** A plan with more lines repeats deletions and replacements at its end. */
const longPlan = 30;

/**
 * A plan as text: losses that nobody can restore, its actions and their reasons, notes, problems that forbid it, and
 * the number of requests. Loads what describes changes, which compares texts and writes YAML, where there are some.
 */
export async function renderPlan(plan: Plan, view: PlanView): Promise<string> {
  if (!hasChanges(plan)) return fitted(renderPlanEnd(plan, "", view), view.width);
  const { renderActions, renderFinalLosses } = await import("./plan-actions.ts");
  const changes = `${heading(plan)}\n\n${renderActions(plan.actions, view)}`;
  const actions = [...renderFinalLosses(plan.actions, view.colors), changes].join("\n\n");
  return fitted(`${actions}\n\n${renderPlanEnd(plan, actions, view)}`, view.width);
}

/**
 * The text below the actions of a plan: notes, problems that forbid it, the deletions and replacements of a long plan,
 * counts and the number of requests.
 *
 * @param actions the text before it
 */
export function renderPlanEnd(plan: Plan, actions: string, view: PlanView): string {
  return [
    ...renderWaves(plan),
    ...renderSet(view),
    ...renderNotes(plan.notes, view.colors),
    ...renderRefusal(plan.problems, view),
    ...(actions.split("\n").length > longPlan ? renderDeleted(plan.actions, view.colors) : []),
    [summary(plan, view.colors), ...rememberedInPlan(plan), requestsOfPlan(plan, view.budget, view.now)].join(
      "\n",
    ),
  ].join("\n\n");
}

/** The waves in which services of an environment are changed, if documents state waves. */
function renderWaves(plan: Plan): string[] {
  const lines = wavesOfChanges(plan).map((text) => `  ${escapeControl(text)}`);
  return lines.length === 0 ? [] : [[`${wavesHeading}:`, ...lines].join("\n")];
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
    return `${colors.green("Nothing to delete:")} ${organizationOf(plan)} contains no resource that the manifests describe.`;
  if (!hasChanges(plan)) {
    return `${colors.green("No changes:")} ${counted(same, "resource")} in ${organizationOf(plan)} ${same === 1 ? "matches" : "match"} the manifests.`;
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

/** The fields that the command line sets, which no reader of the manifests sees. */
function renderSet({ set = [], colors }: PlanView): string[] {
  if (set.length === 0) return [];
  const lines = set.map((field) => `  ${escapeControl(field)}`);
  return [[colors.bold("Set with --set, not by a manifest:"), ...lines].join("\n")];
}

/** The deletions and replacements of a plan, one resource a line, without details. */
function renderDeleted(actions: readonly Action[], colors: Colors): string[] {
  const deleted = actions.filter(deletes);
  if (deleted.length === 0) return [];
  const lines = deleted.map((action) => `  ${symbolOf(action, colors)} ${title(action.address)}`);
  return [[colors.red(colors.bold("Deleted, or deleted and created again (±):")), ...lines].join("\n")];
}

function renderNotes(notes: readonly Note[], colors: Colors): string[] {
  if (notes.length === 0) return [];
  const lines = shownNotes(notes).map(
    ({ address, text }) => `  ${address === undefined ? "" : `${title(address)}: `}${escapeControl(text)}`,
  );
  return [[colors.bold("Notes:"), ...lines].join("\n")];
}

function renderRefusal(problems: readonly Problem[], { colors, typed }: PlanView): string[] {
  if (problems.length === 0) return [];
  const lines = withoutRepetition(problems).map((problem) => {
    const advice = adviceOf(problem);
    return `  ${placeOf(problem.position)}${escapeControl(problem.message)}${advice === undefined ? "" : `\n    ${escapeControl(advice)}`}`;
  });
  const consent = consentLine(problems, typed);
  const refusal = [colors.red(colors.bold("infrasync will refuse to apply this plan:")), ...lines].join("\n");
  return [refusal, ...(consent ? [`${consent.heading}\n  ${consent.command}`] : [])];
}
