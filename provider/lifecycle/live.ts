import type { Kind } from "../../core/kinds/index.ts";
import { isWhole, readOne, sameId, toLive, type LiveResource } from "../../core/live/index.ts";
import { OperationError, type Done } from "../../core/operations/index.ts";
import { nameKey } from "../../core/names.ts";
import type { ProviderSession } from "./session.ts";

/**
 * A resource after a write: from the answer, if it has every member of the kind; otherwise from the list of its parent,
 * which parallel writes share.
 */
export async function liveAfter(
  session: ProviderSession,
  kind: Kind,
  parentId: string,
  done: Done,
): Promise<LiveResource> {
  const { id, response } = done;
  return response && isWhole(kind, response)
    ? toLive(kind, response, parentId)
    : lookFor(session, kind, parentId, id);
}

async function lookFor(
  session: ProviderSession,
  kind: Kind,
  parentId: string,
  id: string,
): Promise<LiveResource> {
  const children = await session.run.freshLists.readList(kind, parentId);
  const live =
    children?.resources.find((resource) => resource.id === id) ??
    (await readOne(session.client, kind, id, parentId));
  if (live) return live;
  throw new OperationError("gone", `the ${kind.name} ${id} was written, but can no longer be found`, {
    remedies: [{ again: "plan" }],
  });
}

/**
 * The present id of a resource. Some resources, such as invitations, get another id when they become complete: those are
 * found by name. Reads a list only for kinds with such resources.
 *
 * @param name as the state has it
 */
export async function presentId(
  session: ProviderSession,
  kind: Kind,
  { id, parentId, name }: { id: string; parentId: string; name: string | undefined },
): Promise<string> {
  if (!kind.listing.pendingPath || name === undefined) return id;
  const all = (await session.listOf(kind, parentId))?.resources.filter((each) => each.kind === kind) ?? [];
  if (all.some((each) => sameId(each.id, id))) return id;
  return all.find((each) => nameKey(each.name) === nameKey(name))?.id ?? id;
}
