import { formatAddress } from "../../core/model/addresses/address.ts";
import { ApiError } from "../../core/api/index.ts";
import { firstProblems, InvalidInputError, type Problem } from "../../core/problems/problem.ts";
import { GitError } from "../../adapters/git/index.ts";
import { healthText, isIll, type EnvironmentState } from "../decide/index.ts";

/** Phrases an error or a problem with what would help. */
export type Describe = (problem: Pick<Problem, "message" | "advice" | "remedies">) => string;

/** The first of many problems as lines, each with its place. */
export function problemLines(problems: readonly Problem[], describe: Describe): string[] {
  return firstProblems(problems).map((problem) => {
    const { position } = problem;
    return (position ? `${position.file}:${position.line}: ` : "") + describe(problem);
  });
}

/** Why an environment is not synced, with what would help. */
export function reasonsOf(
  { problems, unfinished, health }: Pick<EnvironmentState, "problems" | "unfinished" | "health">,
  describe: Describe,
): string[] {
  return [
    ...firstProblems(problems).map((problem) => describe(problem)),
    ...unfinished.map(
      ({ address, message = "not started", remedies }) =>
        `${formatAddress(address)}: ${describe({ message, remedies })}`,
    ),
    ...health.filter(isIll).map(healthText),
  ];
}

/** Why something has failed, as the log has it. */
export interface FailureOfCycle {
  [member: string]: string;
  code: string;
  reason: string;
}

export function failureOf(error: unknown, describe: Describe): FailureOfCycle {
  if (error instanceof GitError)
    return { code: "repository", failure: error.failure, reason: describe(error) };
  if (error instanceof ApiError) {
    const { code, summary: message, advice, remedies } = error;
    return { code, reason: describe({ message, advice, remedies }) };
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
