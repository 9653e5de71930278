import { nameKey } from "../../core/names.ts";
import { compare, type FieldChange } from "../../core/fields/compare.ts";
import { overlay } from "../../core/fields/overlay.ts";
import { resolveReferences } from "../../core/fields/references.ts";
import type { Fields } from "../../core/json.ts";
import type { Kind } from "../../core/kinds/index.ts";
import { withoutIgnored } from "../../core/rules/ignored.ts";
import { moveOf } from "../../core/rules/place.ts";
import { camelCase } from "./casing.ts";
import { type Bindings, boundTwice } from "./bindings.ts";
import { fieldsAmong, type Properties, readInputs, type StatedInputs, textOf } from "./inputs.ts";
import { RefusedError } from "./errors.ts";
import { ignores } from "./ignored.ts";
import { retainedProperty } from "./internal.ts";
import { type RememberedInputs, parentProperty, recall } from "./outputs.ts";
import { withChangedValues } from "./parts.ts";
import { objections, refuse } from "./possible.ts";
import { withResets } from "./shape.ts";
import { hasUnknown, unknownValue } from "./unknown.ts";

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

/**
 * Compares a resource with its inputs, without a request, and notes whether it stays or is replaced.
 *
 * @throws RefusedError when another resource of the program has taken over the same live resource, when a
 * replacement could not be created, and when an update is not possible
 */
export function diff(
  bindings: Bindings,
  kind: Kind,
  id: string,
  olds: Properties,
  news: Properties,
  resource?: string,
): InputDifference {
  if (bindings.of(id) === "adopted") throw boundTwice(kind, id);
  const result = difference(kind, olds, news);
  const stated = readInputs(kind, news);
  bindings.own(id, resource, [textOf(olds, "name") ?? stated.name, stated.name]);
  if (result.replaces.length > 0) {
    refuseLoss(kind, olds, stated);
    if (result.keepsName) refuseForbidden(kind, olds, stated);
    if (news[retainedProperty] === true) refuseRetained(kind, olds, stated);
    bindings.replace(id, { kind, stated });
  } else {
    bindings.keep(id);
    if (result.fields.length > 0) refuseImpossible(kind, olds, stated);
  }
  if (recall(olds).isUnclear && placeChanges(kind, olds, stated).length === 0) {
    bindings.retry({ kind, parentId: textOf(olds, parentProperty(kind)) ?? "", name: stated.name });
  }
  return result;
}

/**
 * Refuses a replacement that could not be created after the deletion: for a resource that was taken over, the program
 * may state less than a new one needs.
 */
function refuseLoss(kind: Kind, olds: Properties, { adopt, parentId, ...stated }: StatedInputs): void {
  const mayBeAdoptedElsewhere = adopt && parentId !== olds[parentProperty(kind)];
  if (mayBeAdoptedElsewhere) return;
  const how = stated.cloneFrom === undefined ? "create" : "clone";
  refuse(
    `the ${kind.name} "${stated.name}" must be replaced, but a new one cannot be created from what the program states: `,
    objections(kind, { how, current: undefined, stated: stated.fields }),
  );
}

/** Refuses an update that cannot be, as far as the state tells. */
function refuseImpossible(kind: Kind, olds: Properties, stated: StatedInputs): void {
  if (hasUnknown(stated.fields)) return;
  const current = fieldsAmong(kind, olds);
  const wanted = wantedOf(kind, recall(olds), stated, current);
  refuse("", objections(kind, { how: "update", current, stated: wanted }));
}

/** Refuses a replacement that the kind forbids, whoever consents. */
function refuseForbidden(kind: Kind, olds: Properties, { name, fields }: StatedInputs): void {
  const current = fieldsAmong(kind, olds);
  const wanted = overlay(kind.fields, current, fields);
  const problem = kind.problem?.({ how: "replace", current, wanted });
  refuse(
    `the ${kind.name} "${name}" cannot be replaced: `,
    problem ? [`${camelCase(problem.field)}: ${problem.message}`] : [],
  );
}

/** Refuses a replacement with the name of a resource that stays on the server, because names are unique. */
function refuseRetained(kind: Kind, olds: Properties, stated: StatedInputs): void {
  const isNamedAnew = placeChanges(kind, olds, stated).length > 0;
  // Unknown values may turn out to need no replacement; a creation with an unknown outcome is tried again.
  if (isNamedAnew || hasUnknown(stated.fields) || recall(olds).isUnclear) return;
  throw new RefusedError(
    `the ${kind.name} "${stated.name}" must be replaced, but its option \`retainOnDelete: true\` keeps the old one and its name; remove the option and run \`pulumi up\` before you make the change, or give the new one another name`,
  );
}

/** Compares a resource with its inputs. */
export function difference(kind: Kind, olds: Properties, news: Properties): InputDifference {
  const memory = recall(olds);
  // If the resource does not exist, its entry in the state is removed and the resource is created again.
  // The value of a half-finished resource is unknown, so the resource is made again.
  if (memory.isUnclear || (memory.isUnfinished && kind.shownOnce !== undefined))
    return { changes: true, replaces: ["name"], deleteBeforeReplace: true, keepsName: false, fields: [] };
  const stated = readInputs(kind, news);
  const place = placeChanges(kind, olds, stated);
  const changes = [
    ...place,
    ...unknownAlternatives(kind, stated),
    ...fieldChanges(kind, memory, olds, stated),
    ...(memory.expiresAfter === stated.expiresAfter
      ? []
      : [{ path: ["expiresAfter"], before: memory.expiresAfter, after: stated.expiresAfter }]),
    // A deletion gets only the outputs, so that a change of it has to be kept there.
    ...(memory.deleteContents === stated.deleteContents
      ? []
      : [
          {
            path: ["deleteContents"],
            ...(memory.deleteContents && { before: true }),
            after: stated.deleteContents,
          },
        ]),
  ];
  const replaces = changes.flatMap(({ path: [member = ""], replaces: why }) =>
    why === undefined ? [] : [camelCase(member)],
  );
  return {
    changes: changes.length > 0 || memory.isUnfinished || hasUnknown(stated.fields),
    replaces: [...new Set(replaces)],
    deleteBeforeReplace: true,
    keepsName: place.length === 0,
    fields: changes,
  };
}

/** The fields that differ; those of an unfinished resource are not known yet. */
export function fieldChanges(
  kind: Kind,
  memory: RememberedInputs,
  olds: Properties,
  stated: StatedInputs,
): FieldChange[] {
  if (memory.isUnfinished) return [];
  const live = fieldsAmong(kind, olds);
  return compare(kind.fields, live, overlay(kind.fields, live, wantedOf(kind, memory, stated, live)));
}

/**
 * The fields to overlay on a live resource: the stated ones, and null for those that the program no longer states,
 * which resets them, except on a clone, where such fields stay; none that the program ignores. Only references that the resource already has are
 * looked up, because others need a request.
 */
export function wantedOf(kind: Kind, memory: RememberedInputs, stated: StatedInputs, live: Fields): Fields {
  const fields =
    memory.cloneFrom === undefined ? withResets(kind.fields, stated.fields, memory.shape) : stated.fields;
  // Nobody else has changed what is not finished yet.
  const compared = memory.isUnfinished ? fields : withoutIgnored(kind.fields, fields, stated.ignored);
  return resolveReferences(kind.fields, withChangedValues(kind, compared, live), live, () => undefined)
    .fields;
}

function placeChanges(
  kind: Kind,
  olds: Properties,
  { name, parentId, ignored }: StatedInputs,
): FieldChange[] {
  const parent = parentProperty(kind);
  const before = textOf(olds, parent);
  const isRenamed = !ignores(ignored, "name") && nameKey(name) !== nameKey(String(olds["name"]));
  return [
    ...(parentId === undefined ? [] : moveOf(kind, parent, before ?? "", parentId)),
    ...(isRenamed
      ? [{ path: ["name"], ...(kind.names?.immutable !== undefined && { replaces: kind.names.immutable }) }]
      : []),
  ];
}

/** Unknown fields that may turn out to be an alternative to which the resource cannot be changed. */
function unknownAlternatives(kind: Kind, { fields }: StatedInputs): FieldChange[] {
  return Object.entries(kind.fields.properties ?? {}).flatMap(([member, { immutableAlternative }]) =>
    immutableAlternative !== undefined && fields[member] === unknownValue
      ? [{ path: [member], replaces: immutableAlternative }]
      : [],
  );
}
