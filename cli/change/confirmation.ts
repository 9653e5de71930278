import { type Client, spentBy } from "../../core/api/index.ts";
import {
  type ExecutionOptions,
  type Hindrance,
  type Shortage,
  type Approver,
  type SpendingLimits,
  remedyFor,
} from "../../core/execution/session/index.ts";
import type { ConsentFlags } from "../flags.ts";
import type { Settings } from "../settings/index.ts";
import { ask } from "../terminal/ask.ts";
import type { Console } from "../terminal/console.ts";
import type { Status } from "../progress/status.ts";
import { InvalidInputError } from "../../core/problems/problem.ts";
import { CommandError, exitCodes, unconfirmed } from "../exit-codes.ts";
import { senselessReset } from "../render/requests.ts";
import { counted, timeLeft } from "../render/text.ts";

/** The context of a command that applies a change. */
export interface ChangeRun {
  settings: Settings;
  flags: ConsentFlags & { output?: string };
  status: Status;
  console: Console;
}

/** The approver of a run that asks at the terminal and shows its progress there, and a function to call at its end. */
export function confirmation(
  question: string,
  requests: number,
  client: Client,
  { settings, flags, status, console }: ChangeRun,
): { approver: Approver; options: ExecutionOptions; end(): void } {
  const { signal, standstill } = console.io;
  const onInterruption = () => {
    status.pause();
    console.note(
      "Interrupted: changes in progress will be finished, no new ones will be started. Interrupt again to stop at once.",
    );
  };
  const confirm = async (shortage: Shortage | undefined) => {
    status.pause();
    if (shortage) console.note(waitNote(requests, shortage, client));
    const isDesired = flags.autoApprove || (await ask(question, console));
    if (!isDesired || signal.aborted) return false;
    console.note("");
    status.working("starting");
    signal.addEventListener("abort", onInterruption, { once: true });
    return true;
  };
  const options = {
    parallelism: settings.parallelism,
    ...(settings.wait && { wait: settings.waitTimeout }),
    onProgress: (progress: Parameters<Status["progress"]>[0]) => status.progress(progress),
    ...(standstill && { standstill }),
  };
  return {
    approver: { confirm, onQuota: settings.onQuota, fixedSpending: settings.fixedSpending },
    options,
    end() {
      signal.removeEventListener("abort", onInterruption);
      status.pause();
    },
  };
}

/** Why a change that has been shown is not carried out. @param nothing what the messages say of it */
export function errorOfHindrance(
  hindrance: Hindrance,
  client: Client,
  {
    canTarget,
    settings: { fixedSpending },
    console,
  }: Pick<ChangeRun, "settings" | "console"> & { canTarget: boolean },
  nothing = "nothing has been changed",
): Error {
  switch (hindrance.type) {
    case "refused":
      return new InvalidInputError(hindrance.problems, hindrance.code);
    case "unaffordable":
      return unaffordable(hindrance.requests, hindrance.shortage, client, { canTarget, fixedSpending });
    case "interrupted":
      return unconfirmed(nothing, console.io.signal);
    case "declined":
    case "unchanged":
      return unconfirmed(nothing);
    default:
      return hindrance satisfies never;
  }
}

export function waitNote(requests: number, shortage: Shortage, client: Client): string {
  return `\nNote: ${messageOf(requests, shortage, client)}. The run will wait until the quota resets; with --on-quota fail it would not start.`;
}

/** The error of a run that must not start, because it may send too few requests. */
export function unaffordable(
  requests: number,
  shortage: Shortage,
  client: Client,
  { canTarget, fixedSpending }: { canTarget: boolean; fixedSpending?: SpendingLimits | undefined },
): CommandError {
  const advice = adviceOn(shortage, canTarget);
  return new CommandError("quota", exitCodes.quota, {
    message: messageOf(requests, shortage, client),
    advice,
    remedies: [remedyFor(shortage, requests, fixedSpending)],
  });
}

function messageOf(requests: number, shortage: Shortage, { budget }: Client): string {
  const needed = `the plan needs about ${counted(requests, "request")}`;
  const { left } = shortage;
  if (shortage.by === "cap")
    return `${needed}, but this run may send only ${left} more (--max-requests ${shortage.cap})`;
  const when = shortage.resetAt ? `; it resets in ${timeLeft(shortage.resetAt, Date.now())}` : "";
  const resets = budget.isResetSenseless ? `, ${senselessReset}` : when;
  return `${needed}, but the quota of the token has only ${left} left${resets}${spentBy(budget.spenders ?? [], budget.limit)}`;
}

function adviceOn(shortage: Shortage, canTarget: boolean): string | undefined {
  const target = canTarget ? ["apply a part of the plan with --target"] : [];
  if (shortage.by === "cap") return target[0];
  return shortage.window === undefined
    ? ["run again after the quota resets", ...target].join(", ")
    : [
        `even a full quota allows only ${counted(shortage.window, "request")}, too few for this run`,
        ...target,
      ].join(": ");
}
