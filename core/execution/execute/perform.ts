import { type Address, formatAddress, nameOf, parentAddress } from "../../model/addresses/address.ts";
import type { FieldChange } from "../../model/fields/compare.ts";
import { withMadeReferences } from "../../model/fields/references.ts";
import { type Fields, sameJson } from "../../values/json.ts";
import type { Kind } from "../../model/kinds/index.ts";
import type { LiveResource } from "../../state/live/index.ts";
import {
  type WriteResult,
  readByName,
  outdated,
  type Run,
  refuseUnlessCopy,
  type PlannedPart,
  withoutRemovals,
} from "../../operations/index.ts";
import {
  type CloneOrder,
  cloneResource,
  createResource,
  type CreationAnswer,
  deleteAndWait,
  recreate,
  removeResource,
  replaceResource,
  updateFrom,
  updateResource,
} from "../../operations/writes.ts";
import type { Action, PendingClone, ParentReference } from "../../planning/plan/index.ts";
import { copyingEnds } from "../../rules/clone.ts";
import { withoutParts } from "../../model/parts/index.ts";
import { type DeploymentResult, Deployments } from "./deployments.ts";
import { oldNameOf } from "./failure.ts";

/** Ids of resources, by the id of the action of the same run that has created or found them. */
export type ResourceIds = ReadonlyMap<string, string>;

/** Results of earlier actions of a run for later ones. */
export interface RunSoFar {
  ids: ResourceIds;
  /** The ids of the clone actions whose resource somebody else had created. */
  found: ReadonlySet<string>;
  deployments: Deployments;
}

/** The caller's recent reads for the plan of one resource, and its callbacks. */
export interface Freshly {
  /** The resource as it was read for the plan; absent: it is new. */
  live?: LiveResource;
  /** All expected fields of the resource, if the caller knows more than it has read; default: as planned. */
  expected?: Fields;
  onId?(id: string): void;
}

/** Performs the only action of a plan without another first read; stops if a later read needs unapproved changes. */
export async function performAlone(
  run: Run,
  action: Action,
  { live, expected, onId }: Freshly,
): Promise<WriteResult> {
  const { kind } = action.address;
  const soFar: RunSoFar = {
    ids: new Map(),
    found: new Set(),
    deployments: new Deployments([], run, undefined),
  };
  const parentId = await parentIdOf(run, action, soFar.ids);
  const { declared, type } = action;
  if (type === "clone") return cloneResource(run, await cloningOf(run, action, soFar.ids), onId);
  if (type === "update" && live)
    return updateFrom(run, live, {
      declared: leavesParts(action) ? withoutParts(kind, declared) : declared,
      name: nameOf(action.address),
      expected: expected ?? action.expected,
      allow: (changes) => refuseUnapproved(kind, changes, action),
    });
  if (type === "delete") {
    const { id } = liveBefore(action);
    await deleteAndWait(run, { kind, id, parentId });
    return { id };
  }
  const { id, ...done } = await perform(run, action, soFar);
  if (id === undefined) throw new TypeError(`${formatAddress(action.address)}: the plan makes no resource`);
  return { id, ...done };
}

/** Whether the plan changes no part of the resource, and no report about its parts is needed: they are not read. */
function leavesParts({ address: { kind }, changes, declared }: Action): boolean {
  const changed = new Set(changes.map(({ path: [member] }) => member));
  return kind.parts.every(({ member, reports }) => !changed.has(member) && !(reports && member in declared));
}

/** Refuses changes that are not in the plan: the resource has changed since it was read. */
async function refuseUnapproved(kind: Kind, changes: readonly FieldChange[], action: Action): Promise<void> {
  const isApproved = (change: FieldChange) =>
    action.changes.some(({ path, after }) => sameJson(path, change.path) && sameJson(after, change.after));
  if (changes.every(isApproved)) return;
  throw outdated("changed", `the ${kind.name} has changed meanwhile`);
}

export async function perform(
  run: Run,
  action: Action,
  soFar: RunSoFar,
): Promise<Partial<WriteResult & DeploymentResult>> {
  return performResolved(run, withReferences(action, soFar.ids), soFar);
}

/** The action with the ids of created resources in place of the references of its fields. */
function withReferences<Some extends Action>(action: Some, ids: ResourceIds): Some {
  const idOf = (actionId: string) => ids.get(actionId);
  return {
    ...action,
    expected: withMadeReferences(action.expected, idOf),
    declared: withMadeReferences(action.declared, idOf),
    changes: action.changes.map((change) =>
      change.after === undefined ? change : { ...change, after: withMadeReferences(change.after, idOf) },
    ),
  };
}

async function performResolved(
  run: Run,
  action: Action,
  { ids, found, deployments }: RunSoFar,
): Promise<Partial<WriteResult & DeploymentResult>> {
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
      return cloneResource(run, await cloningOf(run, action, ids));
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

async function cloningOf(run: Run, action: Action, ids: ResourceIds): Promise<CloneOrder> {
  return {
    kind: action.address.kind,
    name: nameOf(action.address),
    parentId: await parentIdOf(run, action, ids),
    sourceId: await sourceId(run, action, ids),
    declared: action.declared,
    planned: action,
    contents: action.brings,
    ...awaitedUntil(run, action.pendingClone),
  };
}

function liveBefore({ address, resourceId: id, fingerprint }: Action): { id: string; fingerprint: string } {
  if (id === undefined || fingerprint === undefined)
    throw new TypeError(`${formatAddress(address)}: the plan does not say which resource to delete`);
  return { id, fingerprint };
}

async function update(
  run: Run,
  action: Action,
  ids: ResourceIds,
  found: ReadonlySet<string>,
): Promise<WriteResult> {
  const { address, declared, changes: planned, expected, resourceId: id, carriedOutBy } = action;
  const { kind } = address;
  const name = nameOf(address);
  const place = { kind, parentId: await parentIdOf(run, action, ids), name };
  if (id !== undefined)
    return updateResource(
      run,
      { ...place, id },
      { declared, name, planned, expected, seen: removedParts(action) },
    );
  const copy = await copyOf(run, address, place.parentId, oldNameOf(action));
  if (carriedOutBy === undefined || !found.has(carriedOutBy))
    return updateFrom(run, copy, { declared, name });
  refuseUnlessCopy(copy, declared, action);
  return updateFrom(run, copy, { declared: withoutRemovals(kind, declared), name });
}

function removedParts({ resourceId, losses }: Action): PlannedPart[] {
  return losses.flatMap(({ sort, owner, path, content }) =>
    sort === "part" && owner?.id === resourceId && path && content !== undefined ? [{ path, content }] : [],
  );
}

function awaitedUntil(
  { limits }: Run,
  coming: PendingClone | undefined,
): Pick<CreationAnswer, "awaitedUntil"> {
  return coming ? { awaitedUntil: copyingEnds(coming, limits.clone) } : {};
}

async function sourceId(run: Run, { address, source }: Action, ids: ResourceIds): Promise<string> {
  if (!source)
    throw new TypeError(`${formatAddress(address)}: the plan does not name the source of the clone`);
  return "madeWith" in source
    ? (await copyOf(run, source.address, made(source.madeWith, ids))).id
    : knownId(source, ids);
}

/** A resource that a clone of this run has copied. @param parentId of the clone */
async function copyOf(
  run: Run,
  address: Address,
  parentId: string,
  copied = nameOf(address),
): Promise<LiveResource> {
  const { kind } = address;
  const copy = await readByName(run, { kind, name: copied, parentId });
  if (copy) return copy;
  throw outdated("gone", `the clone contains no ${kind.name} "${nameOf(address)}"`);
}

async function parentIdOf(
  run: Run,
  { address, parent }: Pick<Action, "address" | "parent">,
  ids: ResourceIds,
): Promise<string> {
  if (!("madeWith" in parent)) return knownId(parent, ids);
  return (await copyOf(run, parentAddress(address) ?? address, made(parent.madeWith, ids))).id;
}

function knownId(reference: ParentReference, ids: ResourceIds): string {
  return "id" in reference ? reference.id : made(reference.madeBy, ids);
}

function made(actionId: string, ids: ResourceIds): string {
  const id = ids.get(actionId);
  if (id === undefined) throw new Error(`"${actionId}" has made nothing in this run`);
  return id;
}
