import { isComplete, type Outcome, type Report, type Stop } from "../../core/execution/execute/index.ts";
import { lostContent } from "../../core/outputs/forms/index.ts";
import { formatManifest } from "../../core/manifests/manifest/index.ts";
import { capitalized, escapeControl } from "../../core/values/text.ts";
import type { Colors } from "../terminal/colors.ts";
import { countEffects, remarksText } from "./outcomes.ts";
import { addressKey, formatAddress } from "../../core/model/addresses/address.ts";
import { type EnvironmentDeploymentStatus, hasLogs } from "../../core/deployments/index.ts";
import { advised } from "./command-advice.ts";
import { type NextCommands, renderAwaiting } from "./pending-deployments.ts";
import { renderDeployed } from "./statuses.ts";
import { title, indent } from "./text.ts";
import { renderLogLine } from "./deployments.ts";
import { withAdvice } from "./remedies.ts";
import type { PlanView } from "./plan.ts";
import { requestsOfRun } from "./requests.ts";
import { fitted } from "./width.ts";
import { normalizedText } from "./normalized-fields.ts";
import { deploys, factsOf, isChange } from "../../core/planning/plan/index.ts";

export interface ReportView extends Pick<PlanView, "colors" | "budget" | "now" | "width"> {
  /** How the services stand that the run has deployed. */
  deployed?: readonly EnvironmentDeploymentStatus[];
  next?: NextCommands | undefined;
  /** Whether the run was for one plan, so that the same command cannot make the rest of the changes. */
  isOnePlan?: boolean | undefined;
}

/** A report as text: remarks, failures and their reasons, manifests of lost resources, counts and the number of requests. */
export function renderReport(
  report: Report,
  { colors, budget, now, width, deployed = [], next, isOnePlan }: ReportView,
): string {
  const outcomes = report.outcomes.filter(isChange);
  const rest = outcomes.filter(({ status }) => status !== "done");
  const titles = titlesOf(outcomes);
  const section = (heading: string, some: readonly Outcome[]) =>
    sectionOf(heading, some, titles, colors).map((text) => fitted(text, width));
  return [
    ...section(
      "Remarks:",
      outcomes.filter(
        ({ status, remarks, normalized }) =>
          status === "done" && (remarks !== undefined || normalized !== undefined),
      ),
    ),
    ...section(
      colors.red("Failed:"),
      rest.filter(({ status }) => status === "failed"),
    ),
    ...section(
      colors.yellow("Not finished:"),
      rest.filter(({ status }) => status === "pending"),
    ),
    ...section(
      colors.yellow("Not started:"),
      rest.filter(({ status }) => status === "skipped"),
    ),
    ...outcomes.flatMap((outcome) => renderLost(outcome)),
    [
      fitted(conclusion(report, outcomes, colors, isOnePlan), width),
      ...renderAwaiting(report, colors, next).map((text) => fitted(text, width)),
      renderDeployed(deployed, colors, now) + fitted(requestsOfRun(report.spent, budget, now), width),
    ].join("\n"),
  ].join("\n\n");
}

/** The resource of each outcome; where a run had several actions on it, which of them it was. */
function titlesOf(outcomes: readonly Outcome[]): Map<Outcome, string> {
  const byResource = Map.groupBy(outcomes, ({ address }) => addressKey(address));
  return new Map(
    [...byResource.values()].flatMap((all) =>
      all.map((outcome, index): [Outcome, string] => {
        const which =
          all.length === 1 ? "" : ` (${factsOf(outcome).noun}, action ${index + 1} of ${all.length})`;
        return [outcome, title(outcome.address) + which];
      }),
    ),
  );
}

/** Outcomes under a heading; resources with the same message are listed below it. */
function sectionOf(
  heading: string,
  outcomes: readonly Outcome[],
  titles: ReadonlyMap<Outcome, string>,
  colors: Colors,
): string[] {
  if (outcomes.length === 0) return [];
  const groups = Map.groupBy(outcomes, messageOf);
  const lines = [...groups].flatMap(([message, group]) => {
    const [first = "", ...others] = group.map((outcome) => titles.get(outcome));
    return others.length === 0
      ? [`  ${first}: ${message}`]
      : [`  ${message}`, `    ${first}`, ...others.map((other) => `    ${other}`)];
  });
  return [[colors.bold(heading), ...lines].join("\n")];
}

function messageOf(outcome: Outcome): string {
  const parts = [withAdvice(outcome), remarksText(outcome.remarks), normalizedText(outcome.normalized)];
  return parts
    .filter((part) => part !== undefined && part !== "")
    .map((part) => escapeControl(part ?? ""))
    .join("; ")
    .concat(...linesOf(outcome));
}

/** The last lines of a service whose deployment has failed. */
function linesOf({ logs = [] }: Outcome): string[] {
  return logs.map((line) => `\n      ${renderLogLine(line)}`);
}

/** The summary of a run in a sentence or two. */
export function conclusion(
  { stopped, outcomes: all }: Report,
  outcomes: readonly Outcome[],
  colors: Colors,
  isOnePlan = false,
): string {
  const effects = countEffects(outcomes);
  const isDone = isComplete({ outcomes: all, spent: { total: 0, byOperation: {} } });
  const what = effects.length === 0 ? "nothing has been changed" : effects.join(", ");
  if (isDone) return colors.green(`Done: ${what}.`);
  const why = stopped ? stopText(stopped, outcomes) : "not all changes could be made";
  return `${colors.red(`${capitalized(why)}.`)} Done so far: ${what}. ${nextStep(stopped, outcomes, isOnePlan)}`;
}

/** The state after a run that ended early, and the next step. */
function nextStep(stopped: Stop | undefined, outcomes: readonly Outcome[], isOnePlan: boolean): string {
  const again = isOnePlan ? "plan again and apply the new plan to continue" : "run again to continue";
  if (stopped?.reason === "unauthorized") return `Set a valid token, then ${again}.`;
  const failed = outcomes.filter(({ status }) => status === "failed");
  const [first] = failed;
  if (!first || !failed.every((each) => deploys(each) && each.code === "deployment"))
    return `${capitalized(again)}.`;
  const address = formatAddress(first.address);
  const to = first.before === undefined ? "" : ` to ${escapeControl(first.before)}`;
  return advised(
    `Another run deploys the same version again. To find the cause, or to roll back${to}:`,
    [hasLogs(first) ? "logs" : "status", address],
    ["rollback", address],
  );
}

/** Why a run has stopped; shorter where a failure shown above already has the reason. */
function stopText(stop: Stop, outcomes: readonly Outcome[]): string {
  const { message } = stop;
  const isReported = outcomes.some(
    (outcome) => outcome.status === "failed" && outcome.message?.includes(message),
  );
  return isReported ? "stopped after this failure" : `stopped: ${escapeControl(withAdvice(stop))}`;
}

function renderLost({ address, lost }: Outcome): string[] {
  if (!lost) return [];
  const manifest = formatManifest(lostContent(address, lost));
  return [
    `${title(address)} was deleted and could not be created again. This manifest creates it again:\n\n${indent(manifest.trimEnd(), 2)}`,
  ];
}
