import type { Repository } from "../../git/index.ts";
import type { LoadedCommit } from "./commits.ts";

/** A commit that was applied and that a later one does not come after: the branch was rewritten. */
export async function droppedBy(
  { commit }: Pick<LoadedCommit, "commit">,
  applied: readonly string[],
  repository: Pick<Repository, "isAncestor">,
): Promise<string | undefined> {
  for (const known of applied) {
    const isFollowed = await repository.isAncestor(known, commit);
    if (!isFollowed) return known;
  }
  return undefined;
}
