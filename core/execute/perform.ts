import { type Address, formatAddress, nameOf, parentAddress } from "../address.ts";
import { withMadeReferences } from "../fields/references.ts";
import {
  type Done,
  readByName,
  OperationError,
  type Run,
  refuseUnlessCopy,
  type SeenPart,
  withoutRemovals,
} from "../operations/index.ts";
import {
  cloneResource,
  createResource,
  type Creation,
  recreate,
  removeResource,
  replaceResource,
  updateFrom,
  updateResource,
} from "../operations/writes.ts";
import type { Action, PendingClone, ParentReference } from "../plan/index.ts";
import { copyingEnds } from "../rules/clone.ts";
import type { Deployed, Deployments } from "./deployments.ts";
import { oldNameOf } from "./failure.ts";

/** Ids of resources, by the id of the action of the same run that has made or found them. */
export type ResourceIds = ReadonlyMap<string, string>;

/** Results of earlier actions of a run for later ones. */
export interface RunSoFar {
  ids: ResourceIds;
  /** The ids of the clone actions whose resource somebody else had made. */
  found: ReadonlySet<string>;
  deployments: Deployments;
}

/** Performs one action with the operation of its type. */
export async function perform(run: Run, action: Action, soFar: RunSoFar): Promise<Partial<Done & Deployed>> {
  return performResolved(run, withReferences(action, soFar.ids), soFar);
}

/** The action with the ids of resources that earlier actions have made, where its fields refer to them. */
function withReferences(action: Action, ids: ResourceIds): Action {
  const idOf = (actionId: string) => ids.get(actionId);
  return {
    ...action,
    expected: withMadeReferences(action.expected, idOf),
    stated: withMadeReferences(action.stated, idOf),
    changes: action.changes.map((change) =>
      change.after === undefined ? change : { ...change, after: withMadeReferences(change.after, idOf) },
    ),
  };
}

async function performResolved(
  run: Run,
  action: Action,
  { ids, found, deployments }: RunSoFar,
): Promise<Partial<Done & Deployed>> {
  const { kind } = action.address;
  const name = nameOf(action.address);
  switch (action.type) {
    case "none":
      return action.resourceId === undefined ? {} : { id: action.resourceId };
    case "create":
      return createResource(run, {
        kind,
        name,
        parentId: await parentIdOf(run, action, ids),
        fields: action.expected,
        ...awaitedUntil(run, action.pendingClone),
      });
    case "clone":
      return cloneResource(run, {
        kind,
        name,
        parentId: await parentIdOf(run, action, ids),
        sourceId: await sourceId(run, action, ids),
        stated: action.stated,
        planned: action,
        contents: action.brings,
        ...awaitedUntil(run, action.pendingClone),
      });
    case "update":
      return update(run, action, ids, found);
    case "replace": {
      const { expected: fields, contentIds: contents } = action;
      const replacement = {
        kind,
        name,
        ...liveBefore(action),
        fields,
        contents,
        parentId: await parentIdOf(run, action, ids),
      };
      return action.carriedOutBy === undefined
        ? replaceResource(run, replacement)
        : recreate(run, replacement);
    }
    case "delete": {
      const live = liveBefore(action);
      if (action.carriedOutBy !== undefined) return { id: live.id };
      return removeResource(run, {
        kind,
        ...live,
        parentId: await parentIdOf(run, action, ids),
        contents: action.contentIds,
      });
    }
    case "deploy":
      return deployments.perform(action, ids);
    default:
      return action.type satisfies never;
  }
}

/** The id and the fingerprint of a resource that an action deletes. */
function liveBefore({ address, resourceId: id, fingerprint }: Action): { id: string; fingerprint: string } {
  if (id === undefined || fingerprint === undefined)
    throw new TypeError(`${formatAddress(address)}: the plan does not say which resource to delete`);
  return { id, fingerprint };
}

async function update(run: Run, action: Action, ids: ResourceIds, found: ReadonlySet<string>): Promise<Done> {
  const { address, stated, changes: planned, expected, resourceId: id, carriedOutBy } = action;
  const { kind } = address;
  const name = nameOf(address);
  const place = { kind, parentId: await parentIdOf(run, action, ids), name };
  if (id !== undefined)
    return updateResource(
      run,
      { ...place, id },
      { stated, name, planned, expected, seen: removedParts(action) },
    );
  const copy = await readByName(run, { ...place, name: oldNameOf(action) ?? name });
  if (!copy) throw missingCopy(address);
  if (carriedOutBy === undefined || !found.has(carriedOutBy)) return updateFrom(run, copy, { stated, name });
  refuseUnlessCopy(copy, stated, action);
  return updateFrom(run, copy, { stated: withoutRemovals(kind, stated), name });
}

/** The parts that an update removes from its resource, as the plan saw them. */
function removedParts({ resourceId, losses }: Action): SeenPart[] {
  return losses.flatMap(({ sort, owner, path, content }) =>
    sort === "part" && owner?.id === resourceId && path && content !== undefined ? [{ path, content }] : [],
  );
}

function awaitedUntil({ limits }: Run, coming: PendingClone | undefined): Pick<Creation, "awaitedUntil"> {
  return coming ? { awaitedUntil: copyingEnds(coming, limits.clone) } : {};
}

async function sourceId(run: Run, { address, source }: Action, ids: ResourceIds): Promise<string> {
  if (!source) throw new TypeError(`${formatAddress(address)}: the plan does not say what it is a clone of`);
  return "madeWith" in source
    ? copyId(run, source.address, made(source.madeWith, ids))
    : knownId(source, ids);
}

/** The id of a resource that a clone in this run has copied. @param parentId of the resource that the clone has made */
async function copyId(run: Run, address: Address, parentId: string): Promise<string> {
  const copy = await readByName(run, { kind: address.kind, name: nameOf(address), parentId });
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
  run: Run,
  { address, parent }: Pick<Action, "address" | "parent">,
  ids: ResourceIds,
): Promise<string> {
  if (!("madeWith" in parent)) return knownId(parent, ids);
  return copyId(run, parentAddress(address) ?? address, made(parent.madeWith, ids));
}

function knownId(reference: ParentReference, ids: ResourceIds): string {
  return "id" in reference ? reference.id : made(reference.madeBy, ids);
}

function made(actionId: string, ids: ResourceIds): string {
  const id = ids.get(actionId);
  if (id === undefined) throw new Error(`"${actionId}" has made nothing in this run`);
  return id;
}
