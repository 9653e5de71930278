import type { Client } from "../../core/api/index.ts";
import { shortageOf } from "../../core/run/index.ts";
import { exitCodes } from "../exit-codes.ts";
import { CommandError } from "../command-error.ts";
import { countedRequests, senselessReset } from "../render/requests.ts";
import { timeLeft } from "../render/text.ts";
import type { Settings } from "../settings/index.ts";

/**
 * Compares the number of requests that a run will send with the quota and with `--max-requests`.
 *
 * @param requests number of requests that the run will send
 * @param canTarget whether the command has `--target`, so that an error can suggest it
 * @returns a note for the user when the run has to wait for the quota; undefined when the quota suffices
 * @throws CommandError when the run must not start
 */
export function ensureAffordable(
  { requests, canTarget }: { requests: number; canTarget: boolean },
  client: Client,
  { onQuota }: Settings,
): string | undefined {
  const shortage = shortageOf(client, requests);
  if (!shortage) return undefined;
  const needed = `the plan needs about ${countedRequests(requests)}`;
  const { left } = shortage;
  if (shortage.by === "cap") {
    throw new CommandError("quota", exitCodes.quota, {
      message: `${needed}, but this run may send only ${left} more (--max-requests ${shortage.cap})`,
      advice: canTarget
        ? "raise --max-requests, or apply a part of the plan with --target"
        : "raise --max-requests",
    });
  }
  const { resetAt, window } = shortage;
  const when = resetAt ? `; it resets in ${timeLeft(resetAt, Date.now())}` : "";
  const resets = client.budget.isResetSenseless ? `, ${senselessReset}` : when;
  const message = `${needed}, but the quota of the token has only ${left} left${resets}`;
  if (onQuota === "wait")
    return `\nNote: ${message}. The run will wait until the quota resets; with --on-quota fail it would not start.`;
  const others = [
    ...(canTarget ? ["apply a part of the plan with --target"] : []),
    "let infrasync wait with --on-quota wait",
  ].join(", or ");
  throw new CommandError("quota", exitCodes.quota, {
    message,
    advice:
      window === undefined
        ? `run again after the quota resets${canTarget ? ", " : ", or "}${others}`
        : `even a full quota allows only ${window} requests, too few for this run: ${others}`,
  });
}
