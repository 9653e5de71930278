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
