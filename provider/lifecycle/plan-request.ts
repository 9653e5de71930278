import { nameOf } from "../../core/model/addresses/address.ts";
import { hasMember, withResets } from "../../core/model/fields/shape.ts";
import { showsMember } from "../../core/model/fields/normalized-fields.ts";
import type { Fields } from "../../core/values/json.ts";
import type { Kind } from "../../core/model/kinds/index.ts";
import { moveOf } from "../../core/rules/place.ts";
import { type LiveResource, parentIdIn, readOne } from "../../core/state/live/index.ts";
import { type Action, defaultPolicy, type Policy } from "../../core/planning/plan/index.ts";
import { withChangedValues, withMovedKeys } from "../../core/model/parts/index.ts";
import { hasUnknown } from "../../core/problems/unknown.ts";
import type { Problem } from "../../core/problems/problem.ts";
import {
  type ProgramProposal,
  type ProgramQuestion,
  type ProgramState,
  proposeProgram,
  programStateOf,
} from "../../core/execution/session/index.ts";
import type { Properties, ParsedInputs } from "./inputs.ts";
import type { Successor } from "./ledger-line.ts";
import { movedClaims } from "../../core/rules/claims.ts";
import { parentProperty, recall, type StoredInputs, shownIn } from "./outputs.ts";
import { RefusedError } from "./errors.ts";
import type { ProviderSession } from "./session.ts";
import { type InputMistake, notesInWords, objectionOf } from "./words.ts";
import { readInto, stateOf, type ReadPermission } from "./known-state.ts";

export type { ProgramQuestion };

/** A plan request for a deployment of services. */
export interface Order {
  services: readonly string[];
}

/** A plan request for a resource of a program, with the name or the parent that it gets; absent: it keeps both. */
export interface ResourceQuestion extends ProgramQuestion {
  gets?: Pick<ParsedInputs, "name" | "parentId">;
  /** The replacement that the creation belongs to; absent: none. */
  successor?: Successor | undefined;
  /** The inputs are those of the last run: the engine tells the new ones after the replacement of the parent. */
  isFormer?: true | undefined;
}

export interface ProgramOptions {
  /** The parents of the resource, from the top down. Default: only their ids are known. */
  above: readonly LiveResource[];
  /** The policy of the stack. Default: allows nothing, so that every change that needs its settings is found. */
  policy: Policy;
}

export interface ProgramAnswer {
  proposal: Omit<ProgramProposal, "address" | "action">;
  action: Action | undefined;
  objections: InputMistake[];
  /** The reasons why the change is forbidden. */
  problems: readonly Problem[];
  notes: string[];
}

/** Asks the planner with the known state. Sends nothing. */
export function ask(question: ProgramQuestion, options: Partial<ProgramOptions> = {}): ProgramAnswer {
  return answerIn(programStateOf(question, options.above), question, options);
}

/** The most rounds of reading: a resource, its contents, and their contents. */
const mostRounds = 8;

/** Asks the planner, and reads the permitted state that it needs. */
export async function askServer(
  session: ProviderSession,
  question: ProgramQuestion,
  purpose: ReadPurpose,
  options: Partial<ProgramOptions> = {},
): Promise<ProgramAnswer> {
  const state = programStateOf(question, options.above);
  for (let round = 0; ; round += 1) {
    const answer = answerIn(state, question, options);
    const { needs } = answer.proposal;
    if (!needs || round === mostRounds) return answer;
    if (!(await readInto(state, session, needs, permission(purpose, question, state)))) return answer;
  }
}

function answerIn(
  state: ProgramState,
  question: ProgramQuestion,
  { policy = cautious, above }: Partial<ProgramOptions>,
): ProgramAnswer {
  const proposal = proposeProgram(question, state, policy, above);
  const { plan, refusals, address, action } = proposal;
  const { kind } = address;
  return {
    proposal,
    action,
    // A problem that depends on an unknown value is judged again once it is known.
    objections: plan.problems.flatMap((problem) => {
      const mistake = refusals.get(problem);
      return mistake && !problem.unknown ? [objectionOf(address, mistake)] : [];
    }),
    problems: plan.problems.filter((problem) => !refusals.has(problem)),
    notes: notesInWords(
      plan.notes.filter(({ unknown }) => !unknown),
      `the ${kind.name} "${nameOf(address)}"`,
      kind,
    ),
  };
}

const cautious: Policy = { ...defaultPolicy, hidesLosses: true };

/** A plan request for a new resource. @param known the known state of its place, and of the source of a clone */
export function creationOf(
  kind: Kind,
  { parentId = "organization", name, fields, ignored, cloneFrom }: ParsedInputs,
  known: Pick<ProgramQuestion, "beside" | "others" | "source"> = {},
): ProgramQuestion {
  return { kind, parentId, name, declared: fields, ignored, cloneFrom, ...known };
}

/** The live source of a clone; undefined: there is no clone, or its source is unknown. @throws RefusedError if it does not exist */
export async function sourceOf(
  { client, run }: ProviderSession,
  kind: Kind,
  { cloneFrom, parentId = "" }: ParsedInputs,
): Promise<ProgramQuestion["source"]> {
  if (cloneFrom === undefined || hasUnknown(cloneFrom)) return undefined;
  const live = await readOne(client, kind, cloneFrom, parentId);
  if (!live)
    throw new RefusedError(`there is no ${kind.name} with the id ${cloneFrom} to clone; correct cloneFrom`);
  return { live, contents: (await run.freshLists.read(kind, cloneFrom)) ?? { resources: [], unknown: [] } };
}

/**
 * The live resource that a program adopts by its id. Undefined: it adopts none, its id is unknown, or it is replaced.
 *
 * @throws RefusedError if it does not exist, or is elsewhere
 */
export async function adoptedOf(
  { client, ledger }: ProviderSession,
  kind: Kind,
  { adoptId, parentId = "" }: ParsedInputs,
): Promise<LiveResource | undefined> {
  if (adoptId === undefined || hasUnknown(adoptId)) return undefined;
  const live = await readOne(client, kind, adoptId, parentId);
  if (!live && ledger.isReplaced(adoptId)) return undefined;
  if (!live)
    throw new RefusedError(
      `there is no ${kind.name} with the id ${adoptId}; correct adoptId, or leave it out`,
    );
  const member = parentProperty(kind);
  const [move] = moveOf(kind, member, parentIdIn(kind, live.response) ?? parentId, parentId);
  if (move && parentId !== "" && !hasUnknown(parentId))
    throw new RefusedError(
      `the ${kind.name} ${adoptId} is in another ${kind.parent?.name ?? "organization"} (${String(move.before)}), and ${move.replaces}; correct ${member} or adoptId`,
    );
  return live;
}

/** A plan request for a change. @param declared the fields to declare */
export function changeOf(
  existing: LiveResource,
  { name, ignored }: Pick<ParsedInputs, "name" | "ignored">,
  declared: Fields,
): ProgramQuestion {
  const { kind, parentId } = existing;
  return { kind, parentId, name, declared, ignored, existing };
}

/** A plan request for a change of a resource in the state. The fields of an unfinished resource are unknown. */
export function changeInState(
  kind: Kind,
  id: string,
  olds: Properties,
  declared: ParsedInputs,
  now: number,
): ProgramQuestion {
  const memory = recall(olds);
  const state = stateOf(kind, id, olds);
  if (memory.isUnfinished) return changeOf(state, declared, {});
  return {
    ...changeFrom(state, memory, declared, now),
    // A property that the last program declared has been sent, and outputs have it if the server shows it.
    shows: (path) => !hasMember(memory.shape, path) || showsMember(state.fields, path),
  };
}

/**
 * A plan request for a change of a created or adopted resource: fields that the program no longer declares are reset,
 * except on a clone, which keeps them unless a key becomes another sort of part. A secret with another value than the
 * last is written again.
 *
 * @param before its fields in the state; default: its live fields
 */
export function changeFrom(
  live: LiveResource,
  memory: StoredInputs,
  declared: ParsedInputs,
  now: number,
  before = live.fields,
): ProgramQuestion {
  const { kind } = live;
  const { shape, cloneFrom } = memory;
  const { fields } = declared;
  const whole =
    cloneFrom === undefined ? withResets(kind.fields, fields, shape) : withMovedKeys(kind, fields, shape);
  return { ...changeOf(live, declared, withChangedValues(kind, whole, before)), now };
}

/**
 * A plan request for the deletion of a resource in the state.
 *
 * @param isReplaced whether the program makes it again; otherwise it may be one of a destruction
 * @param mayEmpty whether all contents may be deleted too: the program agrees (the default), or deletes them before
 */
export async function deletionOf(
  session: ProviderSession,
  kind: Kind,
  id: string,
  olds: Properties,
  isReplaced: boolean,
  mayEmpty = recall(olds).deleteContents || session.ledger.mayEmpty(id),
  existing = stateOf(kind, id, olds),
): Promise<ProgramQuestion> {
  const { name, parentId } = existing;
  const beside = isReplaced || !session.ledger.isEmpty ? await stayingBeside(session, existing) : undefined;
  const policy = {
    ownToken: ownTokenIn(kind, id, olds, session.settings.token),
    ...(mayEmpty && { prune: true, empties: true as const }),
  };
  return { kind, parentId, name, declared: {}, existing, ends: true, policy, ...(beside && { beside }) };
}

/**
 * The siblings that stay when a resource with outputs goes, because the server deletes their variables that use these,
 * and no state would show that. Undefined: all of them may go.
 */
async function stayingBeside(
  session: ProviderSession,
  { kind, id, parentId }: LiveResource,
): Promise<ProgramQuestion["beside"]> {
  const { ledger } = session;
  if (kind.outputs === undefined || ledger.goesWithParent(id)) return undefined;
  const listed = await session.listOf(kind, parentId);
  const resources = listed?.resources.filter((each) => !ledger.goes(each.id));
  return listed && resources && { ...listed, resources };
}

/** The id of a token that the run uses; null: it uses another one; undefined: the state does not tell. */
function ownTokenIn(kind: Kind, id: string, olds: Properties, token: string): string | null | undefined {
  const value = shownIn(kind, olds);
  if (value === token) return id;
  // An unfinished token is not in use.
  return value !== undefined || recall(olds).isUnfinished ? null : undefined;
}

/** The number of lists after which nobody looks any more for the resource that has an exclusive value, unless a replacement needs it. */
export const mostSought = 50;

/** The exclusive values that a change gives to a resource. */
export function claimsGained({ kind, declared, existing, ends, policy }: ProgramQuestion): string[] {
  return ends ? [] : movedClaims(kind, existing?.fields ?? policy?.succeeds?.fields ?? {}, declared).gained;
}

/**
 * What is read for an answer. `losses`: the losses of a deletion, again. `references`: the lists to which fields refer, and
 * defaults. `write`: before a write, also losses and siblings. `preview`: the contents, and the lists to which fields refer;
 * with gained exclusive values, such as a custom domain, also those that show who has them.
 */
export type ReadPurpose = "losses" | "references" | "write" | "preview";

function permission(purpose: ReadPurpose, question: ProgramQuestion, state: ProgramState): ReadPermission {
  const { ends, existing, beside, parentId, cloneFrom, source, policy } = question;
  const isInside = (id: string) => state.isWithin(id, existing?.id);
  const isReference = (id: string, onDemand?: Kind) => id === state.organizationId && onDemand !== undefined;
  // For a deletion the parts of the resources beside it that stay, and of its parent; otherwise those that it has or inherits.
  const parts = ({ id }: LiveResource) =>
    ends ? beside !== undefined && !isInside(id) : state.above.has(id) || isInside(id);
  if (purpose === "references")
    return { list: isReference, parts: ({ id }) => state.above.has(id), defaults: true };
  if (purpose === "write")
    return {
      list: (id, onDemand) => id === parentId || isInside(id) || isReference(id, onDemand),
      parts,
      defaults: true,
    };
  if (purpose === "losses")
    return {
      list: (id, onDemand) => id === parentId || (isInside(id) && (!onDemand || onDemand.use === "data")),
      parts,
      fresh: true,
    };
  const mayRead = state.size < mostSought || policy?.succeeds !== undefined;
  const readsAll = policy?.mayBeInUse === false || (mayRead && claimsGained(question).length > 0);
  const mayClone = cloneFrom !== undefined && source === undefined;
  // A new stack is previewed without the lists of the organization.
  const isBeside = (id: string) => id === parentId && id !== state.organizationId && !ends && !mayClone;
  return {
    list: (id, onDemand) => readsAll || isInside(id) || isReference(id, onDemand) || isBeside(id),
    parts: (owner) => readsAll || parts(owner),
    previews: question,
  };
}
