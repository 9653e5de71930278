import type { Command } from "./command.ts";
import { runOrders } from "./operation/operate.ts";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { personAt } from "../../adapters/database/join.ts";
import { currentJob, projectAt } from "../../adapters/forge/index.ts";
import { formatReference } from "../../core/model/addresses/address.ts";
import type { Proposal } from "../../core/execution/session/index.ts";
import { defaultCaps } from "../../core/planning/plan/index.ts";
import { InvalidInputError, refusal, type Problem } from "../../core/problems/problem.ts";
import { policyFileName } from "../../core/source/files.ts";
import { inSentence, escapeControl } from "../../core/values/text.ts";
import {
  type ExistingEnvironment,
  existingPreview,
  existingPreviews,
  endIn,
  isOver,
  ordersForPreview,
  ownerByHand,
  ownershipOf,
  makePreview,
  type PreviewContext,
  PreviewError,
  previewName,
  readPolicy,
  removePreview,
} from "../../reconciler/index.ts";
import { CommandError, exitCodes, unconfirmed } from "../exit-codes.ts";
import type { ConsentFlags } from "../flags.ts";
import type { Settings } from "../settings/index.ts";
import type { SettingFlags } from "../settings/names.ts";
import { ask, missingAnswer } from "../terminal/ask.ts";
import type { Console } from "../terminal/console.ts";
import { protectedAround } from "../manifests/outer-protection.ts";
import { readSettings } from "../session/read-settings.ts";
import type { Status } from "../progress/status.ts";
import { showPlan } from "../change/show-plan.ts";
import { withSession } from "../session/session.ts";

interface Flags extends SettingFlags, ConsentFlags {
  policy?: string;
  fromBranch?: string;
  fromCommit?: string;
}

/** `infrasync preview`: creates, lists and deletes environments for pull requests manually, as the reconciler does. */
export const preview: Command<[operation: "create" | "list" | "delete", number: string | undefined], Flags> =
  {
    async run({ args: [operation, number], flags, console }) {
      switch (operation) {
        case "create":
          return createPreview(number, flags, console);
        case "list":
          return listPreviews(flags, console);
        case "delete":
          return deletePreview(number, flags, console);
        default:
          return operation satisfies never;
      }
    },
  };

/** Shows the environments of the project with the names of previews. */
async function listPreviews(flags: Flags, console: Console): Promise<number> {
  return working(flags, console, [], async (context) => {
    const all = await existingPreviews(context.run, context.organization, context.policy.from[0]);
    const now = context.run.client.serverTime;
    const lines = all
      .toSorted((left, right) => left.number - right.number)
      .map((each) => `${formatReference(each.address.names)}  ${describe(each, context.owner, now)}`);
    console.data(lines.length === 0 ? "There are no previews." : lines.join("\n"));
    return exitCodes.done;
  });
}

function describe(found: ExistingEnvironment, owner: string, now: number): string {
  const ownership = ownershipOf(found, owner);
  if (ownership === "unfinished")
    return "started, and not finished; preview create finishes it, preview delete deletes it";
  if (ownership === "none") return "not made by infrasync, so it stays unchanged";
  if (ownership === "unknown") return "its owner is unknown, so it stays unchanged";
  if (typeof found.origin === "object") return `started by ${found.origin.startedBy}, and not finished`;
  const time = `${isOver(found, now) ? "should have ended" : "ends"} at ${endIn(found) ?? ""}`;
  return ownership === "own" || typeof found.label !== "object" ? time : `${time}, of ${found.label.owner}`;
}

/** Makes or updates a preview, deploys it, and prints its addresses. */
async function createPreview(given: string | undefined, flags: Flags, console: Console): Promise<number> {
  const problems: Problem[] = [];
  const number = readNumber(given, problems);
  problems.push(...missingAnswer("preview create", undefined, flags, [], console));
  const { fromBranch: branch = "", fromCommit: commit = "" } = flags;
  return working(flags, console, problems, async (context, status, settings) => {
    const used = JSON.stringify(context.policy.services.map(({ fields }) => fields));
    const missing = [
      ...(used.includes("{branch}") && branch === "" ? ["--from-branch"] : []),
      ...(used.includes("{sha}") && commit === "" ? ["--from-commit"] : []),
    ];
    if (missing.length > 0)
      throw refusal(
        "argument",
        `the preview policy needs ${inSentence(missing)}`,
        `add ${inSentence(missing)}`,
      );
    const name = formatReference([context.policy.from[0], previewName(number)]);
    status.working(`creating ${name}`);
    const what = `${name}, a clone of ${formatReference(context.policy.from)}`;
    const isDesired = async () =>
      !flags.dryRun && (flags.autoApprove || (await ask(`Create or update ${what}?`, console)));
    const { did } = await makePreview(context, { number, commit, branch }, isDesired);
    if (flags.dryRun) {
      console.note(did === "unchanged" ? `${name} is up to date.` : `It would create or update ${what}.`);
      return exitCodes.done;
    }
    if (did === "declined") throw unconfirmed();
    const words = { created: "created", changed: "updated", unchanged: "up to date" };
    console.note(`${name} is ${words[did]}.`);
    const orders = await ordersForPreview(context, number);
    if (orders.length === 0) return exitCodes.done;
    return runOrders("deploy", orders, { ...context, chosenBy: [], settings, flags, status, console });
  });
}

/** Deletes a preview that infrasync has made. */
async function deletePreview(given: string | undefined, flags: Flags, console: Console): Promise<number> {
  const problems: Problem[] = [];
  const number = readNumber(given, problems);
  problems.push(...missingAnswer("preview delete", undefined, flags, [], console));
  const work = async (context: PreviewContext, status: Status) => {
    const { run, organization, policy } = context;
    const found = await existingPreview(run, organization, policy.from[0], number);
    const name = formatReference([context.policy.from[0], previewName(number)]);
    if (!found) {
      console.note(`There is no ${name}.`);
      return exitCodes.done;
    }
    const isDesired = async ({ plan }: Proposal) => {
      status.pause();
      await showPlan(plan, { budget: run.client.budget }, undefined, console);
      if (flags.dryRun) return false;
      const isAgreed = flags.autoApprove || (await ask(`Delete ${name} with all that is in it?`, console));
      if (isAgreed) status.working(`deleting ${name}`);
      return isAgreed && !flags.autoApprove ? "yes, after a question" : isAgreed;
    };
    const did = await removePreview(context, found, isDesired);
    if (did === "declined" && !flags.dryRun) throw unconfirmed();
    console.note(flags.dryRun ? `It would delete ${name} with all that is in it.` : `${name} is deleted.`);
    return exitCodes.done;
  };
  return working(flags, console, problems, work, true);
}

/** Works with previews by the policy file of a folder. @param withoutCache the work deletes all that it reads */
async function working(
  flags: Flags,
  console: Console,
  problems: readonly Problem[],
  work: (context: PreviewContext, status: Status, settings: Settings) => Promise<number>,
  withoutCache = false,
): Promise<number> {
  const folder = flags.policy ?? ".";
  const { policy, problems: ofPolicy } = await readPreviewPolicy(folder);
  const all = [...ofPolicy, ...problems];
  const settings = await readSettings(flags, console, { orders: [folder], problems: all });
  if (!policy) throw new InvalidInputError(all);
  const documents = await protectedAround(flags, console, folder);
  const session = { settings, console, flags: { withoutCache } };
  return withSession(session, async ({ run, organization }, status) => {
    const { protect, policies, maxDeletes, parallelism, onQuota } = settings;
    try {
      const context = {
        run,
        organization,
        policy,
        owner: await ownerIn(console),
        rules: { protect, policies, caps: { ...defaultCaps, ...maxDeletes }, ...documents },
        parallelism,
        onQuota,
        affordable: () => Infinity,
      };
      return await work(context, status, settings);
    } catch (error) {
      if (!(error instanceof PreviewError)) throw error;
      const code = error.isShortage ? exitCodes.quota : exitCodes.failed;
      throw new CommandError(error.isShortage ? "quota" : "incomplete", code, { message: error.message });
    }
  });
}

/** The owner of this run's previews: the jobs of a project, or a person. */
async function ownerIn({ io: { env } }: Console): Promise<string> {
  const { job } = (await currentJob(env)) ?? {};
  return ownerByHand(job ? `jobs of ${projectAt(job.apiUrl, job.project)}` : personAt(env));
}

async function readPreviewPolicy(folder: string) {
  const file = join(folder, policyFileName);
  const content = await readFile(file).catch(() => undefined);
  const refused = (message: string, advice: string) => ({
    policy: undefined,
    problems: [{ code: "setting" as const, message, advice }],
  });
  if (!content)
    return refused(
      `${escapeControl(file)} does not exist`,
      "it declares previews; name its folder with --policy",
    );
  const { policy, problems } = readPolicy(content, file);
  if (problems.length > 0) return { policy: undefined, problems };
  if (!policy.previews)
    return refused(
      `${escapeControl(file)} has no section previews`,
      "add previews: { from: PROJECT/ENVIRONMENT }",
    );
  return { policy: policy.previews, problems };
}

function readNumber(given: string | undefined, problems: Problem[]): number {
  if (given !== undefined && /^[1-9]\d{0,9}$/.test(given)) return Number(given);
  problems.push({
    code: "argument",
    message: `the number of the pull request is ${given === undefined ? "missing" : escapeControl(`wrong: "${given}"`)}`,
    advice: "write one such as 42",
  });
  return 0;
}
