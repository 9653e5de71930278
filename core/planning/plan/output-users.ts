import { isOutputOf, partsTakingOutputs } from "../../model/kinds/index.ts";
import type { PartEntry } from "../../model/parts/index.ts";
import type { Action } from "./action.ts";
import { lossOfPart, ownerOf } from "./loss-of.ts";
import type { LostResource } from "./lost-resources.ts";
import { knownParts } from "./parts.ts";
import type { Planning } from "./planning.ts";
import type { ResourceIdentity } from "./inventory.ts";
import type { Loss } from "../../model/loss.ts";
import { updates } from "./action-types.ts";

/**
 * The aliases in other resources of outputs of a deleted resource, because the server deletes them too. Aliases that an
 * update removes are its own losses; aliases that it writes again are not lost.
 */
export function outputLosses(planning: Planning, lostResource: LostResource, users: OutputUsers): Loss[] {
  const { id, kind, name } = lostResource.identity;
  if (!kind) return [];
  return users.of(lostResource).flatMap((user) => {
    const entries = user.live ? knownParts(planning, user.live, partsTakingOutputs(user.live.kind)) : [];
    return entries
      .filter((entry) => isOutputOf(entry, { id, kind, name }) && !users.isChanged(user, entry))
      .map((entry) => lossOf(user, entry));
  });
}

/** The possible users of outputs of deleted resources. */
export interface OutputUsers {
  /** The siblings and the parent of a deleted resource, as far as they stay. */
  of(lostResource: LostResource): readonly ResourceIdentity[];
  isChanged(user: ResourceIdentity, entry: PartEntry): boolean;
}

/** Looks up each parent and each update once, for any number of deleted resources. */
export function outputUsers(lostResources: readonly LostResource[], actions: readonly Action[]): OutputUsers {
  const lost = new Set(lostResources.map(({ identity }) => identity.id));
  const staying = new Map<ResourceIdentity, readonly ResourceIdentity[]>();
  const updatesOf = Map.groupBy(actions.filter(updates), ({ resourceId }) => resourceId);
  return {
    of({ identity: { parent, kind } }) {
      if (!parent || kind?.outputs === undefined) return [];
      const stay = staying.get(parent) ?? [parent, ...parent.contents].filter(({ id }) => !lost.has(id));
      staying.set(parent, stay);
      return stay;
    },
    isChanged: ({ id }, { part, key }) =>
      (updatesOf.get(id) ?? []).some(({ changes }) =>
        changes.some(({ path: [member, changed] }) => member === part.member && changed === key),
      ),
  };
}

function lossOf(user: ResourceIdentity, entry: PartEntry): Loss {
  const names = [...(user.names[0] ?? []).slice(0, -1), user.documents[0]?.name ?? user.name];
  return lossOfPart(entry, ownerOf(user, names), { name: `${user.name}: ${entry.key}` });
}
