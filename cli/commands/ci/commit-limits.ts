import { realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Policy } from "../../../core/plan/index.ts";
import { InvalidInputError } from "../../../core/problem.ts";
import { policyFileName } from "../../../core/source/files.ts";
import { readFolder } from "../../../git/index.ts";
import { type CommitPolicy, readPolicy, suspendedAt } from "../../../reconciler/index.ts";
import type { Io } from "../../terminal/io.ts";

/** The limits that the file for the reconciler states in a commit: its suspensions and `max_deletes` hold for a job as well. */
export interface CommitLimits {
  /** `the commit 1a2b3c4`. */
  name: string;
  policy: CommitPolicy;
}

/** The limits of a commit. @param read the files and folders that are read @throws InvalidInputError with its mistakes, GitError */
export async function limitsAt(
  commit: string,
  read: readonly string[],
  name: string,
  { env, signal }: Io,
): Promise<CommitLimits[]> {
  const folder = folderOf(read);
  const { top } = await readFolder(folder, commit, [], { env, signal });
  const places = filesAbove(folder, top, policyFileName);
  const { files } = await readFolder(folder, commit, places, { env, signal });
  return files.map(({ path, content }) => {
    const { policy, problems } = readPolicy(content, path);
    if (problems.length > 0) throw new InvalidInputError(problems);
    return { name, policy };
  });
}

/** A policy with the lowest of its own caps and those of a commit. A job knows no day, so one run may not pass a day's limit. */
export function withLimits(policy: Policy, limits: readonly CommitLimits[]): Policy {
  const counts = limits.flatMap(({ policy: { maxDeletes = {} } }) => [
    maxDeletes.commit ?? Infinity,
    maxDeletes.day ?? Infinity,
  ]);
  return { ...policy, caps: { ...policy.caps, count: Math.min(policy.caps.count, ...counts) } };
}

/** A policy under which nothing is changed where one of these commits suspends it. @param now milliseconds since 1970 */
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

/** The folder that was read first, or the folder of the file. */
export function folderOf([first = "."]: readonly string[]): string {
  const source = realpathSync(resolve(first));
  return statSync(source).isDirectory() ? source : dirname(source);
}

/** The files of a name that a folder could have: in it, and above it up to the top of the repository. */
export function filesAbove(folder: string, top: string, name: string): string[] {
  const own = join(folder, name);
  return folder === top || dirname(folder) === folder
    ? [own]
    : [own, ...filesAbove(dirname(folder), top, name)];
}
