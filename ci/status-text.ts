import { createHash } from "node:crypto";
import { shorten } from "../core/values/text.ts";
import type { CommitStatus } from "../adapters/forge/index.ts";
import type { ConsentFlags, PlanFlags } from "../cli/flags.ts";

/** The end of the description of a status: a verdict, its plan, and the base of that plan. */
export interface PlanRecord {
  /** The verdict on a shown plan: an apply may follow, has nothing to do, or would differ. */
  verdict: "apply" | "unchanged" | "stale";
  digest: string;
  /** The branch that gets the changes, and a prefix of its commit. */
  base: string;
}

const recordForm = /(?:^| )\[(apply|unchanged|stale) (\S+@[0-9a-f]{7})\] Digest: ([0-9a-f]{64})$/;
const withoutPlan = " [no plan]";

/** The description of the status of a plan; its end has one form, and the sentence is shortened where both do not fit. */
export function planDescription(sentence: string, record: PlanRecord | undefined, longest: number): string {
  const end = record ? ` [${record.verdict} ${record.base}] Digest: ${record.digest}` : withoutPlan;
  // A margin for the sign of the omission.
  return `${shorten(sentence, longest - end.length - 1)}${end}`;
}

/** The record at the end of the description of a status; undefined: none. */
export function planRecord(description: string): PlanRecord | undefined {
  const [, verdict, base = "", digest = ""] = recordForm.exec(description) ?? [];
  return verdict === undefined ? undefined : { verdict: verdict as PlanRecord["verdict"], base, digest };
}

export function planBase(branch: string, commit: string): string {
  return `${branchName(branch)}@${commit.slice(0, 7)}`;
}

export function isForBranch({ base }: PlanRecord, branch: string): boolean {
  return base.slice(0, base.lastIndexOf("@")) === branchName(branch);
}

/** A branch with a long name, or with other characters, is named by a digest, which is no valid branch name. */
function branchName(branch: string): string {
  if (/^[\w./-]{1,24}$/.test(branch)) return branch;
  return `~${createHash("sha256").update(branch).digest("hex").slice(0, 16)}`;
}

export interface CiFlags extends PlanFlags, ConsentFlags {
  /** The name of comments and statuses: one for each folder with a separate plan. */
  name: string;
  base?: string;
  expect?: string;
}

export const planStatus = (name: string): string => `${name}/plan`;

export const applyStatus = (name: string): string => `${name}/apply`;

export const nothingApplied = "Nothing to apply.";

/** How the job has applied a commit, by its statuses; undefined: it has not tried. */
export function appliedAs(statuses: readonly CommitStatus[], name: string): "whole" | "refused" | undefined {
  const status = statuses.find((each) => each.name === applyStatus(name));
  if (!status) return undefined;
  return status.state === "success" ? "whole" : "refused";
}

export const planComment = (name: string): string => `${name} plan`;
