import { hasUnknown } from "../../core/problems/unknown.ts";
import { counted } from "../../core/values/text.ts";
import { type Kind, siblingsNamed } from "../../core/model/kinds/index.ts";
import type { LiveResource } from "../../core/state/live/index.ts";
import { deploymentsOf } from "../../core/deployments/index.ts";
import type { WriteResult, Run } from "../../core/operations/index.ts";
import {
  type Action,
  countedLossesOf,
  defaultPolicy,
  isReplacement,
  type Policy,
} from "../../core/planning/plan/index.ts";
import {
  type Approval,
  approve,
  executeAlone,
  type Freshly,
  proposeOperation,
} from "../../core/execution/session/index.ts";
import { RefusedError } from "./errors.ts";
import {
  ask,
  askServer,
  claimsGained,
  mostSought,
  type Order,
  type ProgramAnswer,
  type ProgramQuestion,
  type ResourceQuestion,
  type ReadPurpose,
} from "./plan-request.ts";
import type { ProviderSession } from "./session.ts";
import type { ProviderSettings } from "./settings.ts";
import { type InputMistake, notesInWords, problemInWords, showMembers, withAdvice } from "./words.ts";
import { parentsOf } from "./known-state.ts";
import { awaitWord } from "./names-in-use.ts";

/** A change of one resource, before it is made. */
export interface ProgramChange {
  question: ResourceQuestion;
  purpose: ReadPurpose;
  /** The beginning of the message when its inputs are refused. */
  refusal?: string;
  /** Whether a note needs the names of the parents. */
  isNamed?: boolean;
  /** The facts that were just read. */
  freshly?: (action: Action) => Freshly;
}

/**
 * Carries out a change of a resource as the planner plans it, if the settings of the stack allow it.
 *
 * @param run with the time limits of the resource
 * @returns the plan and the result; nothing if no change is needed
 * @throws RefusedError where the inputs are refused, or the change is forbidden
 */
export async function carryOut(
  session: ProviderSession,
  change: ProgramChange,
  run: Run,
): Promise<{ action: Action; done: WriteResult | undefined }> {
  const { granted, action } = await grant(session, change);
  if (!action) throw new Error("internal error: nothing is planned; please report it");
  if (granted.type === "unchanged") return { action, done: undefined };
  return { action, done: await executeAlone(granted.approved, run, change.freshly?.(action) ?? {}) };
}

/** Asks the gate for a change with the stack's settings. The engine has asked the user. @throws RefusedError */
export async function grant(
  session: ProviderSession,
  change: ProgramChange | Order,
): Promise<{ granted: Extract<Approval, { type: "approved" | "unchanged" }>; action: Action | undefined }> {
  const { run, settings } = session;
  const { question, refusal = "" } = "services" in change ? {} : change;
  const answer = await ("services" in change ? answerToOrder(session, change) : judged(session, change));
  const { proposal, action } = answer;
  refuse(refusal, [...answer.objections, ...replacementsIn(answer)]);
  const { onQuota } = settings;
  const granted = await approve(proposal, run, { onQuota, confirm: () => Promise.resolve(true) });
  switch (granted.type) {
    case "unaffordable":
      throw new RefusedError(
        withAdvice(
          `it takes ${counted(granted.requests, "request")}, and the quota of the token has ${granted.shortage.left} left`,
          { remedies: [{ again: "later" }, { setting: "on_quota", value: "wait" }] },
          settings,
        ),
      );
    case "interrupted":
    case "declined":
      throw new RefusedError("it was not started, because the run has been stopped");
    case "refused":
      throw forbidden(session, question?.kind, [granted]);
    default:
      noteLosses(session, answer, question);
      return { granted, action };
  }
}

/** The fields whose change needs a replacement: only the engine decides to replace. */
function replacementsIn({ action }: ProgramAnswer): InputMistake[] {
  if (!action || !isReplacement(action)) return [];
  return action.changes.flatMap(({ path, replaces }) => {
    const property = showMembers(action.address.kind, path);
    return replaces === undefined ? [] : [{ property, reason: `${property} differs: ${replaces}` }];
  });
}

/**
 * Judges a change with the settings of the stack: policies, protection, caps, consents to losses and to infrastructure.
 * Reads the losses of an update, and names if a rule needs them.
 *
 * @param isWhole whether all resources that a deletion takes along are known
 * @returns notes for the user
 * @throws RefusedError where it is forbidden
 */
export async function judgeChange(
  session: ProviderSession,
  question: ResourceQuestion | Order | undefined,
  isWhole = false,
): Promise<readonly string[]> {
  const { policies, protect, maxDeletes } = session.settings;
  const hasRules = policies.length + protect.length > 0;
  if (!question) return [];
  if ("services" in question) {
    const isKnown = question.services.every((id) => session.ledger.has(id));
    return hasRules || !isKnown ? (await answerToOrder(session, question)).notes : [];
  }
  const { existing, ends, beside } = question;
  if (ends && !isWhole && !hasRules && maxDeletes === undefined && !beside) return [];
  if (existing && !ends) {
    const { action, problems, proposal } = ask(question, { policy: policyOf(session.settings) });
    // The aliases that a variable takes along are still unknown, and the lists to which changed fields refer.
    const { parts, lists, contents, organization } = proposal.needs ?? {};
    const isKnown = [parts, lists, contents].every((each) => !each?.size) && !organization;
    const isClear = problems.length === 0 && !proposal.needsNames && isKnown;
    if (!action || isClear) return [];
  }
  const gained = claimsGained(question).filter((claim) => !session.ledger.isAt(claim, "moved"));
  const isNamed = gained.length > 0;
  const change = { question, purpose: "preview", isNamed } as const;
  let answer = await judged(session, change);
  if (answer.objections.length > 0 && siblingsNamed(question.kind, question.declared).length > 0) {
    // The engine may ask later about a resource to which this one refers.
    await awaitWord(session, () => false);
    answer = await judged(session, change);
  }
  const { kind, name, policy } = question;
  refuse(policy?.succeeds ? `the ${kind.name} "${name}" cannot be replaced: ` : "", answer.objections);
  noteLosses(session, answer, question);
  const { parts, contents } = answer.proposal.needs ?? {};
  const isSought = !isNamed || !(parts?.size || contents?.size);
  const unknown = `whether another resource has the ${gained.join(", the ")} is unknown: the preview reads at most ${mostSought} lists for it`;
  return isSought ? answer.notes : [...answer.notes, unknown];
}

/** The most parents for which the creation in an unknown parent is judged. */
const mostParents = 10;

/** The planner's answer about a change. Names of parents are read only if a rule needs them. @throws RefusedError */
async function judged(session: ProviderSession, change: ProgramChange): Promise<ProgramAnswer> {
  const { question, purpose, isNamed = false } = change;
  const { settings, now, ledger } = session;
  const { kind, parentId, existing, ends } = question;
  if (ends && settings.maxDeletes !== undefined) await announceLosses(session, question, purpose);
  const policy = policyOf(settings, ledger.lostBeside(existing?.id));
  const requested = (above?: readonly LiveResource[]) =>
    askServer(session, { ...question, now }, purpose, { policy, ...(above && { above }) });
  const isUnknown = hasUnknown(parentId);
  const answersWith = async (named: boolean) => {
    const parents = await parentsOf(session, question, named);
    const known = parents.slice(0, mostParents);
    // Another process may make further new parents.
    const isEach = known.length >= Math.max(1, parents.length, ledger.unmade(kind.parent).length);
    const answers: ProgramAnswer[] = [];
    for (const above of isUnknown && !isEach ? [...known, undefined] : known)
      answers.push(await requested(above));
    return answers;
  };
  const unnamed = isNamed ? [] : await answersWith(false);
  const needsNames = isNamed || unnamed.some(({ proposal }) => proposal.needsNames);
  const all = needsNames ? await answersWith(true) : unnamed;
  const isRefusedIn = (judges: (each: ProgramAnswer) => boolean) =>
    isUnknown ? all.every(judges) : all.some(judges);
  const answer = all[0] ?? (await requested());
  const first = isRefusedIn(({ objections }) => objections.length > 0)
    ? answer
    : { ...answer, objections: [] };
  const problems = all.flatMap((each) => each.problems);
  if (problems.length === 0) return { ...first, problems };
  // A deletion that is forbidden for another reason does not count for the caps; one that exceeds them counts for the
  // whole run.
  if (existing && !problems.some(({ code }) => code === "too_many"))
    ledger.record({ did: "spared", id: existing.id });
  // Only a preview has unknown values: the run judges the change once they are known.
  const error = forbidden(session, kind, all);
  if (isRefusedIn((each) => each.problems.some(({ unknown }) => !unknown))) throw error;
  const note = `unless unknown values change the result, \`pulumi up\` refuses: ${error.message}`;
  return { ...first, problems: [], notes: [...first.notes, note] };
}

/** Checks the services of a deployment. @throws RefusedError if a service does not exist, and where it is forbidden */
async function answerToOrder(session: ProviderSession, { services }: Order): Promise<ProgramAnswer> {
  const { run, settings } = session;
  const organization = { id: await session.parentIdOf(undefined) };
  const { orders, missing } = await deploymentsOf(run, organization.id, services);
  if (missing.length > 0)
    throw new RefusedError(
      `there is no service with the id ${missing.join(", ")} that can be deployed; nothing has been deployed; correct services`,
    );
  const proposal = proposeOperation(run, organization, { orders, chosenBy: [] }, policyOf(settings));
  const { problems, notes } = proposal.plan;
  if (problems.length > 0) throw forbidden(session, undefined, [{ problems }]);
  return {
    proposal: { ...proposal, refusals: new Map(), needs: undefined, needsNames: false },
    action: undefined,
    objections: [],
    problems,
    notes: notesInWords(notes, "the Deployment"),
  };
}

/** The policy from the settings of a stack. @param lostBefore the losses of the other changes of the run */
function policyOf(
  { allowInfrastructure, allowLosses, protect, policies, maxDeletes, maxDeletesFile: file }: ProviderSettings,
  lostBefore?: ReadonlySet<string>,
): Policy {
  return {
    ...defaultPolicy,
    protect,
    policies,
    allowReplace: allowLosses,
    // Infrastructure needs a consent by name, even if all else is allowed.
    ...(allowInfrastructure.length > 0 && { infrastructure: allowInfrastructure }),
    hidesLosses: true,
    mayBeInUse: true,
    ...(maxDeletes !== undefined &&
      file !== undefined && { fixedCaps: { file, caps: { count: maxDeletes } } }),
    caps: { count: maxDeletes ?? Infinity, percent: 100, ...(lostBefore && { before: lostBefore }) },
  };
}

/** Records the losses of a change, for the caps. @param question undefined: it changes no resource */
function noteLosses(
  { ledger }: ProviderSession,
  { proposal }: Pick<ProgramAnswer, "proposal">,
  question: ProgramQuestion | undefined,
): void {
  const id = question?.existing?.id ?? "";
  for (const { key } of countedLossesOf(proposal.plan)) ledger.record({ did: "lost", id, what: key });
}

/**
 * Records the losses of a deletion before it is judged, and waits for the deletions that the engine requests at the
 * same time, in all processes: the cap counts all of them before the first deletion.
 */
async function announceLosses(
  session: ProviderSession,
  question: ProgramQuestion,
  purpose: ReadPurpose,
): Promise<void> {
  const { ledger, run, settings } = session;
  noteLosses(session, await askServer(session, question, purpose, { policy: policyOf(settings) }), question);
  ledger.record({ did: "counted", id: question.existing?.id ?? "" });
  let known: number;
  let rounds = 0;
  do {
    known = ledger.deletions.started;
    await run.clock.sleep(gatheringDeletions, run.signal);
    rounds += 1;
  } while (ledger.deletions.started !== known || (ledger.deletions.uncounted > 0 && rounds < mostRounds));
}

/** Milliseconds without another deletion, after which the requested ones are counted. */
const gatheringDeletions = 1000;

/** A process that has ended counts no losses any more. */
const mostRounds = 30;

/** The error of a forbidden change, with each reason once. */
function forbidden(
  { settings }: ProviderSession,
  kind: Kind | undefined,
  answers: readonly Pick<ProgramAnswer, "problems">[],
): RefusedError {
  const reasons = answers.flatMap(({ problems }) =>
    problems.map((problem) => problemInWords(problem, kind, settings)),
  );
  return new RefusedError([...new Set(reasons)].join("\n"));
}

/** Throws if inputs have mistakes. */
export function refuse(what: string, objections: readonly InputMistake[]): void {
  if (objections.length > 0)
    throw new RefusedError(`${what}${objections.map(({ reason }) => reason).join("\n")}`);
}
