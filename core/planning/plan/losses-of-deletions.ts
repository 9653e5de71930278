import { formatPath } from "../../model/fields/compare.ts";
import { lossesIn } from "../../model/fields/losses.ts";
import { isFields } from "../../values/json.ts";
import { unknownMembers, isOutputOf, partsTakingOutputs } from "../../model/kinds/index.ts";
import { lostParts, type PartEntry } from "../../model/parts/index.ts";
import type { Action, LiveDeletion } from "./action.ts";
import { type LostResource, liveAddressOf } from "./lost-resources.ts";
import type { ResourceIdentity } from "./inventory.ts";
import { type Loss, lossOfField } from "../../model/loss.ts";
import { lossOfPart, lossOfResource, lossOfUnknown, ownerOf } from "./loss-of.ts";
import { knownParts } from "./parts.ts";
import type { Planning } from "./planning.ts";
import { isReplacement, updates } from "./action-types.ts";

/** The members of a deletion or a replacement that describe its losses. */
export type LossesOfDeletion = Partial<Pick<LiveDeletion, "liveAddress" | "losses" | "contentIds">>;

/** All losses of each deletion and replacement, by id and name. */
export function lossesOfDeletions(
  planning: Planning,
  lostResources: readonly LostResource[],
  actions: readonly Action[],
): ReadonlyMap<LiveDeletion, LossesOfDeletion> {
  const byCause = Map.groupBy(lostResources, ({ cause }) => cause);
  const replacedBy = Map.groupBy(lostResources, ({ own }) =>
    own && isReplacement(own) ? own.carriedOutBy : undefined,
  );
  const users = outputUsers(lostResources, actions);
  return new Map(
    lostResources.flatMap((lostResource): [LiveDeletion, LossesOfDeletion][] => {
      const { own: action } = lostResource;
      if (!action) return [];
      const along = (byCause.get(action) ?? []).filter((each) => !each.own);
      const again = replacedBy.get(action.id) ?? [];
      const found: LossesOfDeletion = {
        ...liveAddressOf(lostResource.identity, lostResource.names),
        losses: [
          ...again.map((each) => lossOfResource(each, nameInside(each, lostResource), true)),
          ...along.map((each) => lossOfResource(each, nameInside(each, lostResource), false)),
          ...[lostResource, ...along].flatMap((each) => lossesInside(planning, each, lostResource)),
          ...[lostResource, ...along].flatMap((each) => outputLosses(planning, each, users)),
        ],
        contentIds: idsInside(lostResource.identity),
      };
      return [[action, found]];
    }),
  );
}

function lossesInside(planning: Planning, lostResource: LostResource, cause: LostResource): Loss[] {
  const { identity, names } = lostResource;
  const { kind, live: resource } = identity;
  if (!kind || !resource) return [];
  planning.findings.needInside(planning.live, resource);
  const of = nameInside(lostResource, cause) || undefined;
  const owner = ownerOf(identity, names);
  const again =
    lostResource === cause && cause.own && isReplacement(cause.own) ? cause.own.expected : undefined;
  // A replacement begins with new, empty data, and writes the secrets that have a source.
  const remaining = new Set(
    lossesIn(kind.fields, again).flatMap(({ sort, path }) => (sort === "value" ? [formatPath(path)] : [])),
  );
  const parts = knownParts(planning, resource, lostParts(kind)).filter(({ isOwn }) => isOwn);
  return [
    ...parts.map((entry) => {
      const entries = again?.[entry.part.member];
      const recreated = isFields(entries) && Object.hasOwn(entries, entry.key);
      return lossOfPart(entry, owner, { name: entry.key, of, recreated });
    }),
    ...lossesIn(kind.fields, resource.fields).map((loss) => {
      const recreated = loss.sort === "value" && remaining.has(formatPath(loss.path));
      return lossOfField(loss, owner, { of, recreated });
    }),
    ...(again
      ? unknownMembers(kind, resource.response, again).map((each) => lossOfUnknown(each, owner, of))
      : []),
  ];
}

/** The name of a resource, relative to the one whose deletion deletes it. */
function nameInside({ names }: LostResource, cause: LostResource): string {
  return names.slice(cause.names.length).join("/");
}

function idsInside({ contents }: ResourceIdentity): string[] {
  return contents.flatMap((inner) => [inner.id, ...idsInside(inner)]);
}

/** The aliases of outputs of a deleted resource, which the server deletes too, unless an update rewrites or removes them. */
function outputLosses(planning: Planning, lostResource: LostResource, users: OutputUsers): Loss[] {
  const { id, kind, name } = lostResource.identity;
  if (!kind) return [];
  return users.of(lostResource).flatMap((user) => {
    const entries = user.live ? knownParts(planning, user.live, partsTakingOutputs(user.live.kind)) : [];
    return entries
      .filter((entry) => isOutputOf(entry, { id, kind, name }) && !users.isChanged(user, entry))
      .map((entry) => lossOf(user, entry));
  });
}

interface OutputUsers {
  /** The siblings and the parent of a deleted resource, as far as they stay. */
  of(lostResource: LostResource): readonly ResourceIdentity[];
  isChanged(user: ResourceIdentity, entry: PartEntry): boolean;
}

/** Looks up each parent and each update once, for any number of deleted resources. */
function outputUsers(lostResources: readonly LostResource[], actions: readonly Action[]): OutputUsers {
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
  return lossOfPart(entry, ownerOf(user, names), { name: entry.key, of: user.name });
}
