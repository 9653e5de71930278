import type { Kind } from "../../core/kinds/index.ts";
import type { Place } from "../../core/operations/find.ts";
import { deleteAndWait, lookByName } from "../../core/operations/index.ts";
import { refuseWithoutConsent } from "./consent.ts";
import { refuseContents } from "./contents.ts";
import { RefusedError } from "./errors.ts";
import { refuseProtected } from "./losses.ts";
import { mayContain, type Properties, textOf } from "./inputs.ts";
import { refuseLast } from "./keeps-one.ts";
import { parentProperty, recall } from "./outputs.ts";
import { presentId } from "./present-id.ts";
import type { ProviderSession } from "./session.ts";
import { refuseOwn } from "./shown.ts";

/**
 * Deletes a resource and waits until it does not exist; success if it did not exist. Two sorts of resources are not
 * deleted, and only lose their old entry in the state: those that another resource of the program manages, because it
 * has taken them over in this pass or in one that did not finish, and those whose creation has an unknown outcome and is
 * tried again. A resource that still contains others is deleted only if the program says `deleteContents`.
 *
 * @param resource what the program calls it; undefined if that is not known
 */
export async function remove(
  session: ProviderSession,
  kind: Kind,
  id: string,
  olds: Properties,
  resource?: string,
): Promise<void> {
  if (session.bindings.isManagedByAnother(id, resource)) return;
  refuseWithoutConsent(kind, [textOf(olds, "name") ?? ""], "deleted", session.settings.allowInfrastructure);
  refuseOwn(kind, olds, session.settings.token);
  if (session.bindings.of(id) === "replaced") await session.checkSuccessors();
  const parentId = await session.parentIdOf(textOf(olds, parentProperty(kind)));
  await refuseProtected(session, { kind, id, parentId, names: [textOf(olds, "name")] }, "deleted");
  if (recall(olds).isUnclear) {
    const place = { kind, parentId, name: textOf(olds, "name") ?? "" };
    return session.bindings.isRetried(place) ? undefined : refuseWhatAppeared(session, place);
  }
  const mayEmpty = recall(olds).deleteContents || session.bindings.mayEmpty(id);
  if (mayContain(kind) && !mayEmpty) await refuseContents(session, kind, id, olds);
  const present = await presentId(session, kind, { id, parentId, name: textOf(olds, "name") });
  await refuseLast(session, kind, { id: present, parentId });
  await deleteAndWait(session.context, { kind, id: present, parentId });
}

/**
 * Refuses to delete by name alone a resource whose creation has an unknown outcome. Throws when a resource of that name
 * exists.
 */
async function refuseWhatAppeared(session: ProviderSession, place: Place): Promise<void> {
  const there = await lookByName(session.context, place);
  if (!there) return;
  throw new RefusedError(
    `there is a ${place.kind.name} "${there.name}" (${there.id}) now, which an earlier request has probably created; run \`pulumi refresh\` to add it to the state, then run \`pulumi up\` again`,
  );
}
