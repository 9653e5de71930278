import { nameKey } from "../../core/names.ts";
import type { FieldChange } from "../../core/fields/compare.ts";
import { textIn } from "../../core/json.ts";
import type { Kind } from "../../core/kinds/index.ts";
import { moveOf } from "../../core/rules/place.ts";
import { camelCase } from "./casing.ts";
import { type Properties, readInputs, type StatedInputs } from "./inputs.ts";
import { RefusedError } from "./errors.ts";
import { refuse } from "./gate.ts";
import { retainedProperty } from "./internal.ts";
import { boundTwice, digestOf, type RunLedger } from "./ledger.ts";
import { parentProperty, recall } from "./outputs.ts";
import { type ProgramAnswer, ask, changeInState, creationOf } from "./question.ts";
import { hasUnknown, unknownValue } from "../../core/unknown.ts";

/** Whether a resource has to be changed, and which properties can only be changed by replacing it. */
export interface InputDifference {
  changes: boolean;
  replaces: string[];
  /**
   * True for every resource with a name, because names are unique: the old resource has to be deleted before the new one
   * is created.
   */
  deleteBeforeReplace: boolean;
  /** Whether a replacement has the name and the parent of the old resource. */
  keepsName: boolean;
  /** The known changes; there may be others where an input is not known yet. */
  fields: FieldChange[];
}

/** A difference, and the answer of the planner from which it follows; undefined where the planner has not been asked. */
export interface JudgedDifference extends InputDifference {
  answer?: ProgramAnswer;
  /** What a user should know. */
  notes?: readonly string[];
}

/**
 * Compares a resource with its inputs, without a request, and notes whether it stays or is replaced.
 *
 * @throws RefusedError when another resource of the program has taken over the same live resource, when a
 * replacement could not be created, and when an update is not possible
 */
export function diff(
  ledger: RunLedger,
  kind: Kind,
  id: string,
  olds: Properties,
  news: Properties,
  resource?: string,
  now = Date.now(),
): JudgedDifference {
  if (ledger.isTaken(id, resource)) throw boundTwice(kind, id);
  const result = difference(kind, olds, news, id, now);
  const stated = readInputs(kind, news);
  const organizationId = kind.parent ? undefined : textIn(olds, parentProperty(kind));
  if (organizationId !== undefined) ledger.organizations.add(organizationId);
  const names = [textIn(olds, "name") ?? stated.name, stated.name];
  const { objections = [] } = result.answer ?? {};
  if (result.replaces.length > 0) {
    refuseLoss(kind, olds, stated);
    if (result.keepsName) refuse(`the ${kind.name} "${stated.name}" cannot be replaced: `, objections);
    if (news[retainedProperty] === true && result.keepsName) refuseRetained(kind, olds, stated);
    ledger.replace(id, resource, { kind, stated });
  } else {
    ledger.note("states", id, resource, { kind: kind.name, names, state: digestOf(olds) });
    refuse("", objections);
  }
  const isSameName = nameKey(stated.name) === nameKey(textIn(olds, "name") ?? "");
  if (!isSameName && result.replaces.length === 0) refuseExchange(ledger, kind, olds, stated);
  if (recall(olds).isUnclear && isSameName && placeChanges(kind, olds, stated).length === 0) {
    ledger.retry({ kind, parentId: textIn(olds, parentProperty(kind)) ?? "", name: stated.name });
  }
  return result;
}

/**
 * Refuses a replacement that could not be created after the deletion: for a resource that was taken over, the program
 * may state less than a new one needs.
 */
function refuseLoss(kind: Kind, olds: Properties, stated: StatedInputs): void {
  const mayBeAdoptedElsewhere = stated.adopt && stated.parentId !== olds[parentProperty(kind)];
  if (mayBeAdoptedElsewhere) return;
  refuse(
    `the ${kind.name} "${stated.name}" must be replaced, but a new one cannot be created from what the program states: `,
    ask(creationOf(kind, stated)).objections,
  );
}

/** Refuses a replacement with the name of a resource that stays on the server, because names are unique. */
function refuseRetained(kind: Kind, olds: Properties, stated: StatedInputs): void {
  // Unknown values may turn out to need no replacement; a creation with an unknown outcome is tried again.
  if (hasUnknown(stated.fields) || recall(olds).isUnclear) return;
  throw new RefusedError(
    `the ${kind.name} "${stated.name}" must be replaced, but its option \`retainOnDelete: true\` keeps the old one and its name; remove the option and run \`pulumi up\` before you make the change, or give the new one another name`,
  );
}

/** Refuses a new name where resources exchange their names: no two can have one name, so none can be the first. */
function refuseExchange(ledger: RunLedger, kind: Kind, olds: Properties, { name }: StatedInputs): void {
  const before = textIn(olds, "name");
  if (before === undefined || name === unknownValue) return;
  const place = { kind, parentId: textIn(olds, parentProperty(kind)) ?? "" };
  if (ledger.rename({ ...place, name: before }, { ...place, name })) return;
  throw new RefusedError(
    `the ${kind.name} "${before}" cannot get the name "${name}": resources of this program exchange their names, and the server refuses a name that another one has; give one of them a third name, run \`pulumi up\`, and then make this change`,
  );
}

/** Compares a resource with its inputs. */
export function difference(
  kind: Kind,
  olds: Properties,
  news: Properties,
  id = "unclear",
  now = Date.now(),
): JudgedDifference {
  const memory = recall(olds);
  // If the resource does not exist, its entry in the state is removed and the resource is created again.
  // The value of a half-finished resource is unknown, so the resource is made again.
  if (memory.isUnclear || (memory.isUnfinished && kind.shownOnce !== undefined))
    return { changes: true, replaces: ["name"], deleteBeforeReplace: true, keepsName: false, fields: [] };
  const stated = readInputs(kind, news);
  const answer = ask(changeInState(kind, id, olds, stated, now));
  const fields = answer.action?.changes ?? [];
  const place = placeChanges(kind, olds, stated);
  const changes = [
    ...place,
    ...fields,
    // A deletion gets only the outputs, so that a change of it has to be kept there.
    ...inputChange("deleteContents", memory.deleteContents || undefined, stated.deleteContents || undefined),
  ];
  const replaces = changes.flatMap(({ path: [member = ""], replaces: why }) =>
    why === undefined ? [] : [camelCase(member)],
  );
  const isRenamed = fields.some(({ path }) => path.length === 1 && path[0] === "name");
  return {
    changes: changes.length > 0 || memory.isUnfinished || hasUnknown(stated.fields),
    replaces: [...new Set(replaces)],
    deleteBeforeReplace: true,
    keepsName: place.length === 0 && !isRenamed,
    fields: changes,
    answer,
  };
}

function inputChange<Value extends string | true>(
  input: string,
  before: Value | undefined,
  after: Value | undefined,
): FieldChange[] {
  return before === after ? [] : [{ path: [input], before, after }];
}

/** A change of the parent; a new name is a change of the fields. */
function placeChanges(kind: Kind, olds: Properties, { parentId }: StatedInputs): FieldChange[] {
  const parent = parentProperty(kind);
  return parentId === undefined ? [] : moveOf(kind, parent, textIn(olds, parent) ?? "", parentId);
}
