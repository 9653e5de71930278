import type { Kind } from "../../core/kinds/index.ts";
import type { Place } from "../../core/steps/find.ts";
import { deleteAndWait, lookByName } from "../../core/steps/index.ts";
import { RefusedError } from "./errors.ts";
import { type Properties, textOf } from "./inputs.ts";
import { parentProperty, recall } from "./outputs.ts";
import type { ProviderSession } from "./session.ts";

/**
 * Deletes a resource and waits until it is gone; gone already is success. One that another resource of the program
 * has taken over in this pass is left alone, as is one that may have been made and is tried again: only its old entry in
 * the state goes.
 */
export async function remove(
  session: ProviderSession,
  kind: Kind,
  id: string,
  olds: Properties,
): Promise<void> {
  if (session.bindings.of(id) === "adopted") return;
  if (session.bindings.of(id) === "replaced") await session.checkSuccessors();
  const parentId = await session.parentIdOf(textOf(olds, parentProperty(kind)));
  if (recall(olds).isUnclear) {
    const place = { kind, parentId, name: textOf(olds, "name") ?? "" };
    return session.bindings.isRetried(place) ? undefined : refuseWhatAppeared(session, place);
  }
  await deleteAndWait(session.context, { kind, id, parentId });
}

/** What may have been made is not deleted by its name alone. Throws when there is something of that name. */
async function refuseWhatAppeared(session: ProviderSession, place: Place): Promise<void> {
  const there = await lookByName(session.context, place);
  if (!there) return;
  throw new RefusedError(
    `there is a ${place.kind.name} "${there.name}" (${there.id}) now, which an earlier request has probably created; run \`pulumi refresh\` to add it to the state, then run \`pulumi up\` again`,
  );
}
