import { formatPath } from "../../model/fields/compare.ts";
import { heldIn } from "../../model/fields/losses.ts";
import { isFields } from "../../values/json.ts";
import { unknownMembers } from "../../model/kinds/index.ts";
import { lostParts } from "../../model/parts/index.ts";
import { type Action, type LiveDeletion } from "./action.ts";
import { type LostResource, liveAddressOf } from "./lost-resources.ts";
import type { ResourceIdentity } from "./inventory.ts";
import { type Loss, lossOfField } from "../../model/loss.ts";
import { lossOfPart, lossOfResource, lossOfUnknown, ownerOf } from "./loss-of.ts";
import { outputLosses, outputUsers } from "./output-users.ts";
import { knownParts } from "./parts.ts";
import type { Planning } from "./planning.ts";
import { isReplacement } from "./action-types.ts";

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
  const inside = nameInside(lostResource, cause);
  const named = (key: string) => [inside, key].filter((each) => each !== "").join(": ");
  const owner = ownerOf(identity, names);
  const again =
    lostResource === cause && cause.own && isReplacement(cause.own) ? cause.own.expected : undefined;
  // A replacement begins with new, empty data, and writes the secrets that have a source.
  const kept = new Set(
    heldIn(kind.fields, again).flatMap(({ sort, path }) => (sort === "value" ? [formatPath(path)] : [])),
  );
  const parts = knownParts(planning, resource, lostParts(kind)).filter(({ isOwn }) => isOwn);
  return [
    ...parts.map((entry) => {
      const entries = again?.[entry.part.member];
      const described = isFields(entries) && Object.hasOwn(entries, entry.key);
      return lossOfPart(entry, owner, { name: named(entry.key), described });
    }),
    ...heldIn(kind.fields, resource.fields).map((held) => {
      const described = held.sort === "value" && kept.has(formatPath(held.path));
      return lossOfField(held, owner, { name: named(held.key), described });
    }),
    ...(again
      ? unknownMembers(kind, resource.response, again).map((each) => lossOfUnknown(each, owner, named))
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
