import { type Address, nameOf, parentAddress } from "../address.ts";
import type { FieldChange } from "../fields/compare.ts";
import { withMadeReferences } from "../fields/references.ts";
import {
  cloneResource,
  createResource,
  type Creation,
  type Done,
  lookByName,
  OperationError,
  type OperationContext,
  recreate,
  refuseUnlessCopy,
  removeResource,
  replaceResource,
  type SeenPart,
  updateFrom,
  updateResource,
  withoutRemovals,
} from "../operations/index.ts";
import {
  type Action,
  type CloneAction,
  type DeployAction,
  type MayComeWith,
  type ParentReference,
  unreachable,
  type UpdateAction,
} from "../plan/index.ts";
import { copyingEnds } from "../concerns/clone.ts";
import { oldNameOf } from "./failure.ts";

/** Ids of resources, by the id of the action of the same run that has made or found them. */
export type ResourceIds = ReadonlyMap<string, string>;

/**
 * Performs one action with the step that it takes.
 *
 * @param found the ids of the clone actions whose resource somebody else had made
 */
export async function perform(
  context: OperationContext,
  action: Exclude<Action, DeployAction>,
  ids: ResourceIds,
  found: ReadonlySet<string>,
): Promise<Partial<Done>> {
  return performResolved(context, withReferences(action, ids), ids, found);
}

/** The action with the ids of what earlier actions of the run have made, where its fields refer to that. */
function withReferences<Some extends Action>(action: Some, ids: ResourceIds): Some {
  const idOf = (actionId: string) => ids.get(actionId);
  const { expected, stated, changes } = { expected: {}, stated: {}, changes: [], ...action };
  return {
    ...action,
    ...("expected" in action && { expected: withMadeReferences(expected, idOf) }),
    ...("stated" in action && { stated: withMadeReferences(stated, idOf) }),
    ...("changes" in action && {
      changes: changes.map((change: FieldChange) =>
        change.after === undefined ? change : { ...change, after: withMadeReferences(change.after, idOf) },
      ),
    }),
  };
}

async function performResolved(
  context: OperationContext,
  action: Exclude<Action, DeployAction>,
  ids: ResourceIds,
  found: ReadonlySet<string>,
): Promise<Partial<Done>> {
  const { kind } = action.address;
  const name = nameOf(action.address);
  switch (action.type) {
    case "none":
      return action.resourceId === undefined ? {} : { id: action.resourceId };
    case "create":
      return createResource(context, {
        kind,
        name,
        parentId: await parentIdOf(context, action, ids),
        fields: action.expected,
        ...comesUntil(context, action.mayComeWith),
      });
    case "clone":
      return cloneResource(context, {
        kind,
        name,
        parentId: await parentIdOf(context, action, ids),
        sourceId: await sourceId(context, action.source, ids),
        stated: action.stated,
        planned: action,
        contents: action.brings,
        ...comesUntil(context, action.mayComeWith),
      });
    case "update":
      return update(context, action, ids, found);
    case "replace": {
      const { resourceId: id, expected: fields, fingerprint, contentIds: contents } = action;
      const replacement = {
        kind,
        name,
        id,
        fields,
        fingerprint,
        contents,
        parentId: await parentIdOf(context, action, ids),
      };
      return action.alongWith === undefined
        ? replaceResource(context, replacement)
        : recreate(context, replacement);
    }
    case "delete": {
      const { resourceId: id, fingerprint, contentIds: contents } = action;
      if (action.alongWith !== undefined) return { id };
      return removeResource(context, {
        kind,
        id,
        parentId: await parentIdOf(context, action, ids),
        fingerprint,
        contents,
      });
    }
    default:
      return unreachable(action);
  }
}

async function update(
  context: OperationContext,
  action: UpdateAction,
  ids: ResourceIds,
  found: ReadonlySet<string>,
): Promise<Done> {
  const { address, stated, changes: planned, expected, resourceId: id, alongWith } = action;
  const { kind } = address;
  const name = nameOf(address);
  const place = { kind, parentId: await parentIdOf(context, action, ids), name };
  if (id !== undefined)
    return updateResource(
      context,
      { ...place, id },
      { stated, name, planned, expected, seen: removedParts(action) },
    );
  const copy = await lookByName(context, { ...place, name: oldNameOf(action) ?? name });
  if (!copy) throw missingCopy(address);
  if (alongWith === undefined || !found.has(alongWith)) return updateFrom(context, copy, { stated, name });
  refuseUnlessCopy(copy, stated, action);
  return updateFrom(context, copy, { stated: withoutRemovals(kind, stated), name });
}

/** The parts that an update removes from its resource, as the plan saw them. */
function removedParts({ resourceId, losses = [] }: UpdateAction): SeenPart[] {
  return losses.flatMap(({ sort, owner, path, content }) =>
    sort === "part" && owner?.id === resourceId && path && content !== undefined ? [{ path, content }] : [],
  );
}

function comesUntil(
  { limits }: OperationContext,
  coming: MayComeWith | undefined,
): Pick<Creation, "comesUntil"> {
  return coming ? { comesUntil: copyingEnds(coming, limits.clone) } : {};
}

async function sourceId(
  context: OperationContext,
  source: CloneAction["source"],
  ids: ResourceIds,
): Promise<string> {
  return "broughtBy" in source
    ? copyId(context, source.address, made(source.broughtBy, ids))
    : knownId(source, ids);
}

/** The id of what a clone in this run has brought. @param parentId of the resource that the clone has made */
async function copyId(context: OperationContext, address: Address, parentId: string): Promise<string> {
  const copy = await lookByName(context, { kind: address.kind, name: nameOf(address), parentId });
  if (!copy) throw missingCopy(address);
  return copy.id;
}

function missingCopy(address: Address): OperationError {
  const { kind } = address;
  return new OperationError("gone", `the clone brought no ${kind.name} "${nameOf(address)}"`, {
    remedies: [{ again: "plan" }],
  });
}

async function parentIdOf(
  context: OperationContext,
  { address, parent }: Pick<Action, "address" | "parent">,
  ids: ResourceIds,
): Promise<string> {
  if (!("broughtBy" in parent)) return knownId(parent, ids);
  return copyId(context, parentAddress(address) ?? address, made(parent.broughtBy, ids));
}

function knownId(reference: ParentReference, ids: ResourceIds): string {
  return "id" in reference ? reference.id : made(reference.madeBy, ids);
}

function made(actionId: string, ids: ResourceIds): string {
  const id = ids.get(actionId);
  if (id === undefined) throw new Error(`"${actionId}" has made nothing in this run`);
  return id;
}
