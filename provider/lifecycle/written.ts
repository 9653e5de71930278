import type { Kind } from "../../core/kinds/index.ts";
import { isWhole, type LiveResource, readOne, toLive } from "../../core/live/index.ts";
import { type Done, OperationError } from "../../core/operations/index.ts";
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
  const children = await session.context.looks.lookInList(kind, parentId);
  const live =
    children?.resources.find((resource) => resource.id === id) ??
    (await readOne(session.client, kind, id, parentId));
  if (live) return live;
  throw new OperationError("gone", `the ${kind.name} ${id} was written, but can no longer be found`, {
    remedies: [{ again: "plan" }],
  });
}
