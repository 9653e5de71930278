import type { Kind } from "../../core/kinds/index.ts";
import type { JudgedDifference } from "./diff.ts";
import { judged, noteLosses } from "./gate.ts";
import { isCreated, type Properties, readInputs } from "./inputs.ts";
import { changeInState, creationOf, deletionOf } from "./questions.ts";
import { policyOf } from "./policy.ts";
import { ask, type ProgramQuestion } from "./question.ts";
import type { ProviderSession } from "./session.ts";
import type { ProviderSettings } from "./settings.ts";
import { hasUnknown } from "../../core/unknown.ts";
import { readingInside } from "./reading.ts";

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
