import { applyPlan, type Report } from "../../core/apply/index.ts";
import type { OperationContext } from "../../core/steps/index.ts";
import { hasChanges, type Plan } from "../../core/plan/index.ts";
import { InvalidInputError } from "../../core/problem.ts";
import { ask } from "../terminal/ask.ts";
import type { Console } from "../terminal/console.ts";
import { exitCodes, interruptionCode } from "../exit-codes.ts";
import { CommandError } from "../command-error.ts";
import type { ConsentFlags, WaitFlags } from "../flags.ts";
import type { Settings } from "../settings/index.ts";
import { ensureAffordable } from "./ensure-affordable.ts";
import type { Status } from "../progress/status.ts";

/**
 * Applies a plan that has been shown, unless a consent is missing, the quota is too low or a person declines. Returns
 * undefined when the plan changes nothing.
 *
 * @param requests number of requests to apply the plan, and of those that the caller sends afterwards
 * @param canTarget whether the command has `--target`, so that an error can suggest it
 * @throws InvalidInputError, CommandError: nothing has been changed
 */
export async function applyConsented(
  plan: Plan,
  { question, requests, canTarget }: { question: string; requests: number; canTarget: boolean },
  operations: OperationContext,
  {
    settings,
    flags,
    status,
    console,
  }: { settings: Settings; flags: ConsentFlags & WaitFlags; status: Status; console: Console },
): Promise<Report | undefined> {
  if (plan.problems.length > 0) throw new InvalidInputError(plan.problems, "consent");
  if (!hasChanges(plan)) return undefined;
  const shortage = ensureAffordable({ requests, canTarget }, operations.client, settings);
  status.pause();
  if (shortage !== undefined) console.note(shortage);
  const isWanted = flags.autoApprove || (await ask(question, console));
  if (console.io.signal.aborted)
    throw new CommandError("interrupted", interruptionCode(console.io.signal), {
      message: "interrupted; nothing has been changed",
    });
  if (!isWanted)
    throw new CommandError("declined", exitCodes.invalid, {
      message: "the answer was not yes; nothing has been changed",
    });
  console.note("");
  status.working("starting");
  const { signal } = console.io;
  const onInterruption = () => {
    status.pause();
    console.note(
      "Interrupted: changes in progress will be finished, no new ones will be started. Interrupt again to stop at once.",
    );
  };
  signal.addEventListener("abort", onInterruption, { once: true });
  try {
    return await applyPlan(plan, operations, {
      parallelism: settings.parallelism,
      ...(flags.wait && { wait: settings.waitTimeout }),
      onProgress: (progress) => status.progress(progress),
      ...(console.io.standstill && { standstill: console.io.standstill }),
    });
  } finally {
    signal.removeEventListener("abort", onInterruption);
    status.pause();
  }
}
