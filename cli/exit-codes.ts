import type { Problem } from "../core/problems/problem.ts";
import type { ErrorCode } from "../core/problems/codes.ts";

export const exitCodes = {
  /** Done, or nothing to do. */
  done: 0,
  failed: 1,
  /** There are changes: `plan --detailed-exitcode`; or services do not run as they are applied: `status --exit-code`. */
  changes: 2,
  /** Usage, settings or manifests are wrong, or a consent is missing. */
  invalid: 3,
  /** The request quota is too low. */
  quota: 4,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

export function interruptionCode(signal: AbortSignal): number {
  if (signal.reason === "SIGHUP") return exitCodes.hungUp;
  return signal.reason === "SIGTERM" ? exitCodes.terminated : exitCodes.interrupted;
}

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

/** The error of a change that nobody has confirmed, or that a signal has interrupted. */
export function unconfirmed(nothing = "nothing has been changed", signal?: AbortSignal): CommandError {
  return signal?.aborted
    ? new CommandError("interrupted", interruptionCode(signal), { message: `interrupted; ${nothing}` })
    : new CommandError("declined", exitCodes.invalid, { message: `not confirmed; ${nothing}` });
}
