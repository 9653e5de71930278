import type { Kind } from "../../core/kinds/index.ts";
import { deleteAndWait } from "../../core/operations/index.ts";
import { type Properties, textOf } from "./inputs.ts";
import { parentProperty } from "./outputs.ts";
import type { Session } from "./session.ts";

/**
 * Deletes a resource and waits until it is gone; gone already is success. One that another resource of the program
 * has taken over in this pass is left alone: only its old entry in the state goes.
 */
export async function remove(session: Session, kind: Kind, id: string, olds: Properties): Promise<void> {
  if (session.adopted.has(id)) return;
  const parentId = await session.holderOf(textOf(olds, parentProperty(kind)));
  await deleteAndWait(session.context, { kind, id, parentId });
  session.snapshot.drop(parentId, id);
}
