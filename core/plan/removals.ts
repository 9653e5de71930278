import { type AnyAddress, addressKey, formatAddress } from "../address.ts";
import { dataLossesIn } from "../fields/data-losses.ts";
import { dependentsOf, type PartEntry, partsIn, type StatedPart, statedParts } from "../parts/index.ts";
import type { Action, Loss, UpdateAction } from "./action.ts";
import type { Departure } from "./departures.ts";
import type { Findings } from "./findings.ts";
import { isOnDemand } from "../live/index.ts";
import { type LiveState, unreadIn } from "./given.ts";
import { addressBy, type Identity, type Inventory } from "./inventory.ts";
import { removedParts } from "./removed-parts.ts";

/** Something that an update takes from a resource that stays: a part, or an element of a field that holds data. */
export interface Removal {
  action: UpdateAction;
  /** The resource that loses it; undefined: a copy that this plan makes. */
  identity: Identity | undefined;
  /** The address of that resource, with the names that the plan gives. */
  address: AnyAddress;
  /** What it is called: `variable`. */
  sort: string;
  key: string;
  /** Whether the changes of the action do not show what goes: the plan has to list it. */
  isLoss: boolean;
}

/**
 * Everything that updates take from resources that stay: the parts that they remove, the parts that the server deletes
 * with those, in the resource and all levels deep inside it, and data. Resources that the plan deletes are left out:
 * their parts belong to their own deletion.
 */
export function removalsOf(
  inventory: Inventory,
  live: LiveState,
  actions: readonly Action[],
  departures: readonly Departure[],
): Removal[] {
  const going = new Set(departures.map(({ identity }) => identity.id));
  return actions.flatMap((action): Removal[] => {
    if (action.type !== "update") return [];
    const { address, resourceId } = action;
    const identity = resourceId === undefined ? undefined : inventory.byId.get(resourceId);
    const own = { action, identity, address };
    // The copy of a volume is empty.
    const data = identity ? dataLossesIn(address.kind.fields, action.changes) : [];
    return [
      ...removedParts(action).map(({ sort, key }) => ({ ...own, sort, key, isLoss: false })),
      ...data.map((loss) => ({ ...own, ...loss, isLoss: true })),
      ...(identity ? dependentsBelow(action, identity, live) : []).filter(
        (removal) => !going.has(removal.identity?.id ?? ""),
      ),
    ];
  });
}

/** Asks for what has to be read before everything is known that goes with removed parts. */
export function needDependents(
  findings: Findings,
  inventory: Inventory,
  live: LiveState,
  actions: readonly Action[],
): void {
  const visit = (identity: Identity): void => {
    const resource = identity.live;
    if (!resource) return;
    for (const kind of unreadIn(live, resource.kind, resource.id))
      if (!isOnDemand(kind)) findings.needList(kind, resource.id, resource);
    for (const inner of identity.contents) {
      const parts = dependentParts(inner);
      if (inner.live && parts.length > 0 && !partsIn(live.parts, inner.live, parts))
        findings.needParts(inner.live, parts);
      visit(inner);
    }
  };
  for (const action of actions) {
    if (action.type !== "update" || action.resourceId === undefined) continue;
    const identity = inventory.byId.get(action.resourceId);
    if (identity && removedParts(action).some(({ part }) => part.form.goesWith)) visit(identity);
  }
}

/** The parts in the contents of a resource that the server deletes with those that an action removes from it. */
function dependentsBelow(action: UpdateAction, identity: Identity, live: LiveState): Removal[] {
  const removed = removedParts(action);
  if (!removed.some(({ part }) => part.form.goesWith)) return [];
  const listed = (identity.live && partsIn(live.parts, identity.live, dependentParts(identity))) ?? [];
  const gone = listed.filter(
    ({ part, key, isOwn }) =>
      isOwn && removed.some((each) => each.key === key && each.part.member === part.member),
  );
  const owners = new Map<PartEntry, { identity: Identity; address: AnyAddress }>();
  const visit = (outer: Identity, names: readonly string[]): void => {
    for (const inner of outer.contents) {
      const innerNames = [...names, inner.documents[0]?.name ?? inner.name];
      const address = addressBy(inner, innerNames);
      for (const entry of (inner.live && partsIn(live.parts, inner.live, dependentParts(inner))) ?? [])
        if (entry.isOwn) owners.set(entry, { identity: inner, address });
      visit(inner, innerNames);
    }
  };
  visit(identity, action.address.names);
  const found = new Set(dependentsOf(gone, [...owners.keys()]));
  return [...owners].flatMap(([entry, owner]) =>
    found.has(entry) ? [{ action, ...owner, sort: entry.part.name, key: entry.key, isLoss: true }] : [],
  );
}

/** The sorts of parts that the server may delete with other parts. */
function dependentParts({ kind }: Identity): StatedPart[] {
  return kind ? statedParts(kind).filter(({ form }) => form.goesWith) : [];
}

/** The actions, each update with what it deletes beside its changes. */
export function withRemovals(actions: readonly Action[], removals: readonly Removal[]): Action[] {
  const losses = Map.groupBy(
    removals.filter(({ isLoss }) => isLoss),
    ({ action }) => action,
  );
  return actions.map((action) => {
    const its = action.type === "update" ? losses.get(action) : undefined;
    return its ? { ...action, losses: its.map(lossOf) } : action;
  });
}

function lossOf({ action, identity, address, sort, key }: Removal): Loss {
  const inside = address.names.slice(action.address.names.length).join("/");
  const live = identity && addressBy(identity, identity.names[0] ?? []);
  const isRenamed = live && addressKey(live) !== addressKey(address);
  return {
    what: sort,
    name: inside === "" ? key : `${inside}: ${key}`,
    ...(identity && { owner: { id: identity.id, address, ...(isRenamed && { liveAddress: live }) } }),
    described: false,
  };
}

/** `the variable KEY of job:shop/staging/a`. */
export function titleOf({ sort, key, address }: Pick<Removal, "sort" | "key" | "address">): string {
  return `the ${sort} ${key} of ${formatAddress(address)}`;
}
