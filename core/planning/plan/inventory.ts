import {
  type Address,
  addressKey,
  type AnyAddress,
  foreignAddress,
  formatReference,
} from "../../model/addresses/address.ts";
import { type DesiredResource, formerAddress } from "../../manifests/manifest/index.ts";
import { once } from "../../values/json.ts";
import type { Kind } from "../../model/kinds/index.ts";
import type { Contents, LiveResource } from "../../state/live/index.ts";
import { contentsIn, contentsOfOrganization, type LiveState } from "./live-state.ts";

/** A live resource with all its names: those on the server, those in documents, and any mix of both. */
export interface ResourceIdentity {
  id: string;
  /** Undefined for a service of a type without a kind. */
  kind: Kind | undefined;
  /** As in addresses: `job`, `database`. */
  what: string;
  name: string;
  parent: ResourceIdentity | undefined;
  live: LiveResource | undefined;
  /** Its possible names, each from the project down to its own. The names on the server come first. */
  names: readonly (readonly string[])[];
  /** The documents that describe it or may describe it: by its id, its name, or its former name. */
  documents: readonly DesiredResource[];
  /** Its contents, as far as they have been read. */
  contents: readonly ResourceIdentity[];
  /** Whether it may contain services of types that infrasync does not know, and that the server does not list. */
  mayContainMore: boolean;
}

/** All that is known of the server, by id. */
export interface Inventory {
  roots: readonly ResourceIdentity[];
  byId: ReadonlyMap<string, ResourceIdentity>;
  /** The document that describes an address; undefined if none does. */
  documentOf(address: Address): DesiredResource | undefined;
}

/** Matches live resources with documents, all levels deep, as far as the resources have been read. */
export function takeInventory(live: LiveState, resources: readonly DesiredResource[]): Inventory {
  const described = describedBy(resources);
  const byId = new Map<string, ResourceIdentity>();

  const meet = (
    entry: Pick<ResourceIdentity, "id" | "kind" | "what" | "name" | "live">,
    parent: ResourceIdentity | undefined,
  ): ResourceIdentity => {
    const { id, kind, name } = entry;
    const parentNames = parent ? parent.names : [[]];
    const documents = kind
      ? unique([
          ...parentNames.flatMap((names) =>
            described.byAddress(addressKey({ kind, names: [...names, name] })),
          ),
          ...described.byId(id).filter(({ address }) => address.kind === kind),
        ])
      : [];
    const ownNames = unique([name, ...documents.map((document) => document.name)]);
    const inside = entry.live && contentsIn(live, entry.live);
    const contents: ResourceIdentity[] = [];
    const identity: ResourceIdentity = {
      ...entry,
      parent,
      documents,
      names: distinct([
        ...parentNames.flatMap((names) => ownNames.map((own) => [...names, own])),
        ...documents.map(({ address }) => [...address.names]),
      ]),
      contents,
      mayContainMore: inside?.isPartial === true,
    };
    byId.set(id, identity);
    contents.push(...visit(inside, identity));
    return identity;
  };
  const visit = (inside: Contents | undefined, parent: ResourceIdentity | undefined): ResourceIdentity[] => [
    ...(inside?.resources ?? [])
      .filter(isDescribable)
      .map((node) =>
        meet({ id: node.id, kind: node.kind, what: node.kind.slug, name: node.name, live: node }, parent),
      ),
    ...(inside?.unknown ?? []).map(({ id, type, name }) =>
      meet({ id, kind: undefined, what: type.toLowerCase(), name, live: undefined }, parent),
    ),
  ];

  return {
    roots: visit(contentsOfOrganization(live), undefined),
    byId,
    documentOf: (address) => described.documents.get(addressKey(address)),
  };
}

/** What a document that describes a resource is around: the settings of the organization stand for the organization. */
export function contentsOf(
  { roots }: Inventory,
  { kind, contents }: ResourceIdentity,
): readonly ResourceIdentity[] {
  return kind?.use === "settings" ? roots.filter((each) => each.kind?.use === undefined) : contents;
}

/** An entry that fields only name may be in another list too, where it can be described. */
function isDescribable({ kind }: LiveResource): boolean {
  return kind.use !== "reference";
}

/** The address of a resource by some of its names, whether its type has a kind or not. */
export function addressBy({ kind, what }: ResourceIdentity, names: readonly string[]): AnyAddress {
  return kind ? { kind, names } : foreignAddress(what, names);
}

/** Every address of a resource; none for a type without a kind. */
export function addressesOf({ kind, names }: ResourceIdentity): Address[] {
  return kind ? names.map((each) => ({ kind, names: each })) : [];
}

/**
 * The documents by the address, the former address and the id of the resource that they describe; found once for all passes
 * of a plan, which have the same documents.
 */
const describedBy = once((resources: readonly DesiredResource[]) => {
  const documents = new Map<string, DesiredResource>();
  const former = new Map<string, DesiredResource[]>();
  const pinned = new Map<string, DesiredResource[]>();
  for (const desired of resources) {
    const { address, manage } = desired;
    documents.set(addressKey(address), desired);
    if (manage.id !== undefined) add(pinned, manage.id.toLowerCase(), desired);
    const before = formerAddress(desired);
    if (before) add(former, addressKey(before), desired);
  }
  return {
    documents,
    byId: (id: string) => pinned.get(id.toLowerCase()) ?? [],
    byAddress(key: string) {
      const document = documents.get(key);
      return [...(document ? [document] : []), ...(former.get(key) ?? [])];
    },
  };
});

function add(lists: Map<string, DesiredResource[]>, key: string, desired: DesiredResource): void {
  const list = lists.get(key);
  if (list) list.push(desired);
  else lists.set(key, [desired]);
}

function unique<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}

function distinct(lists: readonly (readonly string[])[]): (readonly string[])[] {
  return [...new Map(lists.map((names) => [formatReference(names), names])).values()];
}
