import type { ConsentFlags, PlanFlags, WaitFlags } from "../../flags.ts";

/** Flags of `infrasync ci`. */
export interface CiFlags extends PlanFlags, ConsentFlags, WaitFlags {
  /** What comments and statuses are called: one for each folder that is planned apart. */
  name: string;
  base?: string;
  expect?: string;
}

/** The name of the status of plans. */
export const planStatus = (name: string): string => `${name}/plan`;

/** The name of the status of applies. */
export const applyStatus = (name: string): string => `${name}/apply`;

/** What the comment with the plan is marked with. */
export const planComment = (name: string): string => `${name} plan`;
