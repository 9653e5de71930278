import { formatPath } from "../fields/compare.ts";
import { heldIn } from "../fields/losses.ts";
import { isFields } from "../json.ts";
import { contentOf, lostParts, partsIn } from "../parts/index.ts";
import { type Action, type LiveAction } from "./action.ts";
import { type LostResource, liveAddressOf } from "./lost-resources.ts";
import type { Findings } from "./findings.ts";
import { type LiveState, unreadIn } from "./given.ts";
import { addressBy, type ResourceIdentity } from "./inventory.ts";
import type { Loss } from "../loss.ts";
import { outputLosses } from "./output-users.ts";
import { isReplacement } from "./action-types.ts";

/** Asks for the lists without which not all losses are known: the contents and the parts of deleted resources. */
export function needInside(
  findings: Findings,
  live: LiveState,
  lostResources: readonly LostResource[],
): void {
  for (const { identity } of lostResources) {
    const resource = identity.live;
    if (!resource) continue;
    for (const kind of unreadIn(live, resource.kind, resource.id))
      findings.needList(kind, resource.id, resource);
    const parts = lostParts(resource.kind);
    if (!partsIn(live.parts, resource, parts)) findings.needParts(resource, parts);
  }
}

/** The description of a deletion or a replacement: the resource, and everything that is deleted with it. */
export type LossesOfDeletion = Partial<Pick<LiveAction, "liveAddress" | "losses" | "contentIds">>;

/** Everything that is deleted with resources, by id and by name, for each action that deletes one. */
export function lossesOfDeletions(
  lostResources: readonly LostResource[],
  live: LiveState,
  actions: readonly Action[],
): ReadonlyMap<LiveAction, LossesOfDeletion> {
  const byCause = Map.groupBy(lostResources, ({ cause }) => cause);
  return new Map(
    lostResources.flatMap((lostResource): [LiveAction, LossesOfDeletion][] => {
      const { own: action } = lostResource;
      if (!action) return [];
      const along = (byCause.get(action) ?? []).filter((each) => !each.own);
      const again = lostResources.filter(
        ({ own }) => own && isReplacement(own) && own.carriedOutBy === action.id,
      );
      const found: LossesOfDeletion = {
        ...liveAddressOf(lostResource.identity, lostResource.names),
        losses: [
          ...again.map((each) => lossOf(each, lostResource, true)),
          ...along.map((each) => lossOf(each, lostResource, false)),
          ...[lostResource, ...along].flatMap((each) => lossesInside(each, lostResource, live)),
          ...[lostResource, ...along].flatMap((each) => outputLosses(each, lostResources, live, actions)),
        ],
        contentIds: idsInside(lostResource.identity),
      };
      return [[action, found]];
    }),
  );
}

function lossOf({ identity, names }: LostResource, cause: LostResource, described: boolean): Loss {
  return {
    sort: "resource",
    what: identity.what,
    name: names.slice(cause.names.length).join("/"),
    address: addressBy(identity, names),
    ...liveAddressOf(identity, names),
    id: identity.id,
    described,
    restorable: identity.kind?.use !== "data",
  };
}

/** The parts, the data and the secrets of a resource that is deleted. */
function lossesInside(lostResource: LostResource, cause: LostResource, live: LiveState): Loss[] {
  const { identity, names } = lostResource;
  const { id, kind, live: resource } = identity;
  if (!kind || !resource) return [];
  const inside = names.slice(cause.names.length).join("/");
  const named = (key: string) => [inside, key].filter((each) => each !== "").join(": ");
  const owner = { id, address: addressBy(identity, names), ...liveAddressOf(identity, names) };
  const again =
    lostResource === cause && cause.own && isReplacement(cause.own) ? cause.own.expected : undefined;
  // A replacement begins with new, empty data, and writes the secrets that it has a source of.
  const kept = new Set(
    heldIn(kind.fields, again).flatMap(({ sort, path }) => (sort === "value" ? [formatPath(path)] : [])),
  );
  const parts = (partsIn(live.parts, resource, lostParts(kind)) ?? []).filter(({ isOwn }) => isOwn);
  return [
    ...parts.map((entry): Loss => {
      const { part, key, isReadable } = entry;
      const entries = again?.[part.member];
      return {
        sort: "part",
        what: part.name,
        name: named(key),
        ...contentOf(entry, id),
        owner,
        described: isFields(entries) && Object.hasOwn(entries, key),
        restorable: isReadable,
      };
    }),
    ...heldIn(kind.fields, resource.fields).map(({ sort, what, key, path, extent }): Loss => ({
      sort,
      what,
      name: named(key),
      ...(extent !== undefined && { extent }),
      owner,
      described: sort === "value" && kept.has(formatPath(path)),
      restorable: false,
    })),
  ];
}

/** The ids of all that a live resource contains, all levels deep. */
function idsInside({ contents }: ResourceIdentity): string[] {
  return contents.flatMap((inner) => [inner.id, ...idsInside(inner)]);
}
