import { type ApplyOptions, applyPlan, type Report } from "../apply/index.ts";
import { hasChanges } from "../plan/index.ts";
import { missingPlaces, missingSecrets } from "./missing-secrets.ts";
import type { Proposal, Refusal } from "./propose.ts";
import type { Run } from "./run.ts";
import { prevents, type Shortage, shortageOf } from "./shortage.ts";

/** Under which conditions a proposal is carried out, and how. */
export interface Terms {
  /**
   * Whoever is responsible agrees to the changes, or does not. Called once, when nothing else is in the way.
   *
   * @param shortage the quota for which the run is going to wait
   */
  consent(shortage: Shortage | undefined): Promise<boolean>;
  /** What to do when the quota does not suffice: start, and wait for new requests, or do not start. */
  onQuota: "wait" | "fail";
  /** How many requests the caller sends after the changes; default: none. */
  requestsAfter?: number;
  apply: ApplyOptions;
}

/** How a run has ended. Only `applied` has sent writes. */
export type Ending =
  | ({ type: "refused" } & Refusal)
  /** There was nothing to change. */
  | { type: "unchanged" }
  | { type: "unaffordable"; requests: number; shortage: Shortage }
  | { type: "declined" }
  /** The signal came before the first write. */
  | { type: "interrupted" }
  | { type: "applied"; report: Report };

/**
 * Carries out a proposal, unless something forbids it: a refusal, a secret that cannot be read, a missing consent, too
 * few requests, the answer of whoever is asked. The run counts what it spends.
 */
export async function enact({ plan, ...proposal }: Proposal, run: Run, terms: Terms): Promise<Ending> {
  if (proposal.refusal) return { type: "refused", ...proposal.refusal };
  const secrets = [...missingPlaces(plan, run.shown), ...(await missingSecrets(plan, run.secrets))];
  if (run.signal?.aborted) return { type: "interrupted" };
  if (secrets.length > 0) return { type: "refused", code: "invalid_input", problems: secrets };
  if (proposal.missingConsents.length > 0)
    return { type: "refused", code: "consent", problems: proposal.missingConsents };
  if (!hasChanges(plan)) return { type: "unchanged" };
  const requests = proposal.cost.applying + (terms.requestsAfter ?? 0);
  const shortage = shortageOf(run.client, requests);
  if (shortage && prevents(shortage, terms.onQuota)) return { type: "unaffordable", requests, shortage };
  const isAgreed = await terms.consent(shortage);
  if (run.signal?.aborted) return { type: "interrupted" };
  if (!isAgreed) return { type: "declined" };
  return { type: "applied", report: await applyPlan(plan, run, terms.apply) };
}
