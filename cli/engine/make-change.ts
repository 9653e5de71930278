import type { Report } from "../../core/apply/index.ts";
import type { OperationContext } from "../../core/steps/index.ts";
import { costOf, type Goal, type Plan } from "../../core/plan/index.ts";
import { InvalidInputError } from "../../core/problem.ts";
import { missingSecrets } from "../../core/run/index.ts";
import { SecretReader } from "../../core/secrets/index.ts";
import { applyConsented } from "./apply-consented.ts";
import type { Console } from "../terminal/console.ts";
import { errorOf, exitCodeOf } from "./run-result.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureOf } from "../failure.ts";
import type { ConsentFlags, WaitFlags } from "../flags.ts";
import { renderPlan } from "../render/plan.ts";
import { planJson, reportJson } from "../render/json.ts";
import { renderReport } from "../render/report.ts";
import type { Settings } from "../settings/index.ts";
import type { Status } from "../progress/status.ts";

/** A plan, and the context that applies it. */
export interface Prepared {
  plan: Plan;
  operations: OperationContext;
}

/** A result that a command writes to standard output; plan and report then go to standard error. */
interface Result {
  text: string;
  json: object;
}

/** A planned change that is to be shown, confirmed, applied and reported. */
export interface Change extends Prepared {
  /** Whether the command has `--target`, so that an error can suggest it. */
  canTarget: boolean;
  /** Reads the result after the change has been applied; `requests`: how many requests that takes. */
  result?: { requests: number; read(): Promise<Result> };
}

const questions: Record<Goal, string> = {
  reconcile: "Apply these changes?",
  destroy: "Delete all of these resources? This cannot be undone.",
};

/** The context of a command that applies a change. */
export interface ChangeRun {
  settings: Settings;
  flags: ConsentFlags & WaitFlags;
  status: Status;
  console: Console;
}

/** Shows a plan, applies it with consent, shows the report, and returns the exit code. */
export async function makeChange(change: Change, run: ChangeRun): Promise<number> {
  const { console, flags } = run;
  const { plan, canTarget, result: wanted } = change;
  const secrets = new SecretReader({
    environment: console.io.env,
    allowCommands: flags.allowCommands ?? false,
  });
  const operations = { ...change.operations, secrets };
  const { client } = operations;

  const isData = !console.json && wanted === undefined;
  const colors = isData ? console.dataColors : console.noteColors;
  const show = (text: string) => (isData ? console.data(text) : console.note(text));
  const view = () => ({ colors, budget: client.budget, now: Date.now() });
  // A person who is asked for confirmation has to see the plan, also with JSON on standard output.
  if (!console.json || !flags.autoApprove) show(renderPlan({ ...plan, problems: [] }, view()));

  const planned = planJson(plan, client.budget);
  let report: Report | undefined;
  const reported = () => report && { report: reportJson(report, client.budget) };
  try {
    const missing = await missingSecrets(plan, secrets);
    if (missing.length > 0) throw new InvalidInputError(missing);
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
