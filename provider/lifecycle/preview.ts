import { droppedMembers, overlay } from "../../core/fields/overlay.ts";
import { type Fields, isFields, type Json, mapFields, own, sameJson } from "../../core/json.ts";
import type { Kind } from "../../core/kinds/index.ts";
import { siblingParts, statedParts } from "../../core/parts/index.ts";
import { updates } from "../../core/plan/index.ts";
import { type FieldSchema, memberOf, propertiesOf } from "../../core/schema/field-schema.ts";
import { camelMembers, toCamel } from "./casing.ts";
import { difference } from "./diff.ts";
import { fieldsAmong, isCreated, type Properties, readInputs, type StatedInputs } from "./inputs.ts";
import { parentProperty, recall, reportedOutputs } from "./outputs.ts";
import { unknownValue } from "../../core/unknown.ts";

/**
 * The outputs that a creation will give, as far as they follow from the inputs; the others are unknown. Sends nothing.
 *
 * @param adopts whether every creation takes over an existing resource of the name
 */
export function previewCreation(kind: Kind, news: Properties, adopts: boolean): Properties {
  const stated = readInputs(kind, news);
  const isNew =
    isCreated(kind) &&
    !adopts &&
    !stated.adopt &&
    stated.adoptId === undefined &&
    stated.cloneFrom === undefined;
  const fields = overlay(kind.fields, undefined, stated.fields);
  return {
    ...asOutputs(kind, completed(kind.fields, undefined, fields, isNew)),
    ...reported(kind, () => unknownValue),
    ...camelMembers(kind.foreseen?.(fields) ?? {}),
    ...placeOutputs(kind, stated, unknownValue),
  };
}

/** The outputs that an update will give, as far as they follow from the former ones and the inputs. Sends nothing. */
export function previewUpdate(kind: Kind, olds: Properties, news: Properties): Properties {
  const memory = recall(olds);
  if (memory.isUnfinished) return previewCreation(kind, news, true);
  const stated = readInputs(kind, news);
  const live = fieldsAmong(kind, olds);
  const { action } = difference(kind, olds, news).answer ?? {};
  const fields = action && updates(action) ? statedAlone(kind, live, stated, action.expected) : live;
  // Naming another sibling changes what the API reports of the resource and of its siblings.
  const isMoved = siblingParts(statedParts(kind)).some(
    ({ member }) => !sameJson(own(live, member), own(fields, member)),
  );
  const reports = reported(kind, (property) =>
    isMoved && property !== "createdAt" ? unknownValue : (own(olds, property) ?? unknownValue),
  );
  return {
    ...asOutputs(kind, completed(kind.fields, live, fields, false)),
    ...reports,
    ...placeOutputs(kind, stated, own(olds, parentProperty(kind)) ?? unknownValue),
  };
}

/** The fields without the parts that neither the state nor the program has. */
function statedAlone(kind: Kind, live: Fields, { fields: stated }: StatedInputs, expected: Fields): Fields {
  const isElsewhere = new Set(
    statedParts(kind).flatMap(({ member }) =>
      Object.hasOwn(live, member) || Object.hasOwn(stated, member) ? [] : [member],
    ),
  );
  return mapFields(expected, (value, member) => (isElsewhere.has(member) ? undefined : value));
}

function reported(kind: Kind, valueOf: (property: string) => Json): Properties {
  return Object.fromEntries(
    Object.keys(reportedOutputs(kind)).map((property) => [property, valueOf(property)]),
  );
}

function placeOutputs(kind: Kind, { name, parentId }: StatedInputs, parent: Json): Properties {
  return { name, [parentProperty(kind)]: parentId ?? parent };
}

function asOutputs(kind: Kind, fields: Json): Properties {
  const camel = toCamel(kind.fields, fields);
  return isFields(camel) ? camel : {};
}

/**
 * A value as it will be after a request that states it. References are `{id, name}` once they have been looked up, and
 * unknown until then. Members that are not stated have their defaults in a new resource; others are unknown, unless
 * they are excluded by what is stated.
 *
 * @param live the present value; undefined where there is none
 */
function completed(schema: FieldSchema, live: Json | undefined, value: Json, isNew: boolean): Json {
  if (schema.reference !== undefined) return isFields(value) ? value : unknownValue;
  // The state keeps of the parts only what the program states.
  if (schema.opaque || schema.part) return value;
  const { items } = schema;
  if (items && Array.isArray(value) && !sameJson(live, value))
    return value.map((element) => completed(items, undefined, element, isNew));
  if (!isFields(value)) return value;
  const present = isFields(live) ? live : undefined;
  const members = mapFields(value, (inner, member) =>
    completed(memberOf(schema, member) ?? {}, present && own(present, member), inner, isNew),
  );
  return present ? members : { ...unstatedMembers(schema, value, isNew), ...members };
}

/** Those of alternatives that are not stated are not among them. */
function unstatedMembers(schema: FieldSchema, stated: Fields, isNew: boolean): Fields {
  const excluded = new Set(droppedMembers(schema, stated));
  return Object.fromEntries(
    propertiesOf(schema).flatMap(([member, { default: fallback, part }]) =>
      part || excluded.has(member) ? [] : [[member, (isNew ? fallback : undefined) ?? unknownValue]],
    ),
  );
}
