import { type Client, spentBy } from "../../core/api/index.ts";
import { type SpendingLimits, remedyFor, type Shortage } from "../../core/execution/session/index.ts";
import { exitCodes, CommandError } from "../exit-codes.ts";
import { countedRequests, senselessReset } from "../render/requests.ts";
import { counted, timeLeft } from "../render/text.ts";

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
  const needed = `the plan needs about ${countedRequests(requests)}`;
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
