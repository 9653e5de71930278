import type { Policy } from "../core/planning/plan/index.ts";
import { InvalidInputError } from "../core/problems/problem.ts";
import { policyFileName } from "../core/source/files.ts";
import { type CommitPolicy, readPolicy, suspendedAt } from "../reconciler/index.ts";
import type { Io } from "../cli/terminal/io.ts";
import { filesAbove } from "../cli/manifests/base.ts";
import { committedAt, type Past } from "./past.ts";

/** The limits in a commit's file for the reconciler: its suspensions and `max_deletes` apply to a job as well. */
export interface CommitLimits {
  /** `the commit 1a2b3c4`. */
  name: string;
  policy: CommitPolicy;
}

/** The limits of a commit. @throws InvalidInputError with its mistakes, GitError */
export async function limitsAt(
  commit: string,
  { top, places }: Past,
  name: string,
  { env, signal }: Io,
): Promise<CommitLimits[]> {
  const all = places.flatMap((place) => filesAbove(place, top, policyFileName));
  const files = await committedAt(commit, top, all, { env, signal });
  return files.map(({ path, content }) => {
    const { policy, problems } = readPolicy(content, path);
    if (problems.length > 0) throw new InvalidInputError(problems);
    return { name, policy };
  });
}

/** A policy with the lowest of its own caps and those of a commit. A day's limit applies to one run of a job. */
export function withLimits<Limited extends Pick<Policy, "caps">>(
  policy: Limited,
  limits: readonly CommitLimits[],
): Limited {
  const counts = limits.flatMap(({ policy: { maxDeletes = {} } }) => [
    maxDeletes.commit ?? Infinity,
    maxDeletes.day ?? Infinity,
  ]);
  return { ...policy, caps: { ...policy.caps, count: Math.min(policy.caps.count, ...counts) } };
}

/** A policy under which nothing changes where one of these commits suspends it. @param now milliseconds since 1970 */
export function withSuspensions(policy: Policy, limits: readonly CommitLimits[], now: number): Policy {
  if (limits.length === 0) return policy;
  return {
    ...policy,
    suspended(address) {
      for (const each of limits) {
        const suspension = suspendedAt(address, each.policy, now);
        if (suspension !== undefined) return `${suspension} (${policyFileName} of ${each.name})`;
      }
      return undefined;
    },
  };
}
