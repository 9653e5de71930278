import { type Address, type AnyAddress, formatAddress } from "../../model/addresses/address.ts";
import { formatPath } from "../../model/fields/compare.ts";
import { isFromCreation, type UnstatedField, unstatedFields } from "../../model/fields/undeclared-fields.ts";
import { type Fields, type Json, own } from "../../values/json.ts";
import { type Kind, kindOf } from "../../model/kinds/index.ts";
import { listKey, type LiveResource } from "../../state/live/index.ts";
import { type DesiredResource, parentOf } from "../../manifests/manifest/index.ts";
import {
  entriesIn,
  isDefault,
  listingKey,
  ownPartFields,
  type PartEntry,
  type PartLists,
  partsIn,
  siblingKindOf,
  type DeclaredPart,
  statedParts,
} from "../../model/parts/index.ts";
import { isOwnEntry, type OwnInventory } from "./policy.ts";
import type { LiveState } from "./live-state.ts";
import { counted } from "../../values/text.ts";
import { addressBy, contentsOf, type Inventory, type ResourceIdentity, takeInventory } from "./inventory.ts";

/** Something that is set on the server and that no document states. */
export interface UnmanagedState {
  /** As people call it: `field`, `variable`, `secret`, `custom domain`, `resource`. */
  sort: string;
  /** The resource that no document describes, or the one that has the rest. */
  address: AnyAddress;
  /** Of a field or a part: where a document would state it. */
  path: string[];
  /** Its value, of a secret without the value itself; absent: it is a secret in a field, or a whole resource. */
  value?: Json;
  /** The value that a creation without it gives; absent: not known. */
  default?: Json;
}

/** Something in a resource that a document describes, or a resource in one. */
export type UnmanagedDetail = UnmanagedState & { address: Address };

/**
 * All that is set on the server and that no document states, as far as it has been read: fields, parts and contents of
 * described resources. A copy has what its source has, and contents that are left to others belong to these.
 *
 * @param owned what a source has applied: of a list that a document makes complete, a plan removes its own entries only
 */
export function unmanagedIn(
  live: LiveState,
  documents: readonly DesiredResource[],
  owned?: OwnInventory,
): UnmanagedState[] {
  const inventory = takeInventory(live, documents);
  return [...inventory.byId.values()].flatMap((identity) => {
    const { live: resource, documents: describing } = identity;
    const [first] = describing;
    if (!first || describing.some(({ cloneFrom }) => cloneFrom)) return [];
    const inside = resource ? unmanagedOf(live, resource, describing, owned) : [];
    return [...inside, ...contentsWithoutDocument(inventory, identity)];
  });
}

function contentsWithoutDocument(inventory: Inventory, parent: ResourceIdentity): UnmanagedState[] {
  return contentsOf(inventory, parent)
    .filter(({ kind, name, documents }) => documents.length === 0 && !kind?.comesWithParent?.(name))
    .map((identity) => ({
      sort: "resource",
      address: addressBy(identity, identity.names[0] ?? []),
      path: [],
    }));
}

/** What is set in one live resource and what none of its documents states. */
export function unmanagedOf(
  live: LiveState,
  resource: LiveResource,
  documents: readonly DesiredResource[],
  inventory?: OwnInventory,
): UnmanagedDetail[] {
  const [document] = documents;
  if (!document || documents.some(isCopy)) return [];
  const { address } = document;
  const fields = documents
    .map(({ stated }) => unstatedFields(resource.kind.fields, stated, resource.fields))
    .reduce((all, others) => all.filter((one) => others.some((other) => isAt(one, other.path))));
  const found = [
    ...fields.map((field) => ({ sort: "field", ...shown(resource.kind, field) })),
    ...statedParts(resource.kind).flatMap((part) =>
      unstatedEntries(live, resource, part, documents, inventory),
    ),
  ];
  return found
    .filter(({ path }) => !documents.some((each) => isIgnored(each, path)))
    .map((each) => ({ ...each, address }));
}

/** Sorts of parts of a described resource that a plan has not read, so that nobody knows what is set there. */
export interface Unread {
  address: Address;
  /** In the plural: `variables and secrets`, `custom domains`, `settings`. */
  sort: string;
}

/** The sorts of parts of a live resource that have not been read, and of which its documents do not say that others decide. */
export function unreadOf(
  live: LiveState,
  resource: LiveResource,
  documents: readonly DesiredResource[],
): Unread[] {
  const [document] = documents;
  if (!document || documents.some(isCopy)) return [];
  const parts = statedParts(resource.kind).filter(
    (part) =>
      siblingKindOf(part) !== resource.kind.name &&
      !documents.some((each) => isIgnored(each, [part.member])) &&
      !entriesOf(live, resource, part),
  );
  const sorts = Map.groupBy(parts, (part) =>
    part.isConfiguration ? "" : listingKey(part.listing(resource.id, resource.parentId)),
  );
  return [...sorts].map(([list, those]) => ({
    address: document.address,
    sort:
      list === ""
        ? "settings"
        : those
            .toReversed()
            .map(({ name }) => `${name}s`)
            .join(" and "),
  }));
}

/** What has not been read, in numbers: `Not checked: variables and secrets of 5 resources, settings of 6`; undefined if there is none. */
export function uncheckedText(unread: readonly Pick<Unread, "sort">[]): string | undefined {
  const counts = [...Map.groupBy(unread, ({ sort }) => sort)].map(
    ([sort, those], index) => `${sort} of ${index === 0 ? counted(those.length, "resource") : those.length}`,
  );
  return counts.length === 0 ? undefined : `Not checked: ${counts.join(", ")}`;
}

/** What comes with a copy is as in its source. */
function isCopy(desired: DesiredResource): boolean {
  return [desired, parentOf(desired)].some((each) => each?.cloneFrom);
}

function isAt({ path }: Pick<UnmanagedState, "path">, other: readonly string[]): boolean {
  return formatPath(path) === formatPath(other);
}

function isIgnored({ manage: { ignore = [] } }: DesiredResource, path: readonly string[]): boolean {
  const text = formatPath(path);
  const plain = path.filter((part) => !part.startsWith("[")).join(".");
  return ignore.some((ignored) =>
    [text, plain].some((each) => each === ignored || each.startsWith(`${ignored}.`)),
  );
}

/** A field without the value that nobody may read. */
function shown(
  { fields: { properties = {} } }: Kind,
  field: UnstatedField,
): Omit<UnmanagedState, "sort" | "address"> {
  const { value: _value, ...others } = field;
  return properties[field.path[0] ?? ""]?.secret ? others : field;
}

function unstatedEntries(
  live: LiveState,
  resource: LiveResource,
  part: DeclaredPart,
  documents: readonly DesiredResource[],
  inventory: OwnInventory | undefined,
): Omit<UnmanagedState, "address">[] {
  const { member, name, form } = part;
  // What a document does not list of such a sort, a plan removes or names.
  const isNamed = documents.some(({ manage }) => manage.exclusive?.includes(member));
  if (isNamed && !inventory) return [];
  const entries = (entriesOf(live, resource, part) ?? []).filter(
    ({ key }) => !isNamed || !isOwnEntry({ inventory }, resource.id, member, key),
  );
  const stated = documents.map((document) => entriesIn(document.stated, member));
  const fields = entriesIn(ownPartFields([part], entries), member);
  return entries
    .filter(({ isOwn, key, response }) => isOwn && !part.isBuiltIn?.(response) && !form.isPersonal?.(key))
    .flatMap(({ key }): Omit<UnmanagedState, "address">[] => {
      const value = fields[key] ?? null;
      const path = form.isSingle ? [member] : [member, key];
      const owners = stated.filter((each) => Object.hasOwn(each, key));
      if (owners.length > 0)
        return owners.flatMap((each) => insideEntry(part, each, { [key]: value }, key, path));
      // What has its default, or a default that is not known, nobody has set.
      if (value === null || isDefault(part, live.defaults, key, value) !== false) return [];
      const schema = own(form.schema.properties ?? {}, key);
      if (schema && isFromCreation(key, schema, fields)) return [];
      return [{ sort: name, path, value }];
    });
}

/** Members of an entry that no document states, although one states the entry. */
function insideEntry(
  { form: { schema } }: DeclaredPart,
  stated: Fields,
  live: Fields,
  key: string,
  path: string[],
): Omit<UnmanagedState, "address">[] {
  const { entries } = schema;
  if (!entries) return [];
  return unstatedFields({ properties: { [key]: entries } }, stated, live).map((field) => ({
    ...field,
    sort: "field",
    path: [...path, ...field.path.slice(1)],
  }));
}

/** The entries of a part of a resource, from the lists that have been read; undefined where they are not known. */
function entriesOf(live: LiveState, resource: LiveResource, part: DeclaredPart): PartEntry[] | undefined {
  return (
    partsIn(listsWith(live, resource, part), resource, [part]) ?? seenInside(live, resource, resource, part)
  );
}

function listsWith(
  { parts, lists }: LiveState,
  { kind, id, parentId }: LiveResource,
  part: DeclaredPart,
): PartLists {
  const sibling = siblingKindOf(part);
  // A place behind a sibling follows from the order of all, so nobody has set it alone.
  if (sibling === undefined) return parts;
  if (sibling === kind.name) return new Map();
  const siblings = lists.get(listKey({ kind: kindOf(sibling), parentId }));
  const key = listingKey(part.listing(id, parentId));
  return new Map(siblings ? [[key, siblings.resources.map(({ response }) => response)]] : []);
}

/** The entries of a resource that the list of something in it shows too: services have the variables of their environment. */
function seenInside(
  live: LiveState,
  owner: LiveResource,
  around: LiveResource,
  part: DeclaredPart,
): PartEntry[] | undefined {
  if (!part.changedAt) return undefined;
  for (const inside of live.contents.get(around.id)?.resources ?? []) {
    const same = statedParts(inside.kind).find(({ member }) => member === part.member);
    const listed = same && live.parts.get(listingKey(same.listing(inside.id, around.id)));
    const key = listingKey(part.listing(owner.id, owner.parentId));
    const found = listed
      ? partsIn(new Map([[key, listed]]), owner, [part])
      : seenInside(live, owner, inside, part);
    if (found) return found;
  }
  return undefined;
}

/** Something unstated in words: `variable LEVEL of job:shop/staging/a`, `job:shop/staging/b`. */
export function unmanagedText({ sort, address, path }: UnmanagedState): string {
  const where = formatAddress(address);
  if (sort === "resource") return where;
  return [sort, sort === "field" ? formatPath(path) : (path[1] ?? ""), "of", where].filter(Boolean).join(" ");
}

/** Things that no document states in numbers: `1 field, 2 variables, 1 resource`. */
export function unmanagedCounts(unstated: readonly UnmanagedState[]): string {
  const sorts = Map.groupBy(unstated, ({ sort }) => sort);
  return [...sorts].map(([sort, those]) => counted(those.length, sort)).join(", ");
}
