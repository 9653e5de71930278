import type { Kind } from "../../core/kinds/index.ts";
import type { LiveResource } from "../../core/live/index.ts";
import type { Done, Run } from "../../core/operations/index.ts";
import {
  type Action,
  type Policy,
  countedLossesOf,
  defaultPolicy,
  isReplacement,
} from "../../core/plan/index.ts";
import {
  type Approval,
  type Freshly,
  type Proposal,
  approve,
  executeAlone,
} from "../../core/session/index.ts";
import { hasUnknown } from "../../core/unknown.ts";
import type { JudgedDifference } from "./diff.ts";
import { RefusedError } from "./errors.ts";
import { type Properties, isCreated, readInputs } from "./inputs.ts";
import {
  type ProgramAnswer,
  type ProgramQuestion,
  ask,
  askServer,
  changeInState,
  creationOf,
  deletionOf,
} from "./question.ts";
import { namedAbove, readingInside } from "./world.ts";
import { type ProgramObjection, adviceOf, problemInWords, showMembers } from "./words.ts";
import type { ProviderSession } from "./session.ts";
import type { ProviderSettings } from "./settings.ts";

/** A change of one resource that is about to be made. */
export interface ProgramChange {
  question: ProgramQuestion;
  /** What may be read to answer it. */
  may: Parameters<typeof askServer>[2];
  /** How a refusal of its inputs begins. */
  refusal?: string;
  /** What was read for it just now. */
  freshly?: (action: Action) => Freshly;
}

/**
 * Makes a change, as the planner plans it and with the settings of the stack as terms.
 *
 * @param run with the time limits of the resource
 * @returns what was planned, and what was done; nothing where nothing has to be changed
 * @throws RefusedError where the inputs are refused, or the change is forbidden
 */
export async function carryOut(
  session: ProviderSession,
  change: ProgramChange,
  run: Run,
): Promise<{ action: Action; done: Done | undefined }> {
  const answer = await judged(session, change);
  refuse(change.refusal ?? "", [...answer.objections, ...replacementsIn(answer)]);
  const approval = await approveAs(session, answer.proposal);
  if (approval.type === "refused") throw forbidden([approval], change.question.kind, session.settings);
  const { action } = answer;
  if (!action) throw new Error("internal error: nothing is planned; please report it");
  noteLosses(session, answer);
  const done =
    approval.type === "approved"
      ? await executeAlone(approval.approved, run, change.freshly?.(action) ?? {})
      : undefined;
  return { action, done };
}

/** Asks for the approval of a proposal, by the settings of the stack. The engine has asked the user. */
export async function approveAs(
  { run, settings }: ProviderSession,
  proposal: Proposal,
): Promise<Extract<Approval, { type: "approved" | "unchanged" | "refused" }>> {
  const { onQuota } = settings;
  const approval = await approve(proposal, run, { onQuota, consent: () => Promise.resolve(true) });
  switch (approval.type) {
    case "unaffordable":
      throw new RefusedError(
        `it takes ${approval.requests} requests, and the quota of the token has ${approval.shortage.left} left; ${adviceOf({ remedies: [{ again: "later" }, { setting: "on_quota", value: "wait" }] }, settings)}`,
      );
    case "interrupted":
    case "declined":
      throw new RefusedError("it was not begun, because the run has been stopped");
    default:
      return approval;
  }
}

/** The fields that only another resource could have: a program replaces a resource only when the engine has said so. */
function replacementsIn({ action }: ProgramAnswer): ProgramObjection[] {
  if (!action || !isReplacement(action)) return [];
  return action.changes.flatMap(({ path, replaces }) => {
    const member = showMembers(action.address.kind, path);
    return replaces === undefined ? [] : [{ member, reason: `${member} differs: ${replaces}` }];
  });
}

/**
 * The answer of the planner about a change. Names of what is above the resource are read only if a rule needs its address.
 *
 * @throws RefusedError where the change is forbidden
 */
export async function judged(session: ProviderSession, change: ProgramChange): Promise<ProgramAnswer> {
  const { settings, now } = session;
  const question = { ...change.question, now };
  const { kind, parentId, existing } = question;
  if (question.ends && settings.maxDeletes !== undefined) await announceLosses(session, change);
  const policy = policyOf(settings, session.ledger.lostBeside(existing?.id));
  const asked = (above?: readonly LiveResource[]) =>
    askServer(session, question, change.may, { policy, ...(above && { above }) });
  const unnamed = await asked();
  const answers: ProgramAnswer[] = [];
  if (unnamed.proposal.needsNames)
    for (const above of await namedAbove(session, kind, parentId)) answers.push(await asked(above));
  const [first = unnamed] = answers;
  const all = [first, ...answers];
  if (all.every(({ problems }) => problems.length === 0)) return first;
  // What is not deleted for another reason does not count; what goes over the cap counts for all of the run.
  if (existing && !all.some(({ problems }) => problems.some(({ code }) => code === "too_many")))
    session.ledger.spare(existing.id);
  // Only a preview has values that are not known: the run judges the change when they are.
  if (!all.every(({ problems }) => problems.every(({ unknown }) => unknown)))
    throw forbidden(all, kind, settings);
  const note = `unless values that are not known yet change that, \`pulumi up\` refuses: ${forbidden(all, kind, settings).message}`;
  return { ...first, problems: [], notes: [...first.notes, note] };
}

/** Notes what a change loses, for the caps. */
export function noteLosses({ ledger }: ProviderSession, { proposal }: Pick<ProgramAnswer, "proposal">): void {
  for (const { id = "", title } of countedLossesOf(proposal.plan)) ledger.lose(id, [title]);
}

/**
 * Notes what a deletion loses before it is judged, and waits for the other deletions that the engine has asked for at the same
 * time, in whatever process: the cap counts all of them before the first is made.
 */
async function announceLosses(session: ProviderSession, { question, may }: ProgramChange): Promise<void> {
  const policy = policyOf(session.settings, 0);
  noteLosses(session, await askServer(session, question, may, { policy }));
  const { ledger, run } = session;
  ledger.endCount(question.existing?.id ?? "");
  let known: number;
  let rounds = 0;
  do {
    known = ledger.deletions.begun;
    await run.clock.sleep(gatheringDeletions);
    rounds += 1;
  } while (ledger.deletions.begun !== known || (ledger.deletions.uncounted > 0 && rounds < mostRounds));
}

/** Milliseconds without another deletion after which those that the engine has asked for are counted. */
const gatheringDeletions = 1000;

/** A process that has ended counts nothing any more. */
const mostRounds = 30;

/** The error of a change that is forbidden, with each reason once. */
function forbidden(
  answers: readonly Pick<ProgramAnswer, "problems">[],
  kind: Kind,
  settings: ProviderSettings,
): RefusedError {
  const reasons = answers.flatMap(({ problems }) =>
    problems.map((problem) => problemInWords(problem, kind, settings)),
  );
  return new RefusedError([...new Set(reasons)].join("\n"));
}

/** Throws when something is wrong with the inputs. */
export function refuse(what: string, objections: readonly ProgramObjection[]): void {
  if (objections.length > 0)
    throw new RefusedError(`${what}${objections.map(({ reason }) => reason).join("\n")}`);
}

/** What the settings of a stack allow and forbid. @param lostBefore how much other changes of the run lose */
export function policyOf(
  { allowInfrastructure, allowLosses, protect, policies, maxDeletes, maxDeletesFile: file }: ProviderSettings,
  lostBefore: number,
): Policy {
  return {
    ...defaultPolicy,
    protect,
    policies,
    allowReplace: allowLosses,
    // Without a name there is no consent, whatever else is allowed.
    ...(allowInfrastructure.length > 0 && { infrastructure: allowInfrastructure }),
    hidesLosses: true,
    ...(maxDeletes !== undefined &&
      file !== undefined && { fixedCaps: { file, caps: { count: maxDeletes } } }),
    caps: { count: maxDeletes ?? Infinity, percent: 100, before: lostBefore },
  };
}

/** Whether a change has to be judged with the settings of the stack: that may take requests. */
function needsJudgement(
  question: ProgramQuestion,
  { replaces }: JudgedDifference,
  settings: ProviderSettings,
) {
  const { policies, protect, maxDeletes } = settings;
  if (replaces.length > 0) return protect.length + policies.length > 0 || maxDeletes !== undefined;
  const { action, problems, proposal } = ask(question, { policy: policyOf(settings, 0) });
  // Which aliases go with a variable is not known yet.
  return action && (problems.length > 0 || proposal.needsNames || (proposal.needs?.parts.size ?? 0) > 0);
}

/**
 * Judges a change with the settings of the stack, for a preview: policies, protection, caps, consents to losses and to
 * infrastructure.
 *
 * @throws RefusedError where it is forbidden
 * @returns what a user should know
 */
export async function judgeChange(
  session: ProviderSession,
  kind: Kind,
  id: string,
  olds: Properties,
  news: Properties,
  difference: JudgedDifference,
): Promise<readonly string[]> {
  const { replaces, changes } = difference;
  if (!changes) return [];
  const question =
    replaces.length > 0
      ? deletionOf(kind, id, olds, { mayEmpty: true, token: session.settings.token })
      : changeInState(kind, id, olds, readInputs(kind, news), session.now);
  if (!needsJudgement(question, difference, session.settings)) return [];
  const answer = await judged(session, { question, may: readingInside });
  noteLosses(session, answer);
  return answer.notes;
}

/**
 * Judges a new resource with the settings of the stack, for a preview. One that may exist already, or whose parent is not known
 * yet, is judged when it is made.
 *
 * @throws RefusedError where it is forbidden
 * @returns what a user should know
 */
export async function judgeCreation(
  session: ProviderSession,
  kind: Kind,
  news: Properties,
): Promise<readonly string[]> {
  const stated = readInputs(kind, news);
  const mayBeThere = stated.adopt || stated.adoptId !== undefined || session.settings.adopt;
  if (mayBeThere || !isCreated(kind) || hasUnknown(stated.parentId)) return [];
  const may = () => ({ list: () => false, parts: () => false });
  const { notes } = await judged(session, { question: creationOf(kind, stated), may });
  return notes;
}
