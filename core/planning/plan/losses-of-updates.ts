import { lostBy } from "../../model/fields/losses.ts";
import type { UnknownMember } from "../../model/fields/unknown-members.ts";
import { type Fields, isFields, own } from "../../values/json.ts";
import { unknownMembers } from "../../model/kinds/index.ts";
import { isOnDemand } from "../../state/live/index.ts";
import {
  dependentsOf,
  type PartEntry,
  partsIn,
  type DeclaredPart,
  declaredParts,
} from "../../model/parts/index.ts";
import type { LiveUpdate } from "./action.ts";
import { lossOfPart, lossOfUnknown, ownerOf } from "./loss-of.ts";
import type { LostResource } from "./lost-resources.ts";
import type { LiveState } from "./live-state.ts";
import type { ResourceIdentity } from "./inventory.ts";
import { knownParts } from "./parts.ts";
import type { Planning } from "./planning.ts";
import { type Loss, lossOfField } from "../../model/loss.ts";

/** The losses of resources that stay: parts, also those that the server deletes with them, data, and secrets. */
export function lossesOfUpdate(
  planning: Planning,
  action: LiveUpdate,
  lostResources: readonly LostResource[],
): Loss[] {
  const { address, resourceId } = action;
  const { live, inventory } = planning;
  const identity = inventory.byId.get(resourceId);
  if (!identity) return [];
  const owner = ownerOf(identity, address.names);
  const lost = new Set(lostResources.map((lostResource) => lostResource.identity.id));
  return [
    ...removedParts(action).map(({ part, key }) => {
      const entry = entryOf(live, identity, part, key) ?? { part, isReadable: !part.form.isWriteOnly };
      return lossOfPart(entry, owner, { name: key, path: [part.member, key] });
    }),
    ...lostBy(address.kind.fields, action.changes).map((each) =>
      lossOfField(each, owner, { path: each.path }),
    ),
    ...lostUnknown(action, identity).map((each) => lossOfUnknown(each, owner)),
    ...dependentsBelow(planning, action, identity).filter(({ owner: its }) => !lost.has(its?.id ?? "")),
  ];
}

/** Unknown members that an update does not send back, because their parent object is replaced. */
function lostUnknown(
  { address, changes, expected }: LiveUpdate,
  { live }: ResourceIdentity,
): UnknownMember[] {
  const { fields } = address.kind;
  if (!live || changes.every(({ path: [member = ""] }) => fields.properties?.[member]?.part)) return [];
  return unknownMembers(address.kind, live.response, expected).filter(({ place }) => !place);
}

function removedParts(action: LiveUpdate): { part: DeclaredPart; key: string }[] {
  const removable = declaredParts(action.address.kind).filter(({ form }) => !form.isPermanent);
  return removable.flatMap((part) => {
    const left = own(action.expected, part.member);
    const keys = action.changes.flatMap(({ path: [top, key], after }) =>
      top === part.member && key !== undefined && after === undefined && !isThere(left, key) ? [key] : [],
    );
    return [...new Set(keys)].map((key) => ({ part, key }));
  });
}

function isThere(entries: Fields[string] | undefined, key: string): boolean {
  return isFields(entries) && Object.hasOwn(entries, key);
}

/** Undefined: unknown. */
function entryOf(
  live: LiveState,
  identity: ResourceIdentity,
  part: DeclaredPart,
  key: string,
): PartEntry | undefined {
  const listed = identity.live && partsIn(live.parts, identity.live, [part]);
  return listed?.find((each) => each.isOwn && each.key === key);
}

/** The parts in the contents of a resource that the server deletes with removed parts of the resource. */
function dependentsBelow(planning: Planning, action: LiveUpdate, identity: ResourceIdentity): Loss[] {
  const removed = removedParts(action);
  if (!removed.some(({ part }) => part.form.goesWith)) return [];
  const { live, findings } = planning;
  const listed = (identity.live && partsIn(live.parts, identity.live, dependentParts(identity))) ?? [];
  // An entry that becomes another sort stays for its references.
  const stays = (key: string) =>
    declaredParts(action.address.kind).some(
      ({ member, form }) => form.goesWith && isThere(own(action.expected, member), key),
    );
  const gone = listed.filter(
    ({ part, key, isOwn }) =>
      isOwn && !stays(key) && removed.some((each) => each.key === key && each.part.member === part.member),
  );
  const owners = new Map<PartEntry, Loss>();
  const visit = (outer: ResourceIdentity, names: readonly string[]): void => {
    if (outer.live) findings.needInside(live, outer.live, (kind) => !isOnDemand(kind));
    for (const inner of outer.contents) {
      const innerNames = [...names, inner.documents[0]?.name ?? inner.name];
      const inside = innerNames.slice(action.address.names.length).join("/");
      const owner = ownerOf(inner, innerNames);
      for (const entry of inner.live ? knownParts(planning, inner.live, dependentParts(inner)) : [])
        if (entry.isOwn) owners.set(entry, lossOfPart(entry, owner, { name: entry.key, of: inside }));
      visit(inner, innerNames);
    }
  };
  visit(identity, action.address.names);
  const found = new Set(dependentsOf(gone, [...owners.keys()]));
  return [...owners].flatMap(([entry, loss]) => (found.has(entry) ? [loss] : []));
}

function dependentParts({ kind }: ResourceIdentity): DeclaredPart[] {
  return kind ? declaredParts(kind).filter(({ form }) => form.goesWith) : [];
}
