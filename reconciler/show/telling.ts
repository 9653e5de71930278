import { formatAddress } from "../../core/model/addresses/address.ts";
import { ApiError } from "../../core/api/index.ts";
import type { Outcome } from "../../core/execution/execute/index.ts";
import { firstProblems, InvalidInputError, type Problem } from "../../core/problems/problem.ts";
import {
  type RequestOutcome,
  type Change,
  type CycleEnd,
  healthText,
  isIll,
  rollbackText,
  setBackBy,
} from "../decide/index.ts";
import { GitError } from "../../adapters/git/index.ts";
import { isChange } from "../../core/planning/plan/index.ts";
import { verbs } from "../verbs.ts";

/** Phrases an error or a problem with what would help. */
export type Describe = (problem: Pick<Problem, "message" | "advice" | "remedies">) => string;

/** The lines of the log and the journal about a cycle. */
export interface CycleLine {
  level: "info" | "warn" | "error";
  fields: Record<string, unknown>;
  message: string;
}

/** Tells how a cycle has ended, and how the services fare. */
export function tell(end: CycleEnd, describe: Describe): CycleLine {
  const told = withSetBack(end, tellAnswers(end, tellFinding(end, describe)));
  const health = (end.environments ?? []).flatMap((standing) => standing.health);
  const ill = health.filter(isIll);
  const rolledBack = (end.environments ?? []).flatMap(({ environment, rolledBack: back }) =>
    back ? [`${environment} is ${rollbackText(back)}`] : [],
  );
  const deploying = health.filter((service) => service.health === "deploying").length;
  const texts = [...rolledBack.slice(0, mostTold), ...ill.slice(0, mostTold).map(healthText)];
  if (ill.length > mostTold) texts.push(`and ${ill.length - mostTold} more`);
  if (deploying > 0)
    texts.push(`${deploying} ${deploying === 1 ? "service is" : "services are"} being deployed`);
  if (texts.length === 0) return told;
  const done = end.type !== "in_step" ? told.message : inStepBut(rolledBack.length);
  return {
    level: ill.length > 0 && told.level === "info" ? "warn" : told.level,
    fields: { ...told.fields, ...(ill.length > 0 && { unhealthy: ill }) },
    message: [done, ...texts].join("; "),
  };
}

/** How all is in step, but for some environments. @param rolledBack how many are rolled back */
function inStepBut(rolledBack: number): string {
  return rolledBack === 0
    ? "the commit is applied"
    : `in step, but for ${rolledBack} ${rolledBack === 1 ? "environment" : "environments"}`;
}

/** How many services a message names. */
const mostTold = 3;

function tellAnswers({ answered }: CycleEnd, told: CycleLine): CycleLine {
  return answered ? { ...told, fields: { ...told.fields, answered } } : told;
}

/** With the drift that was set back: what it was, and who had made it. */
function withSetBack(end: CycleEnd, told: CycleLine): CycleLine {
  const setBack = setBackBy(end);
  return setBack.length === 0 ? told : { ...told, fields: { ...told.fields, set_back: logged(setBack) } };
}

/** The outcome of an action: `approved by anna: shop/production`. */
export function answerText(answered: RequestOutcome): string {
  const { environment, type, by, isCarriedOut, commit = "", reasons = [] } = answered;
  if (type === "on_failure")
    return `${environment} is rolled back to ${commit.slice(0, 7)}, because ${reasons.join(", ")}`;
  const words = verbs[type].done;
  const over = type === "rollback" ? "has come to its end" : "came to nothing";
  const became = isCarriedOut ? "" : ` ${[over, ...reasons].join(": ")}`;
  return `${environment} ${words} by ${by.name}${became}`;
}

/** The first of many problems as lines, each with its place. */
export function problemLines(problems: readonly Problem[], describe: Describe): string[] {
  return firstProblems(problems).map((problem) => {
    const { position } = problem;
    return (position ? `${position.file}:${position.line}: ` : "") + describe(problem);
  });
}

function tellFinding(end: CycleEnd, describe: Describe): CycleLine {
  const line = (level: CycleLine["level"], message: string, more: object = {}): CycleLine => ({
    level,
    fields: { commit: end.commit, ...more },
    message,
  });
  const problems = (all: readonly Problem[]) => ({
    problems: firstProblems(all).map((problem) => ({
      code: problem.code,
      message: describe(problem),
      ...(problem.position && { file: problem.position.file, line: problem.position.line }),
    })),
  });
  switch (end.type) {
    case "in_step":
      return line("info", end.unread ? "in step, as far as live resources have been read" : "in step", {
        resources: end.resources,
        ...(end.unread && { unread: end.unread }),
      });
    case "drift":
      return line(
        "info",
        end.fights
          ? "live resources differ from the applied commit; somebody else sets these fields again and again, so undoing them waits"
          : "live resources differ from the applied commit; nothing is changed",
        { changes: logged(end.changes), ...(end.fights && { fights: end.fights }) },
      );
    case "undone":
    case "partly":
      return line(end.stopped ? "warn" : "info", messageOf(end), {
        ...byEnvironment(end, describe),
        changes: logged(end.changes),
      });
    case "applied":
    case "incomplete":
      return line(
        end.type === "applied" ? "info" : "error",
        isRetry(end)
          ? "what had failed is deployed again"
          : end.type === "applied"
            ? "the commit is applied"
            : "the commit is not applied completely",
        {
          outcomes: outcomesOf(end.report.outcomes, describe),
          ...(end.report.stopped && { stopped: end.report.stopped.reason }),
        },
      );
    case "invalid":
    case "blocked":
      return line(
        end.type === "blocked" && (end.outcomes.length > 0 || end.stopped) ? "warn" : "info",
        end.type === "invalid"
          ? "the manifests of the commit have mistakes; the last commit without mistakes stays applied"
          : "a part of the commit is not applied: it is impossible, or a consent is missing",
        { ...problems(end.problems), ...byEnvironment(end, describe), changes: logged(end.changes) },
      );
    case "held":
      return line("info", "the commit is not applied: it drops the applied commit, and its plan deletes", {
        applied: end.applied,
        changes: logged(end.changes),
      });
    case "unaffordable":
      return line("warn", "the commit is not applied yet: the request quota is too low", {
        needed: end.requests,
      });
    case "overtaken":
      return line(
        "info",
        "the branch has moved on, another source wants the same, or somebody has paused an environment; planning again",
      );
    case "interrupted":
      return line("info", "interrupted before the first write");
    default:
      return end satisfies never;
  }
}

/** Whether a cycle has done nothing but deploy again what had failed. */
function isRetry({ enacted = [] }: CycleEnd): boolean {
  const changes = enacted.flatMap(({ plan }) => plan.actions.filter(isChange));
  return changes.length > 0 && changes.every(({ cause }) => cause === "retry");
}

type DividedEnd = Extract<CycleEnd, { type: "undone" | "partly" | "invalid" | "blocked" }>;

function messageOf({ type, waiting, stopped }: Extract<DividedEnd, { type: "undone" | "partly" }>): string {
  if (type === "undone")
    return stopped
      ? "not all live resources could be set back to the applied commit"
      : "live resources differed from the applied commit, and are set back";
  if (stopped) return "the commit is not applied completely";
  return waiting
    ? "the commit is applied, but for the environments in which it waits"
    : "the commit is applied";
}

/** The work in each environment. */
function byEnvironment({ outcomes, waiting, fights, stopped }: DividedEnd, describe: Describe): object {
  return {
    ...(outcomes && { outcomes: outcomesOf(outcomes, describe) }),
    ...(waiting && { waiting }),
    ...(fights && { fights }),
    ...(stopped && { stopped }),
  };
}

/** Changes without what is only for people who look at one. */
export function logged(changes: readonly Change[]): Change[] {
  return changes.map(({ keep: _keep, ...change }) => change);
}

function outcomesOf(outcomes: readonly Outcome[], describe: Describe): object[] {
  return outcomes.filter(isChange).map(({ address, type, status, message, remedies }) => ({
    address: formatAddress(address),
    action: type,
    status,
    ...(message !== undefined && { message: describe({ message, remedies }) }),
  }));
}

/** Why a cycle has failed. */
export function reasonOf(error: unknown, describe: Describe): Record<string, string> {
  if (error instanceof GitError)
    return { code: "repository", failure: error.failure, reason: describe(error) };
  if (error instanceof ApiError) {
    const { code, summary: message, advice, remedies } = error;
    return {
      code,
      reason: describe({ message, advice, remedies }),
    };
  }
  if (error instanceof InvalidInputError)
    return { code: error.code, reason: error.problems.map(describe).join("; ") };
  if (!(error instanceof Error)) return { code: "failed", reason: String(error) };
  // An error that says what to do is one of the surroundings, such as a database that is away.
  if ("advice" in error && typeof error.advice === "string")
    return { code: "failed", reason: describe({ message: error.message, advice: error.advice }) };
  // An error of the system, such as a full disk, is no mistake of the program, so its stack does not help.
  return { code: "failed", reason: "syscall" in error ? error.message : (error.stack ?? error.message) };
}
