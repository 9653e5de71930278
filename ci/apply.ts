import picocolors from "picocolors";
import { digestOfActions } from "../core/outputs/forms/index.ts";
import { InvalidInputError } from "../core/problems/problem.ts";
import { hasChanges, type Plan } from "../core/planning/plan/index.ts";
import { isComplete, type Report } from "../core/execution/execute/index.ts";
import { escapeControl } from "../core/values/text.ts";
import type { CiEvent, CommitStatus, Forge } from "../adapters/forge/index.ts";
import { CommandError, exitCodes } from "../cli/exit-codes.ts";
import { expectedDigest } from "../cli/change/expected-digest.ts";
import { makeChange } from "../cli/change/make-change.ts";
import { sharesLogs } from "../cli/repository/shares-logs.ts";
import { failureOf } from "../cli/failure.ts";
import { withStatus } from "../cli/progress/with-status.ts";
import { planMarkdown, reportMarkdown } from "../cli/render/plan-markdown.ts";
import { renderReport } from "../cli/render/report.ts";
import type { Console } from "../cli/terminal/console.ts";
import { branchState, runAgain } from "./branch.ts";
import { firstParent } from "./git.ts";
import { pastOf } from "./past.ts";
import { type CommitsBefore, commitsBefore } from "./rules-before.ts";
import {
  applyStatus,
  type CiFlags,
  isForBranch,
  nothingApplied,
  type PlanRecord,
  planRecord,
  planStatus,
} from "./status-text.ts";
import { type CiPlace, readCiPlace, setOutputs, summarize } from "./place.ts";
import { planDesired } from "./checkout-plan.ts";

/** Applies a merged commit if its plan is the reviewed one. Executes no file of the pull request: compares only the digest. */
export async function applyMerged(
  sources: readonly string[],
  flags: CiFlags,
  console: Console,
): Promise<number> {
  const place = await readCiPlace(flags, console);
  const { event } = place;
  if (event.type !== "branch")
    throw refused(
      "a pull request is not applied before it is merged",
      "run this for pushes to the default branch",
    );
  if (event.branch === "" || (place.defaultBranch !== undefined && event.branch !== place.defaultBranch))
    throw refused(
      `this is not the default branch${place.defaultBranch === undefined ? "" : ` ${place.defaultBranch}`}`,
      "run this for pushes to the default branch",
    );
  const forge = await place.connect();
  const reported = async (work: () => Promise<number>): Promise<number> => {
    try {
      return await work();
    } catch (error) {
      const { message } = failureOf(error, console).json.error;
      await setApplyStatus(forge, place, event, flags, "failure", `Not applied: ${message}`).catch(
        (other: unknown) =>
          console.note(`The failure could not be reported to ${place.forge}: ${String(other)}`),
      );
      throw error;
    }
  };
  if (flags.expect === undefined && (await isApplied(forge, event, flags))) {
    const text = `The commit ${event.commit} is applied already, so nothing is done. To plan again: infrasync plan; to apply a reviewed plan: infrasync ci apply --expect DIGEST`;
    console.note(text);
    await summarize(text, console);
    await setOutputs({ changes: "false", digest: "" }, console);
    return exitCodes.done;
  }
  return reported(async () => {
    const expected = expectedDigest(flags.expect) ?? (await reviewedDigest(event, forge, flags, console));
    if (expected === undefined) {
      await requireApplied(sources, flags, { forge, place, event, console });
      const text = `The ${forge.pullRequestWord} has changed nothing, so nothing is applied.`;
      console.note(text);
      await summarize(text, console);
      await setOutputs({ changes: "false", digest: "" }, console);
      await setApplyStatus(forge, place, event, flags, "success", nothingApplied);
      return exitCodes.done;
    }
    return applyExpected(expected, sources, flags, { forge, place, event, console });
  });
}

/** Whether an earlier run of this job has applied the commit. */
async function isApplied(forge: Forge, { commit }: Job["event"], { name }: CiFlags): Promise<boolean> {
  const statuses = await forge.ownStatuses(commit);
  return statuses.find((each) => each.name === applyStatus(name))?.state === "success";
}

interface Job {
  forge: Forge;
  place: CiPlace;
  event: Extract<CiEvent, { type: "branch" }>;
  console: Console;
}

async function beforeMerge(
  { forge, event, console }: Pick<Job, "forge" | "event" | "console">,
  flags: CiFlags,
): Promise<CommitsBefore> {
  return commitsBefore(await firstParent(event.commit, console.io), forge, flags, event.pushedOnto);
}

const mostReviewed = 10;

/** Refuses a merge without changes after an unapplied commit, which would look applied. @throws CommandError */
async function requireApplied(sources: readonly string[], flags: CiFlags, job: Job): Promise<void> {
  const { console } = job;
  const before = await beforeMerge(job, flags);
  const past = await pastOf(sources, flags, console.io);
  const { applied, pending, missing } = await branchState(before.parent, before.appliedAs, past, console.io);
  if (missing === undefined) return;
  // Before the first apply of a repository's jobs, only a reviewed plan counts as missing.
  if (applied === undefined && !(await isReviewed())) return;
  const base = applied === undefined ? undefined : { reference: applied, name: applied.slice(0, 9) };
  if (await isSettled()) return;
  throw refused(`${missing}, so this branch is not applied, although this commit changes nothing`, runAgain);

  async function isReviewed(): Promise<boolean> {
    for (const { commit, isRefused } of pending.slice(0, mostReviewed)) {
      const digest = await reviewedDigest({ ...job.event, commit }, job.forge, flags, console).catch(
        (error: unknown) => {
          if (error instanceof CommandError) return undefined;
          throw error;
        },
      );
      if (isRefused || digest !== undefined) return true;
    }
    return false;
  }

  /** Whether nothing is left to do: since the applied commit, or at all. */
  async function isSettled(): Promise<boolean> {
    try {
      const { proposal, comparison } = await planDesired(sources, flags, console, before, { base });
      if (proposal.missingConsents.length > 0) return false;
      return comparison
        ? comparison.own.length + comparison.settled.length === 0
        : !hasChanges(proposal.plan);
    } catch (error) {
      if (error instanceof InvalidInputError) return false;
      throw error;
    }
  }
}

async function applyExpected(
  expected: string,
  sources: readonly string[],
  flags: CiFlags,
  { forge, place, event, console }: Job,
): Promise<number> {
  const before = await beforeMerge({ forge, event, console }, flags);
  const { settings, proposal, run, set } = await planDesired(sources, flags, console, before);
  const { plan } = proposal;
  const { client } = run;
  const view = () => ({ budget: client.budget, now: Date.now(), isOnePlan: true, ...(set && { set }) });
  const digest = digestOfActions(plan);
  await summarize(planMarkdown(plan, view()), console);
  await setOutputs({ changes: String(digest === expected), digest }, console);
  let report: Report | undefined;
  const record = {
    begin: () => Promise.resolve(),
    end: (_plan: Plan, made: Report | undefined) => {
      report = made;
      return Promise.resolve();
    },
  };
  const hidesLogs = !sharesLogs(console.io);
  const change = { proposal, run, expected, canTarget: true, hidesLogs, record };
  const code = await withStatus(console, (status) =>
    makeChange(change, { settings, flags: { ...flags, autoApprove: true }, status, console }),
  );
  const shown = report && renderReport(report, { ...view(), colors: picocolors.createColors(false) });
  if (report) await summarize(reportMarkdown(report, view()), console);
  const isDone = report === undefined || isComplete(report);
  const last = shown?.split("\n").find((line) => /^(?:Done|Failed|Not|Stopped)/.test(line));
  const sentence = isDone ? (last ?? nothingApplied) : `Not everything is applied. ${last ?? ""}`;
  await setApplyStatus(forge, place, event, flags, isDone ? "success" : "failure", sentence);
  return code;
}

/** The digest of the reviewed plan of a merge; undefined: it had no changes. @throws InvalidInputError where nothing was shown */
async function reviewedDigest(
  { commit, branch }: Job["event"],
  forge: Forge,
  { name }: CiFlags,
  console: Console,
): Promise<string | undefined> {
  const word = forge.pullRequestWord;
  const byHand = `look at the plan (infrasync plan) and apply it manually: infrasync ci apply --expect DIGEST`;
  const merged = (await forge.pullRequestsOf(commit)).filter(
    ({ state, base, head, mergedAs }) =>
      state === "merged" && base.branch === branch && [...mergedAs, head.commit].includes(commit),
  );
  const [request, second] = merged;
  if (!request)
    throw refused(`no merged ${word} belongs to the commit ${commit}, so no plan of it was reviewed`, byHand);
  if (second)
    throw refused(
      `several merged ${word}s belong to the commit ${commit}: ${merged.map(({ number }) => number).join(", ")}`,
      byHand,
    );
  const status = planStatus(name);
  for (const { by } of await forge.statusesOfOthers(request.head.commit, status))
    console.note(
      `Note: the status ${status} of ${request.head.commit} by ${escapeControl(by)} is ignored: this job has not set it.`,
    );
  const own = await forge.ownStatuses(request.head.commit);
  const read = readReviewed(
    own.find((each) => each.name === status),
    branch,
  );
  if ("wrong" in read)
    throw refused(
      `the ${word} ${forge.numberSign}${request.number} has no reviewable plan: ${read.wrong}`,
      byHand,
    );
  return read.verdict === "apply" ? read.digest : undefined;
}

/** The shown plan, as its status records it, or why no apply may follow. */
function readReviewed(
  status: CommitStatus | undefined,
  branch: string,
): Pick<PlanRecord, "verdict" | "digest"> | { wrong: string } {
  if (!status) return { wrong: "this job has set no status of a plan there" };
  if (status.state !== "success") return { wrong: `the status of its plan is ${status.state}` };
  const record = planRecord(status.description);
  if (!record || record.verdict === "stale")
    return {
      wrong: `the status of its plan does not end like those of infrasync: ${escapeControl(status.description)}`,
    };
  if (!isForBranch(record, branch))
    return {
      wrong: `its plan was made for another branch than ${escapeControl(branch)}: ${escapeControl(record.base)}`,
    };
  return record;
}

function setApplyStatus(
  forge: Forge,
  { url }: CiPlace,
  { commit }: Job["event"],
  { name }: CiFlags,
  state: "success" | "failure",
  description: string,
): Promise<void> {
  return forge.setStatus(commit, { name: applyStatus(name), state, description, url });
}

function refused(message: string, advice: string): CommandError {
  return new CommandError("not_approved", exitCodes.invalid, { message, advice });
}
