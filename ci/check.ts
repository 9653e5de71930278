import { digestOfActions } from "../core/outputs/forms/index.ts";
import { InvalidInputError, refusal } from "../core/problems/problem.ts";
import type { PullRequest } from "../adapters/forge/index.ts";
import { readBase } from "../cli/manifests/base.ts";
import { exitCodes } from "../cli/exit-codes.ts";
import { counted } from "../cli/render/text.ts";
import type { Console } from "../cli/terminal/console.ts";
import {
  type CiFlags,
  isForBranch,
  planBase,
  planDescription,
  planRecord,
  planStatus,
} from "./status-text.ts";
import { branchState, runAgain } from "./branch.ts";
import { fetchCommit, headWithHistory, mergedTree } from "./git.ts";
import { pastOf } from "./past.ts";
import { readCiPlace, summarize } from "./place.ts";
import { commitsBefore } from "./rules-before.ts";
import { type PlannedCheckout, planDesired } from "./checkout-plan.ts";

/** Plans the open pull requests again from one reading of live resources; where a plan differs, its status becomes stale. */
export async function checkPullRequests(
  sources: readonly string[],
  flags: CiFlags,
  console: Console,
): Promise<number> {
  const place = await readCiPlace(flags, console);
  const { event } = place;
  if (event.type !== "branch" || event.branch === "")
    throw refusal(
      "argument",
      "this job does not run for a branch, so there are no pull requests to check",
      "run it on a schedule, and for pushes to the default branch",
    );
  const base = await headWithHistory(console.io);
  const forge = await place.connect();
  const open = await forge.openPullRequests(event.branch);
  const shown = [];
  for (const request of open.filter(({ isFork }) => !isFork)) {
    const statuses = await forge.ownStatuses(request.head.commit);
    const status = statuses.find(({ name }) => name === planStatus(flags.name));
    const record = status && planRecord(status.description);
    const isShown = record?.verdict === (status?.state === "success" ? "apply" : "stale");
    if (record && isShown && isForBranch(record, event.branch)) shown.push({ request, status, record });
  }
  const planned =
    shown.length === 0
      ? undefined
      : await planDesired(sources, flags, console, commitsBefore(base, forge, flags));
  let stale = 0;
  for (const { request, status, record } of planned ? shown : []) {
    if (!planned) break;
    const { digest, verdict: before } = record;
    const why = await whyStale({ request, digest, base, planned, sources, flags, console });
    const verdict = why === undefined ? "apply" : "stale";
    if (why !== undefined) stale += 1;
    if (verdict === before) continue;
    const now = { verdict, digest, base: planBase(event.branch, base) } as const;
    const sentence = why === undefined ? "The plan is valid again." : `Stale: ${why}.`;
    await forge.setStatus(request.head.commit, {
      name: status.name,
      state: why === undefined ? "success" : "failure",
      description: planDescription(sentence, now, forge.longestDescription),
    });
  }
  const past = await pastOf(sources, flags, console.io);
  const { applied, missing } = await branchState(
    base,
    commitsBefore(base, forge, flags).appliedAs,
    past,
    console.io,
  );
  const isBehind = applied !== undefined && missing !== undefined;
  const branch = isBehind ? ` The branch ${event.branch} is not applied: ${missing}; ${runAgain}.` : "";
  const text = `${counted(shown.length, `open ${forge.pullRequestWord}`)} with a plan, ${stale} stale.${branch}`;
  console.data(text);
  await summarize(text, console);
  return isBehind ? exitCodes.failed : exitCodes.done;
}

/** Why an apply after a merge would differ from the shown plan; undefined: it would not. */
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
  planned: PlannedCheckout;
  sources: readonly string[];
  flags: CiFlags;
  console: Console;
}): Promise<string | undefined> {
  const { io } = console;
  await fetchCommit(request.head.commit, io);
  const merged = await mergedTree(base, request.head.commit, io);
  if ("why" in merged) return merged.why;
  try {
    const { proposal } = await planned.again(await readBase(merged.tree, sources, flags, io));
    if (proposal.missingConsents.length > 0) return "an approval is missing now";
    return digestOfActions(proposal.plan) === digest ? undefined : "base or live state has changed";
  } catch (error) {
    if (error instanceof InvalidInputError) return "merged with the base, the manifests have mistakes";
    throw error;
  }
}
