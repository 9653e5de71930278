import { article } from "../../core/values/text.ts";
import { type Kind, kinds } from "../../core/model/kinds/index.ts";
import { limited, readByName, type ResourcePlace } from "../../core/operations/index.ts";
import { RefusedError } from "./errors.ts";
import { movedClaims } from "../../core/rules/claims.ts";
import { carryOut } from "./gate.ts";
import { fieldsAmong, isCreated, type Properties } from "./inputs.ts";
import { digestOf, placeKey } from "./ledger.ts";
import { parentProperty, placeIn, recall } from "./outputs.ts";
import { presentId } from "./live.ts";
import { deletionOf } from "./plan-request.ts";
import type { CallOptions } from "./program-resource.ts";
import { checkSuccessors, refuseLeaving } from "./replacements.ts";
import type { ProviderSession } from "./session.ts";

/**
 * Deletes a resource and waits until it does not exist; success if it did not exist. Two sorts of resources only lose
 * their old entry in the state: those that another resource of the program has adopted in this pass or in an unfinished
 * one, and those whose creation has an unknown outcome and is retried. A resource with contents is deleted only with
 * `deleteContents`.
 */
export async function remove(
  session: ProviderSession,
  kind: Kind,
  id: string,
  olds: Properties,
  options: CallOptions,
): Promise<void> {
  const { ledger } = session;
  session.started.settle(placeIn(kind, olds));
  refuseBlind(session);
  if (ledger.isHeld(id, options.resource, digestOf(olds)) || !isCreated(kind)) return;
  await refuseLeaving(session, id);
  ledger.record({ did: "deleting", id });
  try {
    await removeLive(session, kind, id, olds, options);
  } finally {
    ledger.record({ did: "counted", id });
  }
}

async function removeLive(
  session: ProviderSession,
  kind: Kind,
  id: string,
  olds: Properties,
  { resource, limit }: CallOptions,
): Promise<void> {
  const { ledger, run } = session;
  const { name, ...declared } = placeIn(kind, olds);
  const parentId = await session.parentIdOf(declared.parentId);
  // The engine does not ask about a resource that the user replaces, but checks it.
  const made = ledger.isReplaced(id) ? undefined : ledger.remade(resource);
  if (made) {
    const from = placeKey({ kind, parentId, name: name ?? "" });
    const isMoved = placeKey({ kind, parentId: made.parentId ?? parentId, name: made.name }) !== from;
    ledger.replace({ id, from, kind, olds, declared: made, resource, isMoved, isSure: true });
  }
  if (ledger.isReplaced(id)) await checkSuccessors(session, id);
  if (recall(olds).isUnclear) {
    const place = { kind, parentId, name: name ?? "" };
    return ledger.isAt(place, "retried") ? undefined : refuseWhatAppeared(session, place);
  }
  const present = await presentId(session, kind, { id, parentId, name });
  const state = { ...olds, [parentProperty(kind)]: parentId };
  // Another process may have checked the new one.
  const isReplaced = ledger.isReplaced(id) || ledger.hasClaim(resource);
  const question = await deletionOf(session, kind, present, state, isReplaced);
  try {
    await carryOut(session, { question, purpose: "losses" }, limited(run, limit));
    const { lost } = movedClaims(kind, fieldsAmong(kind, olds), {});
    for (const place of [...lost, placeKey({ kind, parentId, name: name ?? "" })])
      ledger.record({ did: "freed", place });
  } catch (error) {
    if (!(error instanceof RefusedError) || kinds.every(({ parent }) => parent !== kind)) throw error;
    throw new RefusedError(
      `${error.message}; if others have the option \`deletedWith\` for it, or \`retainOnDelete\`, Pulumi has removed them from its state already: \`INFRASYNC_ADOPT=true pulumi up\` adds them again`,
    );
  }
}

/** @throws RefusedError where the other processes of this run are invisible: one of them may have the resource */
function refuseBlind({ ledger }: ProviderSession): void {
  if (!ledger.isWhole)
    throw new RefusedError(
      "nothing is deleted, because the processes of the provider need a common folder that only this user can write, without a damaged file; set INFRASYNC_CACHE to one",
    );
}

/** Refuses to delete, by name alone, an existing resource whose creation has an unknown outcome. */
async function refuseWhatAppeared(session: ProviderSession, place: ResourcePlace): Promise<void> {
  const there = await readByName(session.run, place);
  if (!there) return;
  throw new RefusedError(
    `there is ${article(place.kind.name)} "${there.name}" (${there.id}) now, which an earlier request has probably created; run \`pulumi refresh\` to add it to the state, then run \`pulumi up\` again`,
  );
}
