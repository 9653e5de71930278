import picocolors from "picocolors";
import { addressKey, formatAddress } from "../core/model/addresses/address.ts";
import { refusal } from "../core/problems/problem.ts";
import { readBase } from "../cli/manifests/base.ts";
import { counted } from "../cli/render/text.ts";
import { digestOfActions } from "../core/outputs/forms/index.ts";
import { hasChanges } from "../core/planning/plan/index.ts";
import { escapeControl } from "../core/values/text.ts";
import type { PlanFlags } from "../cli/flags.ts";
import { type CiEvent, type Forge, keepComment } from "../adapters/forge/index.ts";
import { showPlan } from "../cli/change/show-plan.ts";
import { exitCodes } from "../cli/exit-codes.ts";
import { failureOf } from "../cli/failure.ts";
import { code, plain } from "../core/report/markdown-text.ts";
import { summary } from "../cli/render/plan.ts";
import { planMarkdown } from "../cli/render/plan-markdown.ts";
import { renderProblems } from "../cli/render/problems.ts";
import type { Console } from "../cli/terminal/console.ts";
import { type CiFlags, planBase, planComment, planDescription, planStatus } from "./status-text.ts";
import { type Merge, mergeOf } from "./git.ts";
import { type CiPlace, readCiPlace, setOutputs, summarize } from "./place.ts";
import { commitsBefore } from "./rules-before.ts";
import { type PlannedCheckout, planDesired } from "./checkout-plan.ts";

type PlannedEvent = Exclude<CiEvent, { type: "branch" }>;

interface PlanComment {
  state: "success" | "failure";
  sentence: string;
  /** The permitted apply after the merge; undefined: none. */
  shown?: { verdict: "apply" | "unchanged"; digest: string; base: string };
  /** For the comment; undefined: there is none. */
  text?: string;
}

const colors = picocolors.createColors(false);

/** Plans a pull request, and reports it in a comment, a status and the job's summary. Returns the exit code. */
export async function planPullRequest(
  sources: readonly string[],
  flags: CiFlags & PlanFlags,
  console: Console,
): Promise<number> {
  const place = await readCiPlace(flags, console);
  const { event } = place;
  if (event.type === "branch") {
    console.note(
      "This job runs neither for a pull request nor for a merge queue, so there is nothing to plan.",
    );
    return exitCodes.done;
  }
  if (event.type === "pull request" && event.isFork) return refuseFork(place, console);
  const forge = await place.connect();
  let planned: PlannedCheckout;
  let base: string;
  try {
    const branch =
      event.type === "pull request" ? (await forge.pullRequest(event.number))?.base.branch : undefined;
    const merge = await mergeOf(event.base, branch, event.head, console.io);
    if (merge.behind) throw await behindOf(merge, branch, sources, flags, console);
    ({ base } = merge);
    const compared = { reference: flags.base ?? base, name: flags.base ?? base.slice(0, 9) };
    const before = commitsBefore(base, forge, flags);
    planned = await planDesired(sources, flags, console, before, { base: compared, tree: merge.tree });
  } catch (error) {
    // The earlier comment is no longer true, so the failure replaces it.
    await tell(failureNews(error, event, console), forge, place, event, flags, console).catch(
      (other: unknown) =>
        console.note(`The failure could not be reported to ${place.forge}: ${String(other)}`),
    );
    throw error;
  }
  const { proposal, set, comparison, run } = planned;
  await showPlan(proposal.plan, { comparison, set, budget: run.client.budget }, undefined, console);
  const news = newsOf(planned, base, event, forge);
  await tell(news, forge, place, event, flags, console);
  return proposal.missingConsents.length > 0 ? exitCodes.invalid : exitCodes.done;
}

const mostNamed = 3;

/** The mistake of a head that lacks commits of its base, if no merge of both can be planned. */
async function behindOf(
  { base, behind }: Merge,
  branch: string | undefined,
  sources: readonly string[],
  flags: CiFlags,
  { io }: Console,
): Promise<unknown> {
  if (!behind) return undefined;
  const [now, then] = await Promise.all([base, behind.since].map((at) => readBase(at, sources, flags, io)));
  const known = new Set(then?.map(({ address }) => addressKey(address)));
  const added = (now ?? []).filter(({ address }) => !known.has(addressKey(address)));
  const names = added.slice(0, mostNamed).map(({ address }) => formatAddress(address));
  const more = added.length > mostNamed ? ` and ${added.length - mostNamed} more` : "";
  const adds = names.length === 0 ? "" : `, which adds ${names.join(", ")}${more}`;
  return refusal(
    "argument",
    `the merge cannot be planned, because ${behind.why}: the head is behind ${branch} by ${counted(behind.count, "commit")}${adds}`,
    `merge ${branch} into the branch, or rebase it, and push`,
  );
}

async function refuseFork({ pullRequestWord }: CiPlace, console: Console): Promise<number> {
  const text = `No plan: this ${pullRequestWord} comes from a fork, and forks get no token. To see the plan, a maintainer can push the branch to this repository, or plan on a local machine.`;
  console.note(text);
  await summarize(text, console);
  await setOutputs({ changes: "false", digest: "" }, console);
  return exitCodes.done;
}

function newsOf(
  { proposal, comparison, set = [] }: PlannedCheckout,
  base: string,
  event: PlannedEvent,
  forge: Forge,
): PlanComment {
  const { plan, missingConsents } = proposal;
  // The rest of the quota differs each time: the same plan of the same commit edits no comment.
  const view = { budget: {}, now: Date.now(), set };
  const text = `${planMarkdown(plan, { ...view, comparison })}\n\n<sub>Commit ${event.head}</sub>`;
  const counts = summary(plan, colors);
  if (missingConsents.length > 0)
    return {
      state: "failure",
      // A missing consent is no change of a resource.
      sentence: `The plan is refused: an approval is missing.${hasChanges(plan) ? ` ${counts}` : ""}`,
      text,
    };
  const isChange = comparison === undefined || comparison.own.length + comparison.settled.length > 0;
  const shown = { digest: digestOfActions(plan), base };
  if (!isChange)
    return {
      state: "success",
      sentence: `The ${forge.pullRequestWord} changes nothing.`,
      shown: { ...shown, verdict: "unchanged" },
    };
  return { state: "success", sentence: counts, shown: { ...shown, verdict: "apply" }, text };
}

function failureNews(error: unknown, event: PlannedEvent, console: Console): PlanComment {
  const { problems, json } = failureOf(error, console);
  const shown = escapeControl(json.error.message);
  const lines = renderProblems(problems.slice(0, 50), colors, undefined).split("\n");
  const text = ["### There is no plan", `${plain(shown)}:`, codeOf(lines), `<sub>Commit ${event.head}</sub>`];
  return { state: "failure", sentence: `There is no plan: ${shown}`, text: text.join("\n\n") };
}

/** Lines as indented code, so that no line of a manifest can end it. */
function codeOf(lines: readonly string[]): string {
  return lines.map((line) => `    ${line.slice(0, 300)}`).join("\n");
}

async function tell(
  { state, sentence, shown, text }: PlanComment,
  forge: Forge,
  { url }: CiPlace,
  event: PlannedEvent,
  { name }: CiFlags,
  console: Console,
): Promise<void> {
  await summarize(text ?? sentence, console);
  const { branch, comment } = await where();
  const record = branch !== undefined && shown ? { ...shown, base: planBase(branch, shown.base) } : undefined;
  const description = planDescription(console.redact(sentence), record, forge.longestDescription);
  const link = comment?.url ?? url;
  const status = { name: planStatus(name), state, description };
  await forge.setStatus(event.head, { ...status, url: link });
  const digest = shown?.verdict === "apply" ? shown.digest : "";
  await setOutputs({ changes: String(digest !== ""), digest, comment: comment?.url ?? "" }, console);

  /** The branch that gets the changes; a pull request gets the comment. */
  async function where() {
    if (event.type === "merge group") return { branch: event.branch };
    const { number, head } = event;
    const now = await forge.pullRequest(number);
    // The run of a newer commit reports that one, and may have done so already.
    const isCurrent = now?.state === "open" && now.head.commit === head;
    if (!isCurrent)
      console.note(`${code(head)} is no longer the newest commit, so another run writes the comment.`);
    const body = text === undefined ? undefined : console.redact(text);
    const posted = isCurrent ? await keepComment(forge, number, planComment(name), body) : undefined;
    return { branch: now?.base.branch, comment: posted?.comment };
  }
}
