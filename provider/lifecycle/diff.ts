import { nameKey } from "../../core/address.ts";
import { compare, type FieldChange } from "../../core/fields/compare.ts";
import { overlay } from "../../core/fields/overlay.ts";
import { resolveReferences } from "../../core/fields/references.ts";
import type { Fields } from "../../core/json.ts";
import type { Kind } from "../../core/kinds/index.ts";
import { moveOf } from "../../core/rules/place.ts";
import { camelCase } from "./casing.ts";
import { type Bindings, boundTwice } from "./bindings.ts";
import { fieldsAmong, type Properties, readInputs, type StatedInputs, textOf } from "./inputs.ts";
import { RefusedError } from "./errors.ts";
import { retainedProperty } from "./internal.ts";
import { type Memory, parentProperty, recall } from "./outputs.ts";
import { withChangedValues } from "./parts.ts";
import { objections, refuse } from "./possible.ts";
import { withResets } from "./shape.ts";
import { hasUnknown, unknownValue } from "./unknown.ts";

/** Whether a resource has to be changed, and which properties can only be changed by replacing it. */
export interface Difference {
  changes: boolean;
  replaces: string[];
  /** Always, as names are unique: the old resource has to go before the new one comes. */
  deleteBeforeReplace: true;
}

/**
 * Compares, without a request, what a resource is with what the program wants, and notes what becomes of it.
 *
 * @throws RefusedError when another resource of the program has taken over the same, and when a replacement could not be
 *   made
 */
export function diff(
  bindings: Bindings,
  kind: Kind,
  id: string,
  olds: Properties,
  news: Properties,
): Difference {
  if (bindings.of(id) === "adopted") throw boundTwice(kind, id);
  const result = difference(kind, olds, news);
  const stated = readInputs(kind, news);
  if (result.replaces.length > 0) {
    refuseLoss(kind, olds, stated);
    if (news[retainedProperty] === true) refuseRetained(kind, olds, stated);
    bindings.replace(id, { kind, stated });
  } else bindings.keep(id);
  if (recall(olds).isUnclear && placeChanges(kind, olds, stated).length === 0) {
    bindings.retry({ kind, parentId: textOf(olds, parentProperty(kind)) ?? "", name: stated.name });
  }
  return result;
}

/** What is replaced is deleted first; the program of one that was taken over need not state all that a new one needs. */
function refuseLoss(kind: Kind, olds: Properties, { adopt, parentId, ...stated }: StatedInputs): void {
  const mayBeAdoptedElsewhere = adopt && parentId !== olds[parentProperty(kind)];
  if (mayBeAdoptedElsewhere) return;
  const how = stated.cloneFrom === undefined ? "create" : "clone";
  refuse(
    `the ${kind.name} "${stated.name}" must be replaced, and a new one cannot be made of what the program states: `,
    objections(kind, { how, current: undefined, stated: stated.fields }),
  );
}

/** Names are unique: what stays on the server keeps its name from what is to come in its place. */
function refuseRetained(kind: Kind, olds: Properties, stated: StatedInputs): void {
  const isNamedAnew = placeChanges(kind, olds, stated).length > 0;
  // What is not known yet may turn out to need no replacement; what may not be there is tried again.
  if (isNamedAnew || hasUnknown(stated.fields) || recall(olds).isUnclear) return;
  throw new RefusedError(
    `the ${kind.name} "${stated.name}" must be replaced, and its option \`retainOnDelete: true\` keeps the old one, and so its name; take the option out, or give the new one another name`,
  );
}

/** Compares what a resource is with what the program wants. */
export function difference(kind: Kind, olds: Properties, news: Properties): Difference {
  const memory = recall(olds);
  // Its entry in the state goes, if there is nothing behind it, and it is made again.
  if (memory.isUnclear) return { changes: true, replaces: ["name"], deleteBeforeReplace: true };
  const stated = readInputs(kind, news);
  const changes = [
    ...placeChanges(kind, olds, stated),
    ...unknownAlternatives(kind, stated),
    ...fieldChanges(kind, memory, olds, stated),
  ];
  const replaces = changes.flatMap(({ path: [member = ""], replaces: why }) =>
    why === undefined ? [] : [camelCase(member)],
  );
  return {
    changes: changes.length > 0 || memory.isUnfinished || hasUnknown(stated.fields),
    replaces: [...new Set(replaces)],
    deleteBeforeReplace: true,
  };
}

/** The fields that differ; of what is unfinished they are not known yet. */
export function fieldChanges(
  kind: Kind,
  memory: Memory,
  olds: Properties,
  stated: StatedInputs,
): FieldChange[] {
  if (memory.isUnfinished) return [];
  const live = fieldsAmong(kind, olds);
  return compare(kind.fields, live, overlay(kind.fields, live, wantedOf(kind, memory, stated, live)));
}

/**
 * What is to be laid over a live resource: the stated fields, those that are not stated any more with null, so that
 * they are reset; of a clone such fields stay as they are. References to what the resource refers to already are
 * looked up; no others, as that needs a request.
 */
export function wantedOf(kind: Kind, memory: Memory, stated: StatedInputs, live: Fields): Fields {
  const fields =
    memory.cloneFrom === undefined ? withResets(kind.fields, stated.fields, memory.shape) : stated.fields;
  return resolveReferences(kind.fields, withChangedValues(kind, fields, live), live, {}).fields;
}

function placeChanges(kind: Kind, olds: Properties, { name, parentId }: StatedInputs): FieldChange[] {
  const parent = parentProperty(kind);
  const before = textOf(olds, parent);
  const isRenamed = nameKey(name) !== nameKey(String(olds["name"]));
  return [
    ...(parentId === undefined ? [] : moveOf(kind, parent, before ?? "", parentId)),
    ...(isRenamed ? [{ path: ["name"] }] : []),
  ];
}

/** What is not known yet may turn out to be the alternative that it cannot be changed to. */
function unknownAlternatives(kind: Kind, { fields }: StatedInputs): FieldChange[] {
  return Object.entries(kind.fields.properties ?? {}).flatMap(([member, { immutableAlternative }]) =>
    immutableAlternative !== undefined && fields[member] === unknownValue
      ? [{ path: [member], replaces: immutableAlternative }]
      : [],
  );
}
