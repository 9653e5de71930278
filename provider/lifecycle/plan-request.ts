import { nameOf } from "../../core/model/addresses/address.ts";
import { hasMember, withResets } from "../../core/model/fields/shape.ts";
import { showsMember } from "../../core/model/fields/normalized-fields.ts";
import type { Fields } from "../../core/values/json.ts";
import type { Kind } from "../../core/model/kinds/index.ts";
import type { LiveResource } from "../../core/state/live/index.ts";
import { type Action, defaultPolicy, type Policy } from "../../core/planning/plan/index.ts";
import { withChangedValues, withMovedKeys } from "../../core/model/parts/index.ts";
import type { Problem } from "../../core/problems/problem.ts";
import {
  type ProgramProposal,
  type ProgramQuestion,
  type ProgramState,
  proposeProgram,
  worldOf,
} from "../../core/execution/session/index.ts";
import type { Properties, ParsedInputs } from "./inputs.ts";
import { recall, type RememberedInputs, shownIn } from "./outputs.ts";
import type { ProviderSession } from "./session.ts";
import { notesInWords, objectionOf, type ProgramObjection } from "./words.ts";
import { readInto, stateOf, type ReadPermission } from "./known-state.ts";

export type { ProgramQuestion };

/** What is asked about a deployment of services. */
export interface Order {
  /** Their ids. */
  services: readonly string[];
  /** What orders it, for messages. */
  by: string;
}

/** What a question is asked with. */
export interface ProgramTerms {
  /** The resources above the resource, from the top down. Default: known by their ids alone. */
  above: readonly LiveResource[];
  /** What the stack allows. Default: nothing, so that each change that needs its settings is seen. */
  policy: Policy;
}

/** The answer of the planner, in the words of programs. */
export interface ProgramAnswer {
  proposal: Omit<ProgramProposal, "address" | "action">;
  /** What would be done; undefined where the inputs are refused. */
  action: Action | undefined;
  /** What is wrong with the inputs. */
  objections: ProgramObjection[];
  /** Why the change is forbidden. */
  problems: readonly Problem[];
  /** What a user should know. */
  notes: string[];
}

/** Asks the planner, which says what follows from what is known. Sends nothing. */
export function ask(question: ProgramQuestion, terms: Partial<ProgramTerms> = {}): ProgramAnswer {
  return answerIn(worldOf(question, terms.above), question, terms);
}

/** The most rounds of reading: a resource, what is in it, and what is in that. */
const mostRounds = 8;

/** Asks the planner, and reads what it needs and may be read. */
export async function askServer(
  session: ProviderSession,
  question: ProgramQuestion,
  may: (question: ProgramQuestion, world: ProgramState) => ReadPermission,
  terms: Partial<ProgramTerms> = {},
): Promise<ProgramAnswer> {
  const world = worldOf(question, terms.above);
  for (let round = 0; ; round += 1) {
    const answer = answerIn(world, question, terms);
    const { needs } = answer.proposal;
    const reading = may(question, world);
    if (!needs || round === mostRounds || !(await readInto(world, session, needs, reading))) return answer;
  }
}

function answerIn(
  world: ProgramState,
  question: ProgramQuestion,
  { policy = cautious, above }: Partial<ProgramTerms>,
): ProgramAnswer {
  const proposal = proposeProgram(question, world, policy, above);
  const { plan, refusals, address, action } = proposal;
  const { kind } = address;
  return {
    proposal,
    action,
    // What depends on a value that is not known yet is asked again when it is.
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

/** Whether a new resource can be made. @param known of the place where it is going to be made, and of the source of a clone */
export function creationOf(
  kind: Kind,
  { parentId = "organization", name, fields, ignored, cloneFrom }: ParsedInputs,
  known: Pick<ProgramQuestion, "beside" | "others" | "source"> = {},
): ProgramQuestion {
  return { kind, parentId, name, stated: fields, ignored, cloneFrom, ...known };
}

/** What inputs change of a resource. @param stated the fields to state of it */
export function changeOf(
  existing: LiveResource,
  { name, ignored }: Pick<ParsedInputs, "name" | "ignored">,
  stated: Fields,
): ProgramQuestion {
  const { kind, parentId } = existing;
  return { kind, parentId, name, stated, ignored, existing };
}

/** What inputs change of a resource of the state. The fields of an unfinished one are not known yet. */
export function changeInState(
  kind: Kind,
  id: string,
  olds: Properties,
  stated: ParsedInputs,
  now: number,
): ProgramQuestion {
  const memory = recall(olds);
  const state = stateOf(kind, id, olds);
  if (memory.isUnfinished) return changeOf(state, stated, {});
  return {
    ...changeFrom(state, memory, stated, now),
    // A property that the last program stated has been sent, and outputs have it if the server shows it.
    shows: (path) => !hasMember(memory.shape, path) || showsMember(state.fields, path),
  };
}

/**
 * What inputs change of a resource that the program has made or taken over: the fields that it no longer states are reset,
 * except on a clone, where such fields stay, but for a key that becomes another sort of part. A secret whose value is another than the last one is written again.
 *
 * @param before its fields in the state; default: as it is
 */
export function changeFrom(
  live: LiveResource,
  memory: RememberedInputs,
  stated: ParsedInputs,
  now: number,
  before = live.fields,
): ProgramQuestion {
  const { kind } = live;
  const { shape, cloneFrom } = memory;
  const { fields } = stated;
  const whole =
    cloneFrom === undefined ? withResets(kind.fields, fields, shape) : withMovedKeys(kind, fields, shape);
  return {
    ...changeOf(live, stated, withChangedValues(kind, whole, before)),
    now,
  };
}

/** Covers whatever is in a resource. */
const everything = { text: "**", matches: () => true, looksInside: () => true };

/**
 * Whether a resource of the state can be deleted.
 *
 * @param mayEmpty whether all that is in it may go along: the program agrees, or deletes it before
 * @param token that of the run
 */
export function deletionOf(
  kind: Kind,
  id: string,
  olds: Properties,
  { mayEmpty, token }: { mayEmpty: boolean; token: string },
): ProgramQuestion {
  const existing = stateOf(kind, id, olds);
  const { name, parentId } = existing;
  const policy = {
    ownToken: ownTokenIn(kind, id, olds, token),
    ...(mayEmpty && { prune: true, allowReplace: [everything] }),
  };
  return { kind, parentId, name, stated: {}, existing, ends: true, policy };
}

/** The id of a token that the run uses; null where it uses another one; undefined where the state does not tell. */
function ownTokenIn(kind: Kind, id: string, olds: Properties, token: string): string | null | undefined {
  const value = shownIn(kind, olds);
  if (value === token) return id;
  // What was made halfway is nobody's.
  return value !== undefined || recall(olds).isUnfinished ? null : undefined;
}

/** What goes with the resource: what it contains, read again, and the data in it. Which parts go, a preview shows. */
export function readingLosses({ parentId, existing }: ProgramQuestion, world: ProgramState): ReadPermission {
  return {
    list: (each, onDemand) =>
      each === parentId || (world.isWithin(each, existing?.id) && (!onDemand || onDemand.use === "data")),
    parts: () => false,
    fresh: true,
  };
}

/** The same, what is beside the resource, and the lists from which fields name entries: before a write. */
export function readingAround(question: ProgramQuestion, world: ProgramState): ReadPermission {
  const [inside, references] = [readingInside(question, world), readingReferences(question, world)];
  return {
    ...references,
    list: (id, onDemand) =>
      id === question.parentId || inside.list(id, onDemand) || references.list(id, onDemand),
    parts: inside.parts,
  };
}

/** The lists of the organization from which fields name entries, and the defaults of parts. */
export function readingReferences(_: ProgramQuestion, world: ProgramState): ReadPermission {
  return {
    list: (id, onDemand) => id === world.organizationId && onDemand !== undefined,
    parts: () => false,
    defaults: true,
  };
}

/** What is in a resource may be read, and of an update the parts of all that. */
export function readingInside({ ends, existing }: ProgramQuestion, world: ProgramState): ReadPermission {
  return {
    list: (parentId) => world.isWithin(parentId, existing?.id),
    parts: (owner) => !ends && world.isWithin(owner.id, existing?.id),
  };
}
