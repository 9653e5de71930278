import { addressKey, type AnyAddress } from "../address.ts";
import type { Action, DeleteAction, Loss, ReplaceAction } from "./action.ts";
import { dataIn } from "../fields/data-losses.ts";
import { isFields } from "../json.ts";
import type { Kind } from "../kinds/index.ts";
import { type Part, partsIn } from "../parts/index.ts";
import { addressBy, type Inventory, type Identity } from "./inventory.ts";
import type { Findings } from "./findings.ts";
import { type LiveState, unreadIn } from "./given.ts";

/** An action that deletes data for good. */
export type Destructive = ReplaceAction | DeleteAction;

/** A live resource that ceases to exist when the plan is carried out. */
export interface Departure {
  identity: Identity;
  /** The action on this very resource; undefined: it is only deleted with its parent. */
  own: Destructive | undefined;
  /** The action that deletes it: its own, or else that of its nearest ancestor with one. */
  cause: Destructive;
  /** Its names from the project down, as the plan has them. */
  names: readonly string[];
}

export function isDestructive(action: Action): action is Destructive {
  return action.type === "replace" || action.type === "delete";
}

/**
 * Every resource that ceases to exist on the server because of a plan: those that it deletes or replaces and, all
 * levels deep, their contents, by live id, whether or not a document or a target mentions them. Only this function
 * decides which resources are deleted; the lists and counts of the plan, the consents and the protections all use its
 * result.
 */
export function departuresOf(inventory: Inventory, actions: readonly Action[]): Departure[] {
  const destructive = new Map(actions.filter(isDestructive).map((action) => [action.resourceId, action]));
  const departures: Departure[] = [];
  const visit = (
    identity: Identity,
    cause: Destructive | undefined,
    parentNames: readonly string[],
  ): void => {
    const own = destructive.get(identity.id);
    const nearest = own ?? cause;
    const names = own?.address.names ?? [...parentNames, identity.name];
    if (nearest && (own || !comesByItself(identity)))
      departures.push({ identity, own, cause: nearest, names });
    for (const inner of identity.contents) visit(inner, nearest, names);
  };
  for (const root of inventory.roots) visit(root, undefined, []);
  return departures;
}

/** Whether a resource is one that the server makes with its parent, and that no document protects. */
function comesByItself({ kind, name, documents }: Identity): boolean {
  return (
    kind?.comesWithParent?.(name) !== undefined && !documents.some(({ manage }) => manage.protect === true)
  );
}

/** Asks for what has to be read before all deletions are known: the contents and the parts of what is deleted. */
export function needInside(findings: Findings, live: LiveState, departures: readonly Departure[]): void {
  for (const { identity } of departures) {
    const resource = identity.live;
    if (!resource) continue;
    for (const kind of unreadIn(live, resource.kind, resource.id))
      findings.needList(kind, resource.id, resource);
    const parts = lostParts(resource.kind);
    if (!partsIn(live.parts, resource, parts)) findings.needParts(resource, parts);
  }
}

/** The actions, each with everything that is deleted with its resource, by id and by name. */
export function withLosses(
  actions: readonly Action[],
  departures: readonly Departure[],
  live: LiveState,
): Action[] {
  const byCause = Map.groupBy(departures, ({ cause }) => cause);
  const byId = new Map(departures.map((departure) => [departure.identity.id, departure]));
  return actions.map((action) => {
    const departure = isDestructive(action) ? byId.get(action.resourceId) : undefined;
    if (!departure || !isDestructive(action)) return action;
    const along = (byCause.get(action) ?? []).filter((each) => !each.own);
    const again =
      action.type === "replace"
        ? departures.filter((each) => each.own?.type === "replace" && each.own.alongWith === action.id)
        : [];
    const parts = [
      ...partsOf(departure, departure, live).map((loss) => ({
        ...loss,
        described: isMadeAgain(action, loss),
      })),
      ...along.flatMap((each) => partsOf(each, departure, live)),
    ].map(({ member: _member, ...loss }) => loss);
    return {
      ...action,
      ...liveAddressOf(departure),
      losses: [
        ...again.map((each) => lossOf(each, departure, true)),
        ...along.map((each) => lossOf(each, departure, false)),
        ...parts,
      ],
      contentIds: idsInside(departure.identity),
    };
  });
}

function lossOf(departure: Departure, cause: Departure, described: boolean): Loss {
  const { identity, names } = departure;
  return {
    what: identity.what,
    name: relativeName(departure, cause),
    address: addressBy(identity, names),
    ...liveAddressOf(departure),
    id: identity.id,
    described,
  };
}

/** The parts and the data of a resource that is deleted. */
function partsOf(departure: Departure, cause: Departure, live: LiveState): (Loss & { member?: string })[] {
  const { id, kind, live: resource } = departure.identity;
  const listed = resource && kind && partsIn(live.parts, resource, lostParts(kind));
  const parts = (listed ?? []).filter(({ isOwn }) => isOwn);
  const data = kind && resource ? dataIn(kind.fields, resource.fields) : [];
  const before = departure === cause ? "" : `${relativeName(departure, cause)}: `;
  const own = {
    owner: { id, address: addressBy(departure.identity, departure.names), ...liveAddressOf(departure) },
    described: false,
  };
  return [
    ...parts.map(({ part, key }) => ({
      what: part.name,
      name: `${before}${key}`,
      ...own,
      member: part.member,
    })),
    ...data.map(({ sort, key }) => ({ what: sort, name: `${before}${key}`, ...own })),
  ];
}

/** The parts of a kind that a deletion loses. */
function lostParts({ parts }: Kind): Part[] {
  return parts.filter(({ isConfiguration }) => !isConfiguration);
}

/** Whether a replacement writes this part of the resource again. */
function isMadeAgain(action: Destructive, { member, name }: { member?: string; name: string }): boolean {
  // A replacement begins with new, empty data.
  const again = action.type === "replace" && member !== undefined ? action.expected[member] : undefined;
  return isFields(again) && Object.hasOwn(again, name);
}

/** The name below the deleted parent: `staging/migrate` of a service that is deleted with its project. */
function relativeName({ names }: Departure, cause: Departure): string {
  return names.slice(cause.names.length).join("/");
}

/** The present address of a resource that the plan renames. */
export function liveAddressOf({ identity, names }: Departure): { liveAddress?: AnyAddress } {
  const liveAddress = addressBy(identity, identity.names[0] ?? []);
  return addressKey(liveAddress) === addressKey(addressBy(identity, names)) ? {} : { liveAddress };
}

/** The ids of all that a live resource contains, all levels deep. */
function idsInside({ contents }: Identity): string[] {
  return contents.flatMap((inner) => [inner.id, ...idsInside(inner)]);
}
