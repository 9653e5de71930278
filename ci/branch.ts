import { forges } from "../adapters/forge/index.ts";
import { short } from "../adapters/git/index.ts";
import type { Io } from "../cli/terminal/io.ts";
import { contentIds, fetchCommit, firstParent } from "./git.ts";
import type { Past } from "./past.ts";
import { type CommitsBefore, placesIn } from "./rules-before.ts";

const mostWalked = 100;

/** Whether a branch is applied at a commit: a job may have failed or been dropped. Commits with equal manifests need no apply. Returns the last applied commit, if it was found, the later ones, and these in a sentence. */
export async function branchState(
  from: string | undefined,
  appliedAs: CommitsBefore["appliedAs"],
  past: Past,
  io: Io,
) {
  const pending: { commit: string; isRefused: boolean }[] = [];
  let commit = from;
  for (let walked = 0; commit !== undefined && walked < mostWalked; walked += 1) {
    await fetchCommit(commit, io, [walked === 0 ? "--depth=1" : `--depth=${mostWalked}`]);
    const state = await appliedAs(commit);
    if (state === "whole") break;
    pending.push({ commit, isRefused: state === "refused" });
    commit = await firstParent(commit, io);
  }
  const applied = pending.length === mostWalked ? undefined : commit;
  const [newest] = pending;
  if (!newest) return { applied, pending, missing: undefined };
  if (applied === undefined)
    return {
      applied,
      pending,
      missing: `no job has applied ${short(newest.commit)}, nor a commit before it`,
    };
  const places = placesIn(past);
  const isSame = (await contentIds(newest.commit, places, io)) === (await contentIds(applied, places, io));
  if (isSame && !pending.some(({ isRefused }) => isRefused)) return { applied, pending, missing: undefined };
  const oldest = pending.at(-1) ?? newest;
  const missing = oldest.isRefused
    ? `the apply of ${short(oldest.commit)} has failed`
    : `no job has applied ${short(oldest.commit)}`;
  return { applied, pending, missing };
}

/** The advice for a commit that no job has applied. */
export const runAgain = `run the job again (a group of ${forges.map(({ pipelines }) => pipelines).join(" or ")} may have dropped it), or look at the plan of the branch and apply it manually: infrasync ci apply --expect DIGEST`;
