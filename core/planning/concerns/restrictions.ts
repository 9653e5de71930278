import { parseAddress, type AnyAddress } from "../../model/addresses/address.ts";
import { isOnDemand } from "../../state/live/index.ts";
import { unreadIn } from "../plan/live-state.ts";
import { addressBy } from "../plan/inventory.ts";
import type { Concern, Planning, Whole } from "../plan/planning.ts";
import { restrictionsOf } from "../plan/policy.ts";
import { idleRestrictions, type Restriction } from "../../model/addresses/restriction.ts";

/** Notes restrictions that match nothing. They forbid no plan. */
function noteIdle({ planning }: Whole): [] {
  const { policy, findings } = planning;
  const all = restrictionsOf(policy);
  if (all.length === 0) return [];
  const known = {
    addresses: [...knownAddresses(planning)],
    isLive: true,
    now: planning.live.now,
    mayMatchMore: (restriction: Restriction) => mayMatchUnread(planning, restriction),
  };
  for (const note of idleRestrictions(all, known)) findings.note(note);
  return [];
}

/** The addresses of declared and of known live resources. */
export function* knownAddresses({ resources, inventory, policy }: Planning): Generator<AnyAddress> {
  for (const { address } of resources) yield address;
  for (const identity of inventory.byId.values())
    for (const names of identity.names) yield addressBy(identity, names);
  for (const { text } of policy.elsewhere ?? []) {
    const address = parseAddress(text);
    if (address) yield address;
  }
}

/** Whether an unread list may contain a resource to which a restriction applies. */
export function mayMatchUnread({ live, inventory }: Planning, restriction: Restriction): boolean {
  const { readsInside, namesKind } = restriction;
  if (!readsInside) return false;
  const counts = (kinds: ReturnType<typeof unreadIn>) =>
    kinds.some((kind) => !isOnDemand(kind) || namesKind?.(kind) === true);
  if (counts(unreadIn(live, undefined, live.organization.id))) return true;
  return [...inventory.byId.values()].some(
    ({ live: resource, names: [names = []] }) =>
      resource !== undefined && readsInside(names) && counts(unreadIn(live, resource.kind, resource.id)),
  );
}

/** Restrictions that match nothing. */
export const restrictions: Concern = {
  name: "restrictions",
  programs: "a program declares one resource at a time, so settings cannot be compared with all resources",
  guard: noteIdle,
};
