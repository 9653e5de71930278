import { shorten } from "../../../core/text.ts";
import type { ConsentFlags, PlanFlags, WaitFlags } from "../../flags.ts";

const digestForm = /\b[0-9a-f]{64}\b/;
/** The beginning of the description of a status that is out of date. */
const staleWord = "stale";

/**
 * The description of a status, which carries the digest of the plan that was shown.
 *
 * @param sentence it is shortened where both do not fit
 * @param longest how many characters the forge takes
 */
export function withDigest(sentence: string, digest: string, longest: number): string {
  const end = ` Digest: ${digest}`;
  // A margin for the sign of what is left out.
  return `${shorten(sentence, longest - end.length - 1)}${end}`;
}

/** The digest in the description of a status. */
export function digestIn(description: string): string | undefined {
  return digestForm.exec(description)?.[0];
}

/** The description of a plan that an apply would not make any more. @param why `the base has changed` */
export function staleText(why: string, digest: string, longest: number): string {
  return withDigest(`${staleWord}: ${why}; plan again.`, digest, longest);
}

/** Whether a description is that of a plan that is out of date. */
export function isStale(description: string): boolean {
  return description.startsWith(`${staleWord}:`);
}

/** Flags of `infrasync ci`. */
export interface CiFlags extends PlanFlags, ConsentFlags, WaitFlags {
  /** The name of comments and statuses: one for each folder that is planned apart. */
  name: string;
  base?: string;
  expect?: string;
}

/** The name of the status of plans. */
export const planStatus = (name: string): string => `${name}/plan`;

/** The name of the status of applies. */
export const applyStatus = (name: string): string => `${name}/apply`;

/** The mark of the comment with the plan. */
export const planComment = (name: string): string => `${name} plan`;
