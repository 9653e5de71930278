import { isComplete, type Report } from "../../core/execution/execute/index.ts";
import { encodeDeploymentStatus, outputOf, staleProblem } from "../../core/outputs/forms/index.ts";
import { type EnvironmentDeploymentStatus, readDeployed } from "../../core/deployments/index.ts";
import { deploys, type Goal, type Plan } from "../../core/planning/plan/index.ts";
import { InvalidInputError, type Problem } from "../../core/problems/problem.ts";
import { approve, consentedTo, execute } from "../../core/execution/session/index.ts";
import { confirmation, type ChangeRun, errorOfHindrance } from "./confirmation.ts";
import { exitCodes, interruptionCode } from "../exit-codes.ts";
import { failureOf } from "../failure.ts";
import { showPlan } from "./show-plan.ts";
import { renderPlan } from "../render/plan.ts";
import { planJson, reportJson } from "../render/json.ts";
import { renderProblemList } from "../render/problems.ts";
import type { NextCommands } from "../render/pending-deployments.ts";
import { renderReport } from "../render/report.ts";
import { runMarkdown } from "../render/plan-markdown.ts";
import type { Console } from "../terminal/console.ts";
import type { PreparedProposal } from "./desired-plan.ts";
import type { ErrorCode } from "../../core/problems/codes.ts";

/** A planned change that is to be shown, confirmed, applied and reported. */
export interface ProposedChange extends PreparedProposal {
  /** The digest of the plan that was reviewed. */
  expected?: string | undefined;
  /** Whether the plan is a saved one, which is used once. */
  isSaved?: boolean;
  /** Whether the command has `--target`, so that an error can suggest it. */
  canTarget: boolean;
  /** Whether the report leaves out what services have written, because the Git host shows it. */
  hidesLogs?: boolean;
  /** Reads the result after the change has been applied; `requests`: how many requests that takes. */
  result?: { requests: number; read(): Promise<{ text: string; json: object }> };
  /** Why the plan leaves out a part of the documents. */
  left?: InvalidInputError | undefined;
  next?: NextCommands;
  /** Why nobody can be asked whether to make the change; absent: somebody can, or has answered. */
  unanswered?: readonly Problem[];
  /** Records the changes for later runs. */
  record?: {
    /** The plan is about to be carried out. */
    begin(plan: Plan): Promise<void>;
    end(plan: Plan, report: Report | undefined): Promise<void>;
  };
}

const questions: Record<Goal, string> = {
  reconcile: "Apply these changes?",
  destroy: "Delete all of these resources? This cannot be undone.",
};

/** Shows a plan, applies it with consent, shows the report, and returns the exit code. */
export async function makeChange(change: ProposedChange, context: ChangeRun): Promise<number> {
  const { console, flags } = context;
  const { proposal, run, set, sectionOf, result: desired } = change;
  const { plan } = proposal;
  const { client } = run;
  if (flags.dryRun) return showOnly(change, context);
  const isOnePlan = change.isSaved || change.expected !== undefined;
  const isDocument = flags.output === "markdown";
  const isData = !console.json && !isDocument && desired === undefined;
  const colors = isData ? console.dataColors : console.noteColors;
  const show = (text: string) => (isData ? console.data(text) : console.note(text));
  const width = isData ? console.dataWidth : console.noteWidth;
  const view = () => ({
    colors,
    width,
    budget: client.budget,
    now: Date.now(),
    set,
    sectionOf,
    next: change.next,
    isOnePlan,
  });
  const document = () => runMarkdown(plan, report, view());
  // A person who is asked for confirmation has to see the plan, also with JSON on standard output.
  if (!console.json || !flags.autoApprove) show(await renderPlan({ ...plan, problems: [] }, view()));

  const planned = planJson(plan, client.budget, set);
  console.event("planned", { plan: planned });
  let report: Report | undefined;
  const reported = () => report && { report: reportJson(report, client.budget) };
  try {
    report = await applyAgreed(change, context);
    const deployed = await deployedBy(report, change, console);
    report &&= { ...report, spent: client.spent };
    if (!console.json && report) show(`\n${renderReport(report, { ...view(), deployed })}`);
    const left = change.left && failureOf(change.left, console);
    const error = (report && errorOf(report)) ?? left?.json.error;
    const result = error ? undefined : await desired?.read();
    if (console.json) {
      console.document({
        ...outputOf("run", {}),
        ...(error && { ok: false, error }),
        ...(left && {
          problems: left.json.problems,
          ...(left.json.consent && { consent: left.json.consent }),
        }),
        plan: planned,
        ...reported(),
        ...(deployed.length > 0 && { deployed: deployed.map(encodeDeploymentStatus) }),
        ...result?.json,
      });
    } else if (isDocument) console.data(document());
    else if (result) console.data(result.text);
    if (left && !console.json)
      console.note(
        `\nNot applied:\n\n${renderProblemList(left.problems, console.noteColors, console.noteWidth)}`,
      );
    const exitCode = report ? exitCodeOf(report, console) : exitCodes.done;
    return left && exitCode === exitCodes.done ? left.exitCode : exitCode;
  } catch (error) {
    if (!console.json) {
      if (isDocument) console.data(document());
      console.note("");
      throw error;
    }
    const { json, exitCode } = failureOf(error, console);
    console.document({ ...outputOf("run", json), ok: false, plan: planned, ...reported() });
    return exitCode;
  }
}

async function deployedBy(
  report: Report | undefined,
  { run, proposal }: ProposedChange,
  { io: { signal, standstill } }: Console,
): Promise<EnvironmentDeploymentStatus[]> {
  const addresses = (report?.outcomes ?? []).flatMap((outcome) =>
    deploys(outcome) && outcome.status !== "skipped" ? [outcome.address] : [],
  );
  const goesOn = signal.aborted || standstill?.aborted === true;
  return goesOn || addresses.length === 0 ? [] : readDeployed(run, proposal.plan.organization, addresses);
}

/** Shows what would be done, and returns the exit code of such a plan. @throws InvalidInputError where it is not the one that was reviewed */
async function showOnly(
  { proposal, run, set, sectionOf, expected }: ProposedChange,
  { console, flags }: ChangeRun,
): Promise<number> {
  const { plan, missingConsents } = proposal;
  const stale = expected === undefined ? undefined : staleProblem(expected, plan);
  if (stale) throw new InvalidInputError([stale], "stale_plan");
  await showPlan(plan, { set, sectionOf, budget: run.client.budget }, flags.output, console);
  return missingConsents.length > 0 ? exitCodes.invalid : exitCodes.done;
}

/** Applies a plan that has been shown; undefined: it changes nothing. */
async function applyAgreed(
  { proposal: proposed, run, canTarget, hidesLogs, result, expected, record, unanswered }: ProposedChange,
  context: ChangeRun,
): Promise<Report | undefined> {
  const stale = expected === undefined ? undefined : staleProblem(expected, proposed.plan);
  if (stale) throw new InvalidInputError([stale], "stale_plan");
  // Who names the digest has an approved plan, and no flag that consents to losses.
  const proposal =
    expected === undefined ? proposed : consentedTo(proposed, proposed.plan.actions, ["policy"]);
  const requestsAfter = result?.requests ?? 0;
  const requests = proposal.cost.applying + requestsAfter;
  const { plan } = proposal;
  const { approver, options, end } = confirmation(questions[plan.goal], requests, run.client, context);
  try {
    const approval = await approve(proposal, run, { ...approver, requestsAfter, unanswered });
    if (approval.type !== "approved" && approval.type !== "unchanged")
      throw errorOfHindrance(approval, run.client, { ...context, canTarget });
    if (approval.type === "approved") await record?.begin(plan);
    const made = approval.type === "approved" ? await execute(approval.approved, run, options) : undefined;
    const report = made && hidesLogs ? withoutLogs(made) : made;
    await record?.end(plan, report);
    return report;
  } finally {
    end();
  }
}

function withoutLogs(report: Report): Report {
  return { ...report, outcomes: report.outcomes.map(({ logs: _logs, ...outcome }) => outcome) };
}

/** Why a run did not make all planned changes; undefined when it did. */
function errorOf(report: Report): { code: ErrorCode; message: string } | undefined {
  if (isComplete(report)) return undefined;
  const { stopped } = report;
  return stopped
    ? { code: stopped.reason, message: stopped.message }
    : { code: "incomplete", message: "not all changes could be made" };
}

function exitCodeOf(report: Report, console: Console): number {
  if (isComplete(report)) return exitCodes.done;
  switch (report.stopped?.reason) {
    case "interrupted":
      return interruptionCode(console.io.signal);
    case "quota":
      return exitCodes.quota;
    default:
      return exitCodes.failed;
  }
}
