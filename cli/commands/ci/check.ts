import { digestOfActions } from "../../../core/forms/index.ts";
import { InvalidInputError } from "../../../core/problem.ts";
import type { PullRequest } from "../../../forge/index.ts";
import { readBase } from "../../support/base.ts";
import { exitCodes } from "../../exit-codes.ts";
import { counted } from "../../render/text.ts";
import type { Console } from "../../terminal/console.ts";
import { type CiFlags, planStatus, digestIn, isStale, staleText, withDigest } from "./status-text.ts";
import { fetchCommit, headWithHistory, mergedTree } from "./git.ts";
import { readCiPlace, summarize } from "./place.ts";
import { type Planned, planWanted } from "./wanted.ts";

/**
 * Plans the open pull requests again, as if each were merged now, from one reading of live resources. Where an apply would
 * not do any more what was shown, the status says that it is stale. Returns the exit code.
 */
export async function checkPullRequests(
  sources: readonly string[],
  flags: CiFlags,
  console: Console,
): Promise<number> {
  const place = await readCiPlace(console);
  const { event } = place;
  if (event.type !== "branch" || event.branch === "")
    throw new InvalidInputError([
      {
        code: "argument",
        message: "this job does not run for a branch, so there are no pull requests to check",
        advice: "run it on a schedule, and for pushes to the default branch",
      },
    ]);
  const base = await headWithHistory(console.io);
  const forge = await place.connect();
  const open = await forge.openPullRequests(event.branch);
  const shown = [];
  for (const request of open.filter(({ isFork }) => !isFork)) {
    const statuses = await forge.ownStatuses(request.head.commit);
    const status = statuses.find(({ name }) => name === planStatus(flags.name));
    const digest = status && digestIn(status.description);
    if (status && digest !== undefined) shown.push({ request, status, digest });
  }
  const planned = shown.length === 0 ? undefined : await planWanted(sources, flags, console, undefined);
  let stale = 0;
  for (const { request, status, digest } of planned ? shown : []) {
    if (!planned) break;
    const why = await whyStale({ request, digest, base, planned, sources, flags, console });
    const isMarked = isStale(status.description);
    if (why !== undefined) stale += 1;
    if ((why !== undefined) === isMarked) continue;
    const { longestDescription: longest } = forge;
    await forge.setStatus(request.head.commit, {
      name: status.name,
      ...(why === undefined
        ? { state: "success", description: withDigest("The plan holds again.", digest, longest) }
        : { state: "failure", description: staleText(why, digest, longest) }),
    });
  }
  const text = `${counted(shown.length, `open ${forge.pullRequestWord}`)} with a plan, ${stale} stale.`;
  console.data(text);
  await summarize(text, console);
  return exitCodes.done;
}

/** Why an apply after a merge would not do what was shown; undefined if it would. */
async function whyStale({
  request,
  digest,
  base,
  planned,
  sources,
  flags,
  console,
}: {
  request: PullRequest;
  digest: string;
  base: string;
  planned: Planned;
  sources: readonly string[];
  flags: CiFlags;
  console: Console;
}): Promise<string | undefined> {
  const { io } = console;
  await fetchCommit(request.head.commit, io);
  const tree = await mergedTree(base, request.head.commit, io);
  if (tree === undefined) return "it conflicts with the base";
  try {
    const { proposal } = await planned.again(await readBase(tree, sources, flags, io));
    if (proposal.missingConsents.length > 0) return "a consent is missing now";
    return digestOfActions(proposal.plan) === digest ? undefined : "the base or live resources have changed";
  } catch (error) {
    if (error instanceof InvalidInputError) return "merged with the base, the manifests have mistakes";
    throw error;
  }
}
