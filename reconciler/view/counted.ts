import { QuotaError } from "../../core/api/index.ts";
import { deletionsSince } from "../../core/events/index.ts";
import type { Organization } from "../../core/organization.ts";
import { countedLossesOf, type Plan } from "../../core/plan/index.ts";
import type { Run } from "../../core/session/index.ts";
import type { Memory } from "../memory/index.ts";

const day = 86_400_000;

/**
 * Asks the events what was deleted in the last day, once, if something is to be deleted and the memory is too new to know
 * that. Where they do not say it, what is known begins now.
 */
export async function countDeletions(
  start: () => Pick<Run, "client" | "clock">,
  { id }: Organization,
  plan: Pick<Plan, "actions">,
  memory: Memory,
): Promise<void> {
  if (memory.countedSince !== undefined || countedLossesOf(plan).length === 0) return;
  const { client, clock } = start();
  const now = clock.now();
  const ahead = client.serverTime - now;
  try {
    const events = await deletionsSince(client, id, now + ahead - day);
    const deletions = (events ?? []).map(({ time, targetName = "", targetType }) => ({
      at: Math.min(now, time - ahead),
      title: `${targetType.toLowerCase()} ${targetName}`,
      isDone: true,
    }));
    await memory.remember({ type: "counted", since: events ? now - day : now, deletions });
  } catch (error) {
    // The share of the quota is spent: deletions wait.
    if (!(error instanceof QuotaError)) throw error;
  }
}
