import type { Kind } from "../../core/kinds/index.ts";
import { type LiveResource, readOne } from "../../core/live.ts";
import { fieldsAmong, type Properties, textOf } from "./inputs.ts";
import { inputsOf, outputsOf, parentProperty, recall } from "./outputs.ts";
import type { Session } from "./session.ts";

/** A resource as it is; `id` is empty when it is gone. */
export interface Found {
  id: string;
  props: Properties;
  inputs?: Properties;
}

/** Reads a resource, by the list of what its parent holds. */
export async function read(session: Session, kind: Kind, id: string, olds: Properties): Promise<Found> {
  const parentId = await session.holderOf(textOf(olds, parentProperty(kind)));
  const live = await find(session, kind, id, parentId);
  if (!live) return { id: "", props: {} };
  const memory = recall(olds);
  return { id, props: outputsOf(live, memory, fieldsAmong(kind, olds)), inputs: inputsOf(live, memory) };
}

/** By the list; what the list does not have is asked for by id, as only a 404 says that it is gone. */
async function find(
  session: Session,
  kind: Kind,
  id: string,
  parentId: string,
): Promise<LiveResource | undefined> {
  const children = await session.snapshot.childrenOf(kind.parent, parentId);
  if (!children) return undefined;
  const listed = children.resources.find((resource) => resource.id === id && resource.kind === kind);
  return listed ?? readOne(session.client, kind, id, parentId);
}
