import { isComplete, type Report } from "../../core/execute/index.ts";
import type { Console } from "../terminal/console.ts";
import type { ErrorCode } from "../../core/codes.ts";
import { exitCodes, interruptionCode } from "../exit-codes.ts";

/** Why a run did not make all planned changes; undefined when it did. */
export function errorOf(report: Report): { code: ErrorCode; message: string } | undefined {
  if (isComplete(report)) return undefined;
  const { stopped } = report;
  return stopped
    ? { code: stopped.reason, message: stopped.message }
    : { code: "incomplete", message: "not all changes could be made" };
}

/** The exit code of a finished run. */
export function exitCodeOf(report: Report, console: Console): number {
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
