import {
  type Address,
  addressKey,
  type AnyAddress,
  foreignAddress,
  formatReference,
} from "../../model/addresses/address.ts";
import { type DesiredResource, formerAddress } from "../../manifests/manifest/index.ts";
import { distinctBy, once } from "../../values/json.ts";
import type { Kind } from "../../model/kinds/index.ts";
import type { Contents, LiveResource } from "../../state/live/index.ts";
import { contentsIn, contentsOfOrganization, type LiveState } from "./live-state.ts";

/** A live resource with all its names: live, declared, and mixtures of both. */
export interface ResourceIdentity {
  id: string;
  /** Undefined: a service of an unknown type. */
  kind: Kind | undefined;
  /** As in addresses: `job`, `database`. */
  what: string;
  name: string;
  parent: ResourceIdentity | undefined;
  live: LiveResource | undefined;
  /** From the project down. The live names come first. */
  names: readonly (readonly string[])[];
  /** The documents that declare it or may declare it: by id, name, or former name. */
  documents: readonly DesiredResource[];
  /** As far as they have been read. */
  contents: readonly ResourceIdentity[];
  /** Whether it may contain services of unknown types, which the server does not list. */
  mayContainMore: boolean;
}

/** All known live resources. */
export interface Inventory {
  roots: readonly ResourceIdentity[];
  byId: ReadonlyMap<string, ResourceIdentity>;
  /** Undefined: unmanaged. */
  documentOf(address: Address): DesiredResource | undefined;
}

/** Matches live resources with documents at all levels, as far as the resources have been read. */
export function takeInventory(live: LiveState, resources: readonly DesiredResource[]): Inventory {
  const declared = declaredBy(resources);
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
            declared.byAddress(addressKey({ kind, names: [...names, name] })),
          ),
          ...declared.byId(id).filter(({ address }) => address.kind === kind),
        ])
      : [];
    const ownNames = unique([name, ...documents.map((document) => document.name)]);
    const inside = entry.live && contentsIn(live, entry.live);
    const contents: ResourceIdentity[] = [];
    const identity: ResourceIdentity = {
      ...entry,
      parent,
      documents,
      names: distinctBy(formatReference, [
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
    documentOf: (address) => declared.documents.get(addressKey(address)),
  };
}

/** The contents that a document stands for. */
export function contentsOf(
  { roots }: Inventory,
  { kind, contents }: ResourceIdentity,
): readonly ResourceIdentity[] {
  return kind?.use === "settings" ? roots.filter((each) => each.kind?.use === undefined) : contents;
}

/** Entries that fields only name may have a duplicate in another list, where it can be declared. */
function isDescribable({ kind }: LiveResource): boolean {
  return kind.use !== "reference";
}

export function addressBy({ kind, what }: ResourceIdentity, names: readonly string[]): AnyAddress {
  return kind ? { kind, names } : foreignAddress(what, names);
}

/** Empty for a service of an unknown type. */
export function addressesOf({ kind, names }: ResourceIdentity): Address[] {
  return kind ? names.map((each) => ({ kind, names: each })) : [];
}

/** The documents by address, former address and id of their resource; computed once for all passes of a plan. */
const declaredBy = once((resources: readonly DesiredResource[]) => {
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
