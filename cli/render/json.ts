import type { Report } from "../../core/execution/execute/index.ts";
import type { Budget } from "../../core/api/index.ts";
import {
  digestOfActions,
  encodeBudget,
  encodeNote,
  encodePlan,
  encodeProblem,
  encodeReport,
  type PlanForm,
  type ProblemForm,
  type ReportForm,
} from "../../core/outputs/forms/index.ts";
import type { Note, Plan } from "../../core/planning/plan/index.ts";
import type { Problem } from "../../core/problems/problem.ts";
import { adviceOf } from "./remedies.ts";

/** A plan for programs. @param set the fields that the command line sets */
export function planJson(plan: Plan, budget: Budget, set: readonly string[] = []): PlanForm {
  return {
    ...encodePlan(plan),
    problems: problemsJson(plan.problems),
    notes: plan.notes.map(noteJson),
    ...(set.length > 0 && { set: [...set] }),
    actions_digest: digestOfActions(plan),
    budget: encodeBudget(budget),
  };
}

function noteJson(note: Note): PlanForm["notes"][number] {
  const { code, message, ...rest } = encodeNote(note);
  const advice = adviceOf(note.remedies ? { remedies: note.remedies } : {});
  return { code, message, ...(advice !== undefined && { advice }), ...rest };
}

export function reportJson(report: Report, budget: Budget): ReportForm {
  return encodeReport(report, budget, adviceOf);
}

/** Problems for programs: with advice that names flags, without the text of the manifest's line. */
export function problemsJson<Code extends string>(
  problems: readonly Problem<Code>[],
): (Omit<ProblemForm, "code"> & { code: Code })[] {
  return problems.map((problem) => {
    const { code, message, advice: _text, ...rest } = encodeProblem(problem);
    const advice = adviceOf(problem);
    return { code, message, ...(advice !== undefined && { advice }), ...rest };
  });
}
