import { type Address, addressKey, nameOf } from "../../model/addresses/address.ts";
import { unknownValue } from "../../problems/unknown.ts";
import { declaredParts } from "../../model/parts/index.ts";
import { concerns } from "../../planning/concerns/index.ts";
import type { Fields } from "../../values/json.ts";
import type { Kind } from "../../model/kinds/index.ts";
import type { Contents, LiveResource } from "../../state/live/index.ts";
import { type DesiredResource, emptyDesired } from "../../manifests/manifest/index.ts";
import { type Action, type LiveState, type Pass, planPass, type Policy } from "../../planning/plan/index.ts";
import { ignores } from "../../rules/ignored-fields.ts";
import type { Path } from "../../source/mistake.ts";
import { ProgramState, unnamedAbove, withEmptyParts } from "./program-state.ts";
import { type Proposal, proposalOf } from "./propose.ts";

const requested = concerns.filter(({ programs }) => programs === true);

/** A question about one resource of a program: its declaration, and the known live state. */
export interface ProgramQuestion {
  kind: Kind;
  /** The id of its parent, or of the organization. */
  parentId: string;
  name: string;
  /** The declared fields, in manifest form. */
  declared: Fields;
  ignored?: readonly Path[];
  /** As in its state, or live; absent: it is new. */
  existing?: LiveResource;
  /** Whether the state shows that the server has shown a member. */
  shows?: LiveState["shows"];
  /** The id of the source of a clone. */
  cloneFrom?: string | undefined;
  source?: { live: LiveResource; contents: Contents };
  /** The existing contents of the parent; absent: unknown. */
  beside?: Contents;
  /** The names of other resources in it, even if similar. */
  others?: string[];
  /** Whether it will be deleted. */
  ends?: true;
  /** Milliseconds since 1970. Default: now, by the clock of this machine. */
  now?: number;
  /** Permissions and prohibitions beside the settings of the stack. */
  policy?: Partial<Policy>;
}

/** A proposal for one resource of a program, with data for the words of programs. */
export interface ProgramProposal extends Proposal, Pick<Pass, "refusals" | "needs" | "needsNames"> {
  address: Address;
  /** Undefined: the inputs are refused. */
  action: Action | undefined;
}

/** The known state by a question alone. @param above the parents, from the top down, with the entries that they get; absent: only their ids */
export function programStateOf(question: ProgramQuestion, above?: readonly LiveResource[]): ProgramState {
  const { kind, parentId, existing, beside, cloneFrom = "", source, shows, now } = question;
  const parents = above ?? unnamedAbove(kind, parentId);
  const all = parents.map((each) => ({ ...each, fields: { ...unknownEntries(each), ...each.fields } }));
  const isUnnamed = parents.some(({ id, name }) => id === name);
  const facts = { ...(shows && { shows }), ...(isUnnamed && { isUnnamed }) };
  const state = new ProgramState(all[0]?.parentId ?? parentId, all, now, facts);
  if (beside) state.enter(kind, parentId, beside);
  if (existing) state.add(existing);
  if (!source) return state;
  const { live, contents } = source;
  state.add({ ...withEmptyParts(live), name: nameOf(sourceAddress(kind, cloneFrom, all)), parentId });
  state.enter(undefined, live.id, contents);
  return state;
}

/** Proposes a plan for one resource of a program from known state, without a request; `needs` has the missing reads. */
export function proposeProgram(
  question: ProgramQuestion,
  state: ProgramState,
  rules: Policy,
  above: readonly LiveResource[] = unnamedAbove(question.kind, question.parentId),
): ProgramProposal {
  const goal = question.ends ? "destroy" : "reconcile";
  const desired = desiredOf(question, above);
  const live = { ...state.state(), isFinal: true as const };
  const pass = planPass(goal, [desired], live, { ...rules, ...question.policy }, requested);
  const { actions, problems, notes, refusals, needs, needsNames, whole } = pass;
  const { organization, now: at } = live;
  const plan = { goal, organization, actions, problems, notes, at, spent: 0, whole: () => whole } as const;
  const { address } = desired;
  const action = actions.find((each) => addressKey(each.address) === addressKey(address));
  return { ...proposalOf(plan), address, action, refusals, needs, needsNames };
}

/** A resource that the program has yet to create may have any entries. */
function unknownEntries({ kind, id }: LiveResource): Fields {
  const parts = id.includes(unknownValue) ? declaredParts(kind) : [];
  return Object.fromEntries(parts.map(({ member }) => [member, unknownValue]));
}

function desiredOf(question: ProgramQuestion, above: readonly LiveResource[]): DesiredResource {
  const { kind, declared, ignored = [], existing, others, policy, cloneFrom } = question;
  const name = existing && ignores(ignored, "name") ? existing.name : question.name;
  return {
    ...emptyDesired({ kind, names: [...above.map((each) => each.name), name] }),
    declared,
    ignored,
    manage: {
      ...(existing && { id: existing.id }),
      ...(others && { beside: others }),
      ...(policy?.prune && { prune: true }),
    },
    cloneFrom: cloneFrom === undefined ? undefined : sourceAddress(kind, cloneFrom, above),
  };
}

/** The source may be anywhere: it is known by its id, and gets a place of its own. */
function sourceAddress(kind: Kind, id: string, above: readonly LiveResource[]): Address {
  return { kind, names: [...above.map(({ name }) => name), `source ${id}`] };
}
