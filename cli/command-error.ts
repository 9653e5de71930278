import type { Problem } from "../core/problem.ts";
import type { ErrorCode } from "../core/codes.ts";

/** A failure of the command line itself, with its exit code. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly code: ErrorCode;
  readonly exitCode: number;
  readonly problems: readonly Problem<ErrorCode>[];

  constructor(code: ErrorCode, exitCode: number, problem: Omit<Problem, "code">) {
    super(problem.message);
    this.code = code;
    this.exitCode = exitCode;
    this.problems = [{ code, ...problem }];
  }
}
