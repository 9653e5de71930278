import type { Client } from "../core/api/index.ts";
import { applyPlan, isComplete, type Report } from "../core/apply/index.ts";
import type { OperationContext } from "../core/steps/index.ts";
import { hasChanges, type Plan } from "../core/plan/index.ts";
import { InvalidInputError } from "../core/problem.ts";
import { ask } from "./ask.ts";
import type { Console } from "./console.ts";
import type { ErrorCode } from "./error-codes.ts";
import { exitCodes, interruptionCode } from "./exit-codes.ts";
import { CommandError } from "./failure.ts";
import type { ConsentFlags } from "./flags.ts";
import { timeLeft } from "./render/text.ts";
import { countedRequests } from "./render/requests.ts";
import type { Settings } from "./settings/index.ts";
import type { Status } from "./status.ts";

/**
 * Carries out a plan that has been shown, after all that may stop it: a missing consent, the quota, the answer.
 * Undefined when there is nothing to do.
 *
 * @param requests how many it will take, with those of the caller that follow
 * @throws InvalidInputError, CommandError: nothing has been changed.
 */
export async function carryOut(
  plan: Plan,
  { question, requests }: { question: string; requests: number },
  operations: OperationContext,
  {
    settings,
    flags,
    status,
    console,
  }: { settings: Settings; flags: ConsentFlags; status: Status; console: Console },
): Promise<Report | undefined> {
  if (plan.problems.length > 0) throw new InvalidInputError(plan.problems, "consent");
  if (!hasChanges(plan)) return undefined;
  const shortage = shortageOf(requests, operations.client, settings);
  status.pause();
  if (shortage !== undefined) console.note(shortage);
  const isWanted = flags.autoApprove || (await ask(question, console));
  if (console.io.signal.aborted)
    throw new CommandError("interrupted", interruptionCode(console.io.signal), {
      message: "interrupted; nothing has been changed",
    });
  if (!isWanted)
    throw new CommandError("declined", exitCodes.invalid, {
      message: "nothing has been changed, as the answer was not yes",
    });
  console.note("");
  status.working("starting");
  const { signal } = console.io;
  const onInterruption = () => {
    status.pause();
    console.note(
      "Interrupted: what is under way is finished, nothing new is started. Interrupt again to end at once.",
    );
  };
  signal.addEventListener("abort", onInterruption, { once: true });
  try {
    return await applyPlan(plan, operations, {
      parallelism: settings.parallelism,
      onProgress: (progress) => status.progress(progress),
    });
  } finally {
    signal.removeEventListener("abort", onInterruption);
    status.pause();
  }
}

/** Why a run did not do all that was planned; undefined when it did. */
export function errorOf(report: Report): { code: ErrorCode; message: string } | undefined {
  if (isComplete(report)) return undefined;
  const { stopped } = report;
  return stopped
    ? { code: stopped.reason, message: stopped.message }
    : { code: "incomplete", message: "not everything could be done" };
}

/** The exit code that tells how a run went. */
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

/**
 * Holds what a run will cost against what may be spent, and says so where it is more and will be waited for.
 *
 * @throws CommandError where it must not be waited for
 */
function shortageOf(
  requests: number,
  { budget, spent }: Client,
  { onQuota, maxRequests }: Settings,
): string | undefined {
  const needed = `the plan needs about ${countedRequests(requests)}`;
  const { limit, remaining, resetAt } = budget;
  if (maxRequests !== undefined && spent.total + requests > maxRequests) {
    throw new CommandError("quota", exitCodes.quota, {
      message: `${needed}, and this run may send only ${Math.max(0, maxRequests - spent.total)} more (--max-requests ${maxRequests})`,
      advice: "raise --max-requests, or do a part of it with --target",
    });
  }
  if (remaining === undefined || remaining >= requests) return undefined;
  const resets = resetAt ? `; it resets in ${timeLeft(resetAt, Date.now())}` : "";
  const message = `${needed}, and the quota of the token has only ${remaining} left${resets}`;
  if (onQuota === "wait")
    return `\nNote: ${message}. The run will wait for that (--on-quota fail would not begin).`;
  const others = "do a part of it with --target, or let it wait with --on-quota wait";
  // Another run would spend as much before it comes to this.
  const isTooMuch = limit !== undefined && spent.total + requests > limit;
  throw new CommandError("quota", exitCodes.quota, {
    message,
    advice: isTooMuch
      ? `a whole window has only ${limit}, too few for one run: ${others}`
      : `run again after that, ${others}`,
  });
}
