import { kindOf } from "../kinds/index.ts";
import {
  cloneResource,
  createResource,
  type Creation,
  type Done,
  lookByName,
  OperationError,
  type OperationContext,
  recreate,
  removeResource,
  replaceResource,
  updateFrom,
  updateResource,
} from "../steps/index.ts";
import {
  type Action,
  type MayComeWith,
  type ParentReference,
  unreachable,
  type UpdateAction,
} from "../plan/index.ts";

/** Performs one action with the step that it takes. `ids` are those of what the run has made or found, by address. */
export async function perform(
  context: OperationContext,
  action: Action,
  ids: ReadonlyMap<string, string>,
): Promise<Partial<Done>> {
  const kind = kindOf(action.kind);
  const { name } = action;
  switch (action.type) {
    case "none":
      return action.id === undefined ? {} : { id: action.id };
    case "create":
      return createResource(context, {
        kind,
        name,
        parentId: parentId(action.parent, ids),
        fields: action.fields,
        ...comesUntil(context, action.mayComeWith),
      });
    case "clone": {
      const sourceId = action.source.id ?? idOf(action.source.address, ids);
      const { stated, contents } = action;
      return cloneResource(context, {
        kind,
        name,
        parentId: parentId(action.parent, ids),
        sourceId,
        stated,
        contents,
        ...comesUntil(context, action.mayComeWith),
      });
    }
    case "update":
      return update(context, action, ids);
    case "replace": {
      const { id, fields, fingerprint, contents } = action;
      const replacement = {
        kind,
        name,
        id,
        fields,
        fingerprint,
        contents,
        parentId: parentId(action.parent, ids),
      };
      return action.removedBy === undefined
        ? replaceResource(context, replacement)
        : recreate(context, replacement);
    }
    case "delete": {
      const { id, fingerprint, contents } = action;
      if (action.removedBy !== undefined) return { id };
      return removeResource(context, {
        kind,
        id,
        parentId: parentId(action.parent, ids),
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
  ids: ReadonlyMap<string, string>,
): Promise<Done> {
  const { name, stated, changes: planned, id } = action;
  const place = { kind: kindOf(action.kind), parentId: parentId(action.parent, ids), name };
  if (id !== undefined) return updateResource(context, { ...place, id }, { stated, name, planned });
  const copy = await lookByName(context, place);
  if (!copy)
    throw new OperationError("gone", `the clone brought no ${action.kind} "${name}"`, {
      remedies: [{ again: "plan" }],
    });
  return updateFrom(context, copy, { stated, name });
}

function comesUntil(
  { limits }: OperationContext,
  coming: MayComeWith | undefined,
): Pick<Creation, "comesUntil"> {
  return coming ? { comesUntil: Date.parse(coming.since) + limits.clone } : {};
}

function parentId(parent: ParentReference, ids: ReadonlyMap<string, string>): string {
  return "id" in parent ? parent.id : idOf(parent.address, ids);
}

function idOf(address: string, ids: ReadonlyMap<string, string>): string {
  const id = ids.get(address);
  if (id === undefined) throw new Error(`${address} has not been made in this run`);
  return id;
}
