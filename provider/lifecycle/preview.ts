import { foreseen } from "../../core/model/fields/expected-value.ts";
import { type Fields, isFields, type Json, mapFields, own, sameJson } from "../../core/values/json.ts";
import type { Kind } from "../../core/model/kinds/index.ts";
import { siblingParts, declaredParts } from "../../core/model/parts/index.ts";
import { type FieldSchema, memberOf } from "../../core/model/schema/field-schema.ts";
import { unknownValue } from "../../core/problems/unknown.ts";
import { camelMembers, toCamel } from "./casing.ts";
import { difference } from "./diff.ts";
import { fieldsAmong, isCreated, type Properties, readInputs } from "./inputs.ts";
import { parentProperty, placeIn, recall, reportedOutputs } from "./outputs.ts";
import { ask, creationOf } from "./plan-request.ts";

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
  const { adopt, adoptId, cloneFrom, name, parentId } = declared;
  // The fields of an unfinished resource are unknown.
  const state = olds && !recall(olds).isUnfinished ? olds : undefined;
  const mayBeThere = adopt || adopts || adoptId !== undefined || !isCreated(kind);
  const isNew = !olds && !mayBeThere && cloneFrom === undefined;
  const answer = state ? difference(kind, state, news).answer : ask(creationOf(kind, declared));
  const live = state && fieldsAmong(kind, state);
  const { expected = live ?? {} } = answer?.action ?? {};
  const fields = live ? withoutOthers(kind, expected, live, declared.fields) : expected;
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

/** The expected fields without parts that are neither in the state nor in the program. */
function withoutOthers(kind: Kind, expected: Fields, live: Fields, declared: Fields): Fields {
  const others = new Set(
    declaredParts(kind).flatMap(({ member }) =>
      Object.hasOwn(live, member) || Object.hasOwn(declared, member) ? [] : [member],
    ),
  );
  return mapFields(expected, (value, member) => (others.has(member) ? undefined : value));
}
