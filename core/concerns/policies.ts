import {
  addressKey,
  type Address,
  type AnyAddress,
  formatAddress,
  nameOf,
  parentAddress,
} from "../address.ts";
import { formatPath } from "../fields/compare.ts";
import { type Fields, isFields } from "../json.ts";
import type { Kind } from "../kinds/index.ts";
import type { Action } from "../plan/action.ts";
import { deletes, deploys, isChange, isReplacement, makes } from "../plan/action-types.ts";
import { addressBy, type Identity, type Inventory } from "../plan/inventory.ts";
import type { LostResource } from "../plan/lost-resources.ts";
import type { Concern, Whole } from "../plan/planning.ts";
import { type PolicyAction, type PolicyInput, seenByPolicies, verdictsOn } from "../policies/index.ts";
import type { Problem } from "../problem.ts";
import { bothAddresses } from "./consented.ts";

/** Changes that the policies of the settings forbid, mention, or want a person to approve. */
export const policies: Concern = { name: "policies", guard: problemsOfPolicies };

/** A change that policies judge. */
interface Change {
  action: PolicyAction;
  address: AnyAddress;
  /** Undefined for a service whose type has no kind: its fields are unknown. */
  kind: Kind | undefined;
  /** The resource and all that it is in, by each of their addresses. */
  places: readonly AnyAddress[];
  before: Fields;
  after: Fields;
  changed: readonly (readonly string[])[];
  /** The resource with whose action it comes or goes; absent: it has its own. */
  along?: Address;
}

function problemsOfPolicies(whole: Whole): Problem[] {
  const { policy, findings } = whole.planning;
  const stated = policy.policies ?? [];
  if (stated.length === 0) return [];
  return changesIn(whole).flatMap((change) =>
    verdictsOn(stated, subjectOf(change)).flatMap(({ policy: { name }, effect, message }): Problem[] => {
      const { along } = change;
      const title = `${formatAddress(change.address)}${along ? `, with ${formatAddress(along)}` : ""}`;
      const says = `${title}: policy ${name}: ${message}`;
      if (effect === "warn") {
        findings.note({ code: "policy", message: says });
        return [];
      }
      const problem = {
        code: "policy",
        message: says,
        address: formatAddress(along ?? change.address),
      } as const;
      return effect === "approve"
        ? [{ ...problem, remedies: [{ consent: "policy", name }] }]
        : [{ ...problem, advice: "undo the change, or make it fit the policy" }];
    }),
  );
}

/** Every change of a plan, also of resources that come or go with another one. */
function changesIn({ planning: { inventory }, actions, lostResources }: Whole): Change[] {
  const acting = actions.filter(isChange);
  const own = new Set(acting.map(({ address }) => addressKey(address)));
  return [
    ...acting.map((action) => changeBy(inventory, action)),
    ...lostResources.flatMap((lost) => (lost.own ? [] : [goingAlong(lost)])),
    ...acting.flatMap((action) => comingAlong(inventory, action, own)),
  ];
}

function changeBy(inventory: Inventory, action: Action): Change {
  const { address, type, resourceId, expected, changes } = action;
  const identity = resourceId === undefined ? undefined : inventory.byId.get(resourceId);
  const { liveAddress } = bothAddresses(inventory, action);
  const before = identity?.live?.fields ?? {};
  const isGone = deletes(action) && !makes(action);
  const after = isGone ? {} : deploys(action) ? before : expected;
  return {
    action: type as PolicyAction,
    address,
    kind: address.kind,
    places: [address, ...(liveAddress ? [{ ...address, names: liveAddress.names }] : [])].flatMap(
      withParents,
    ),
    before,
    after,
    changed: makes(action) ? pathsIn(after) : changes.map(({ path }) => withoutElements(path)),
  };
}

/** The resources that cease to exist with one around them. */
function goingAlong({ identity, names, cause }: LostResource): Change {
  return {
    action: "delete",
    address: addressBy(identity, names),
    kind: identity.kind,
    places: [...identity.names, names].flatMap((each) => placesOf(identity, each)),
    before: identity.live?.fields ?? {},
    after: {},
    changed: [],
    along: cause.address,
  };
}

/** The copies that a clone brings without an action of their own. */
function comingAlong(inventory: Inventory, action: Action, own: ReadonlySet<string>): Change[] {
  const { source, address } = action;
  const identity = makes(action) && source && "id" in source ? inventory.byId.get(source.id) : undefined;
  return (identity?.contents ?? []).flatMap(({ kind, live, name }): Change[] => {
    const copy = kind && { kind, names: [...address.names, name] };
    if (!copy || !live || kind.use === "data" || own.has(addressKey(copy))) return [];
    const [before, after] = [{}, live.fields];
    const changed = pathsIn(after);
    return [
      {
        action: "clone",
        address: copy,
        kind,
        places: withParents(copy),
        before,
        after,
        changed,
        along: address,
      },
    ];
  });
}

function subjectOf({ action, address, kind, places, before, after, changed }: Change) {
  let made: PolicyInput | undefined;
  const seen = (fields: Fields, is: boolean) => (kind && is ? seenByPolicies(kind, fields) : {});
  const type = { type: action };
  return {
    slug: address.kind.slug,
    does: isReplacement(type) ? [action, "delete" as const] : [action],
    places,
    changed,
    input: () =>
      (made ??= {
        action,
        kind: address.kind.name,
        address: formatAddress(address),
        name: nameOf(address),
        names: address.names,
        before: seen(before, !makes(type) || deletes(type)),
        after: seen(after, !deletes(type) || makes(type)),
        changes: changed.map((path) => formatPath(path)),
      }),
  };
}

/** An address, and the addresses of its parents. */
function withParents(address: Address): Address[] {
  const parent = parentAddress(address);
  return [address, ...(parent ? withParents(parent) : [])];
}

/** The same of a live resource, which may have no kind. */
function placesOf(identity: Identity, names: readonly string[]): AnyAddress[] {
  const { parent } = identity;
  return [addressBy(identity, names), ...(parent ? placesOf(parent, names.slice(0, -1)) : [])];
}

/** The paths of all values that are not objects. */
function pathsIn(fields: Fields): string[][] {
  return Object.entries(fields).flatMap(([member, value]) =>
    isFields(value) && Object.keys(value).length > 0
      ? pathsIn(value).map((path) => [member, ...path])
      : [[member]],
  );
}

/** A path without keys of elements: a change of `ports[8080/HTTP].name` is one of `ports`. */
function withoutElements(path: readonly string[]): string[] {
  const first = path.findIndex((part) => part.startsWith("["));
  return first === -1 ? [...path] : path.slice(0, first);
}
