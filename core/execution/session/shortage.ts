import { counted } from "../../values/text.ts";
import type { Client } from "../../api/index.ts";
import type { Problem } from "../../problems/problem.ts";
import type { SettingRemedy } from "../../problems/remedy.ts";

/** The limits of a run's requests in settings files, which nothing else raises. */
export interface SpendingLimits {
  maxRequests?: { file: string; value: number };
  /** The file that declares that a run does not wait for the quota. */
  onQuota?: string;
}

/** A run may send fewer requests than it needs. */
export type Shortage =
  | {
      by: "cap";
      /** The most requests of the run, and the remaining ones. */
      cap: number;
      left: number;
    }
  | {
      by: "quota";
      /** The remaining requests of the token, and when it gets new ones, if the server tells. */
      left: number;
      resetAt: Date | undefined;
      /** The quota of a full window; set only if even that is too small for this run. */
      window: number | undefined;
    };

/** A shortage of the run's cap or the token's quota for so many more requests; undefined: both suffice, as far as is known. */
export function shortageOf(
  { budget, meter }: Pick<Client, "budget" | "meter">,
  requests: number,
): Shortage | undefined {
  const { cap, left } = meter;
  if (cap !== undefined && requests > left) return { by: "cap", cap, left };
  const { limit, remaining, resetAt } = budget;
  if (remaining === undefined || remaining >= requests) return undefined;
  // Another run would spend the same number of requests before it reaches this point.
  const isTooMuch = limit !== undefined && meter.read().total + requests > limit;
  return { by: "quota", left: remaining, resetAt, window: isTooMuch ? limit : undefined };
}

/** Whether a shortage prevents a run from starting: no wait raises a cap. */
export function prevents(shortage: Shortage, onQuota: "wait" | "fail"): boolean {
  return shortage.by === "cap" || onQuota === "fail";
}

/** The remedy that lets a run start despite a shortage. */
export function remedyFor(
  shortage: Shortage,
  requests: number,
  { maxRequests, onQuota }: SpendingLimits = {},
): SettingRemedy {
  if (shortage.by === "quota") return { setting: "on_quota", value: "wait", file: onQuota };
  // Deletions and deployments are polled until they are over, which cannot be counted before.
  const needed = Math.ceil(((shortage.cap - shortage.left + requests) * 1.5) / 10) * 10;
  const isFixed = maxRequests !== undefined && maxRequests.value < needed;
  return { setting: "max_requests", value: String(needed), ...(isFixed && { file: maxRequests.file }) };
}

/** The problem of missing requests, as of missing consents: one refusal reports both. */
export function shortageProblem(shortage: Shortage, requests: number, fixed?: SpendingLimits): Problem {
  const few = shortage.by === "cap" ? "this run may send only" : "the quota of the token has only";
  return {
    code: "requests",
    message: `the plan needs about ${counted(requests, "request")}, but ${few} ${shortage.left}${shortage.by === "cap" ? " more" : " left"}`,
    remedies: [remedyFor(shortage, requests, fixed)],
  };
}
