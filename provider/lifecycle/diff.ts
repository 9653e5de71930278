import type { FieldChange } from "../../core/model/fields/compare.ts";
import type { Kind } from "../../core/model/kinds/index.ts";
import { withResets } from "../../core/model/fields/shape.ts";
import { declaredParts, siblingParts } from "../../core/model/parts/index.ts";
import { foreseen } from "../../core/model/fields/expected-value.ts";
import { isFields, type Json, mapFields, own, presentIn, sameJson } from "../../core/values/json.ts";
import { type FieldSchema, memberOf } from "../../core/model/schema/field-schema.ts";
import { nameKey } from "../../core/model/addresses/names.ts";
import { movedClaims } from "../../core/rules/claims.ts";
import { moveOf } from "../../core/rules/place.ts";
import { hasUnknown, unknownValue } from "../../core/problems/unknown.ts";
import { camelCase, camelMembers, toCamel } from "./casing.ts";
import { RefusedError } from "./errors.ts";
import { refuse } from "./gate.ts";
import {
  fieldsAmong,
  isCreated,
  mayBeThere,
  type Properties,
  readInputs,
  type ParsedInputs,
} from "./inputs.ts";
import { retainedProperty } from "./internal.ts";
import { digestOf, placeKey, type RunLedger } from "./ledger.ts";
import { parentProperty, placeIn, recall, reportedOutputs } from "./outputs.ts";
import { ask, changeInState, creationOf, type ProgramAnswer } from "./plan-request.ts";
import { exchangeReason, holderObjection, leavingReason } from "./words.ts";

/** The comparison of a resource with its inputs. */
export interface InputDifference {
  changes: boolean;
  replaces: string[];
  /** True for every resource with a name: names are unique, so the old resource is deleted before the new is made. */
  deleteBeforeReplace: boolean;
  /** Whether a replacement has the name and the parent of the old resource. */
  keepsName: boolean;
  /** The known changes; unknown inputs may add others. */
  fields: FieldChange[];
}

/** A difference, and the planner's answer behind it; undefined if the planner was not asked. */
export interface JudgedDifference extends InputDifference {
  answer?: ProgramAnswer;
  notes?: readonly string[];
}

/**
 * Compares a resource with its inputs, without a request, and notes in the ledger whether it stays or is replaced.
 *
 * @throws RefusedError when another resource of the program has adopted the live resource or waits for an exclusive
 * value of it, when a replacement could not be created, and when an update is not possible
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
  const declared = readInputs(kind, news);
  const { name } = declared;
  if (ledger.isOfAnother(id, resource, true)) refuse("", [holderObjection("another", kind, { name, id })]);
  const result = difference(kind, olds, news, id, now);
  const { parentId, name: nameBefore } = placeIn(kind, olds);
  if (!kind.parent && parentId !== undefined) ledger.organizations.add(parentId);
  // Before the note: a noted replacement frees the place for other resources.
  refuseExchange(ledger, kind, olds, declared);
  const { objections = [] } = result.answer ?? {};
  const { isUnclear, shape } = recall(olds);
  const refused = `the ${kind.name} "${name}" cannot be replaced: `;
  const entries = withResets(kind.fields, declared.fields, shape);
  const parts = declaredParts(kind).map(({ member }) => member);
  ledger.declare(id, kind.parent && parentId, presentIn(entries, parts));
  if (result.replaces.length > 0) {
    if (ledger.isLeft(id)) throw new RefusedError(`${refused}${leavingReason("another resource leaves it")}`);
    if (result.keepsName) refuse(refused, objections);
    const isRetained = news[retainedProperty] === true;
    // Names are unique. Unknown values may need no replacement; a creation with an unknown outcome is retried.
    if (isRetained && result.keepsName && !hasUnknown(declared.fields) && !isUnclear)
      throw new RefusedError(
        `the ${kind.name} "${name}" must be replaced, but its option \`retainOnDelete: true\` keeps the old one and its name; remove the option and run \`pulumi up\` before you make the change, or give the new one another name`,
      );
    if (isRetained && parentId !== undefined && ledger.isReplaced(parentId))
      throw new RefusedError(
        `the ${kind.name} "${name}" stays because of its option \`retainOnDelete: true\`, and this run replaces its ${kind.parent?.name}; move it or delete it first`,
      );
    const from = placeKey({ kind, parentId: parentId ?? "", name: nameBefore ?? name });
    const isMoved = !result.keepsName;
    // Unknown values may turn out to be the old ones.
    const causes = result.fields.filter(({ replaces }) => replaces !== undefined);
    const isSure = causes.length === 0 || causes.some(({ after }) => !hasUnknown(after));
    const isKept = isRetained && isMoved;
    ledger.replace({ id, from, kind, olds, declared, resource, isMoved, isSure, isKept });
  } else {
    const names = [nameBefore ?? name, name];
    const state = digestOf(olds);
    ledger.record({ did: "states", id, urn: resource, kind: kind.name, names, state });
    refuse("", objections);
  }
  if (isUnclear && result.keepsName)
    ledger.record({ did: "retried", place: placeKey({ kind, parentId: parentId ?? "", name }) });
  return result;
}

/** Refuses an exchange of names, places, domains or the like, because none of the changes can come first. */
function refuseExchange(ledger: RunLedger, kind: Kind, olds: Properties, declared: ParsedInputs): void {
  const { name, parentId = "" } = placeIn(kind, olds);
  const after = { kind, parentId: declared.parentId ?? parentId, name: declared.name };
  if (name === undefined || hasUnknown([after.name, after.parentId])) return;
  const claims = movedClaims(kind, fieldsAmong(kind, olds), declared.fields);
  const [from, to] = [placeKey({ kind, parentId, name }), placeKey(after)];
  const places = from === to ? { lost: [], gained: [] } : { lost: [from], gained: [to] };
  const gained = [...places.gained, ...claims.gained];
  if ([...places.lost, ...claims.lost].every((each) => ledger.move(each, gained))) return;
  const isMoved = after.parentId !== parentId;
  const place = isMoved ? `a place in another ${kind.parent?.name}` : `the name "${after.name}"`;
  const what = claims.gained.map((claim) => `the ${claim}`).join(", ") || place;
  throw new RefusedError(`the ${kind.name} "${name}" cannot get ${what}: ${exchangeReason}`);
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
  const declared = readInputs(kind, news);
  const { parentId = "", name = "" } = placeIn(kind, olds);
  // A rename is a change of the fields.
  const place = moveOf(kind, parentProperty(kind), parentId, declared.parentId ?? parentId);
  const keepsName = place.length === 0 && nameKey(declared.name) === nameKey(name);
  // A missing resource loses its entry in the state and is created again. So is an unfinished resource whose value was
  // shown once and is lost.
  if (memory.isUnclear || (memory.isUnfinished && kind.shownOnce !== undefined))
    return { changes: true, replaces: ["name"], deleteBeforeReplace: true, keepsName, fields: [] };
  const answer = ask(changeInState(kind, id, olds, declared, now));
  const fields = answer.action?.changes ?? [];
  const changes = [
    ...place,
    ...fields,
    // Kept as an output, because a deletion gets only the outputs.
    ...(memory.deleteContents === declared.deleteContents
      ? []
      : [{ path: ["deleteContents"], ...(declared.deleteContents ? { after: true } : { before: true }) }]),
  ];
  const replaces = changes.flatMap(({ path: [member = ""], replaces: why }) =>
    why === undefined ? [] : [camelCase(member)],
  );
  return {
    changes: changes.length > 0 || memory.isUnfinished || hasUnknown(declared.fields),
    replaces: [...new Set(replaces)],
    deleteBeforeReplace: true,
    keepsName,
    fields: changes,
    answer,
  };
}

/**
 * The outputs of a creation or an update that follow from the inputs and the former outputs; the others are unknown.
 * Sends nothing.
 *
 * @param olds undefined for a creation
 * @param adopts whether every creation adopts an existing resource of that name
 */
export function preview(
  kind: Kind,
  olds: Properties | undefined,
  news: Properties,
  adopts: boolean,
): Properties {
  const declared = readInputs(kind, news);
  const { cloneFrom, name, parentId } = declared;
  // The fields of an unfinished resource are unknown.
  const state = olds && !recall(olds).isUnfinished ? olds : undefined;
  const isThere = mayBeThere(declared, { adopt: adopts }) || !isCreated(kind);
  const isNew = !olds && !isThere && cloneFrom === undefined;
  const answer = state ? difference(kind, state, news).answer : ask(creationOf(kind, declared));
  const live = state && fieldsAmong(kind, state);
  const { expected = live ?? {} } = answer?.action ?? {};
  // Without parts that are neither in the state nor in the program.
  const known = { ...live, ...declared.fields };
  const isOther = (member: string) => memberOf(kind.fields, member)?.part && !Object.hasOwn(known, member);
  const fields = live ? mapFields(expected, (value, part) => (isOther(part) ? undefined : value)) : expected;
  const camel = toCamel(kind.fields, withoutOrders(kind.fields, foreseen(kind.fields, live, fields, isNew)));
  // A reference to another sibling changes reports about the resource and its siblings.
  const isMoved = siblingParts(declaredParts(kind)).some(
    ({ member }) => !sameJson(live && own(live, member), own(fields, member)),
  );
  const reported = Object.keys(reportedOutputs(kind)).map((property) => {
    const isKnown = state && (!isMoved || property === "createdAt");
    return [property, (isKnown ? own(state, property) : undefined) ?? unknownValue];
  });
  return {
    ...(isFields(camel) && camel),
    ...Object.fromEntries(reported),
    ...(!state && camelMembers(kind.foreseen?.(fields) ?? {})),
    name,
    [parentProperty(kind)]: parentId ?? (state && placeIn(kind, state).parentId) ?? unknownValue,
  };
}

/** A value without members that only the engine has, such as the order to write a secret again. */
function withoutOrders(schema: FieldSchema, value: Json): Json {
  const { items, opaque } = schema;
  if (items && Array.isArray(value)) return value.map((element) => withoutOrders(items, element));
  if (opaque || !isFields(value)) return value;
  return mapFields(value, (inner, member) => {
    const its = memberOf(schema, member) ?? {};
    return its.place === "engine" ? undefined : withoutOrders(its, inner);
  });
}
