import type { Report } from "../core/apply/index.ts";
import type { OperationContext } from "../core/steps/index.ts";
import { costOf, type Goal, type Plan } from "../core/plan/index.ts";
import { applyConsented } from "./consented.ts";
import type { Console } from "./terminal/console.ts";
import { errorOf, exitCodeOf } from "./ending.ts";
import { exitCodes } from "./exit-codes.ts";
import { failureOf } from "./failure.ts";
import type { ConsentFlags } from "./flags.ts";
import { renderPlan } from "./render/plan.ts";
import { planJson, reportJson } from "./render/json.ts";
import { renderReport } from "./render/report.ts";
import type { Settings } from "./settings/index.ts";
import type { Status } from "./terminal/status.ts";

/** A plan, and what it is carried out with. */
export interface Prepared {
  plan: Plan;
  operations: OperationContext;
}

/** What a command gives beside its report: data, so the plan and the report are not. */
interface Result {
  text: string;
  json: object;
}

/** A change that has been planned, to be shown, consented to, carried out and reported. */
export interface Change extends Prepared {
  /** Whether `--target` can make it smaller. */
  canTarget: boolean;
  /** Reads what there is to give when all has been done, with so many requests. */
  result?: { requests: number; read(): Promise<Result> };
}

const questions: Record<Goal, string> = {
  reconcile: "Apply these changes?",
  destroy: "Delete all of these resources? This cannot be undone.",
};

/** What a change is made with. */
export interface ChangeRun {
  settings: Settings;
  flags: ConsentFlags;
  status: Status;
  console: Console;
}

/** Makes a change, and gives the exit code. */
export async function makeChange(change: Change, run: ChangeRun): Promise<number> {
  const { console, flags } = run;
  const { plan, operations, canTarget, result: wanted } = change;
  const { client } = operations;

  const isData = !console.json && wanted === undefined;
  const colors = isData ? console.dataColors : console.noteColors;
  const show = (text: string) => (isData ? console.data(text) : console.note(text));
  const view = () => ({ colors, budget: client.budget, now: Date.now() });
  // Where the data is JSON, the plan has to be seen all the same by whoever is asked.
  if (!console.json || !flags.autoApprove) show(renderPlan({ ...plan, problems: [] }, view()));

  const planned = planJson(plan, client.budget);
  let report: Report | undefined;
  const reported = () => report && { report: reportJson(report, client.budget) };
  try {
    const requests = costOf(plan).applying + (wanted?.requests ?? 0);
    report = await applyConsented(
      plan,
      { question: questions[plan.goal], requests, canTarget },
      operations,
      run,
    );
    if (!console.json && report) show(`\n${renderReport(report, view())}`);
    const error = report && errorOf(report);
    const result = error ? undefined : await wanted?.read();
    if (console.json) {
      console.document({
        ok: !error,
        ...(error && { error }),
        plan: planned,
        ...reported(),
        ...result?.json,
      });
    } else if (result) console.data(result.text);
    return report ? exitCodeOf(report, console) : exitCodes.done;
  } catch (error) {
    if (!console.json) {
      console.note("");
      throw error;
    }
    const { json, exitCode } = failureOf(error, console);
    console.document({ ...json, plan: planned, ...reported() });
    return exitCode;
  }
}
