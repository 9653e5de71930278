import type { DesiredResource } from "../core/manifests/manifest/index.ts";
import { isObjectId, short } from "../adapters/git/index.ts";
import { readBase } from "../cli/manifests/base.ts";
import type { SourceFlags } from "../cli/flags.ts";
import type { Console } from "../cli/terminal/console.ts";
import { fetchCommit, firstParent, isOfCommit } from "./git.ts";

/** The most commits in the search for one without mistakes. */
const mostWalked = 100;

/**
 * Reads the base of a change, or, if that has mistakes, which the change may mend, the last readable commit before it.
 *
 * @throws InvalidInputError where none can be read, GitError
 */
export async function readComparison(
  { reference, name }: { reference: string; name: string },
  sources: readonly string[],
  flags: SourceFlags,
  console: Console,
): Promise<{ resources: readonly DesiredResource[]; name: string }> {
  const { io } = console;
  let mistake: Error | undefined;
  let commit: string | undefined = reference;
  for (let walked = 0; commit !== undefined && walked < mostWalked; walked += 1) {
    try {
      const resources = await readBase(commit, sources, flags, { ...io, hidden: undefined });
      if (mistake === undefined) return { resources, name };
      console.note(
        `Note: ${name} has mistakes, so the change is compared with ${short(commit)}, the last commit before it that can be read.`,
      );
      return { resources, name: `${short(commit)}, the last commit before ${name} that can be read` };
    } catch (error) {
      if (!isOfCommit(error) || !isObjectId(reference)) throw error;
      mistake ??= error;
    }
    commit = await firstParent(commit, io);
    if (commit !== undefined) await fetchCommit(commit, io, [`--depth=${mostWalked}`]);
  }
  throw mistake ?? new Error(`nothing is known of ${name}`);
}
