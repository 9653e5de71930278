import { type Address, type AnyAddress, formatAddress } from "../../model/addresses/address.ts";
import { formatPath } from "../../model/fields/compare.ts";
import {
  isFromCreation,
  type UndeclaredField,
  undeclaredFields,
} from "../../model/fields/undeclared-fields.ts";
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
  declaredParts,
} from "../../model/parts/index.ts";
import { isOwnEntry, type OwnInventory } from "./policy.ts";
import type { LiveState } from "./live-state.ts";
import { inSentence, counted } from "../../values/text.ts";
import { addressBy, contentsOf, type Inventory, type ResourceIdentity, takeInventory } from "./inventory.ts";

/** A live value or resource that no document declares. */
export interface UnmanagedState extends Pick<UndeclaredField, "path" | "default"> {
  /** In a user's words: `field`, `variable`, `secret`, `custom domain`, `resource`. */
  sort: string;
  /** The unmanaged resource itself, or the owner of the unmanaged field or part. */
  address: AnyAddress;
  /** Without the value of a secret; absent: a secret in a field, or a whole resource. */
  value?: Json;
}

/** Unmanaged state in a managed resource, or in one of its contents. */
export type UnmanagedDetail = UnmanagedState & { address: Address };

/** All unmanaged state as far as it was read; a copy has that of its source. `owned`: the inventory of a source. */
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
    .map(({ declared }) => undeclaredFields(resource.kind.fields, declared, resource.fields))
    .reduce((all, others) => all.filter((one) => others.some((other) => isAt(one, other.path))));
  const found = [
    ...fields.map((field) => ({ sort: "field", ...shown(resource.kind, field) })),
    ...declaredParts(resource.kind).flatMap((part) =>
      undeclaredEntries(live, resource, part, documents, inventory),
    ),
  ];
  return found
    .filter(({ path }) => !documents.some((each) => isIgnored(each, path)))
    .map((each) => ({ ...each, address }));
}

/** Sorts of parts of a managed resource that a plan has not read, so that their state is unknown. */
export interface Unread {
  address: Address;
  /** In the plural: `variables and secrets`, `custom domains`, `settings`. */
  sort: string;
}

/** The unread sorts of parts of a live resource, without those that its documents leave to others. */
export function unreadOf(
  live: LiveState,
  resource: LiveResource,
  documents: readonly DesiredResource[],
): Unread[] {
  const [document] = documents;
  if (!document || documents.some(isCopy)) return [];
  const parts = declaredParts(resource.kind).filter(
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
    sort: list === "" ? "settings" : inSentence(those.toReversed().map(({ name }) => `${name}s`)),
  }));
}

/** `Not checked: variables and secrets of 5 resources, settings of 6`; undefined if there is none. */
export function uncheckedText(unread: readonly Pick<Unread, "sort">[]): string | undefined {
  const counts = [...Map.groupBy(unread, ({ sort }) => sort)].map(
    ([sort, those], index) => `${sort} of ${index === 0 ? counted(those.length, "resource") : those.length}`,
  );
  return counts.length === 0 ? undefined : `Not checked: ${counts.join(", ")}`;
}

/** Contents of a copy are those of its source. */
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

/** A field without the value that must not be read. */
function shown(
  { fields: { properties = {} } }: Kind,
  field: UndeclaredField,
): Omit<UnmanagedState, "sort" | "address"> {
  const { value: _value, ...others } = field;
  return properties[field.path[0] ?? ""]?.secret ? others : field;
}

function undeclaredEntries(
  live: LiveState,
  resource: LiveResource,
  part: DeclaredPart,
  documents: readonly DesiredResource[],
  inventory: OwnInventory | undefined,
): Omit<UnmanagedState, "address">[] {
  const { member, name, form } = part;
  // A plan removes or names the unlisted entries of such a sort.
  const isNamed = documents.some(({ manage }) => manage.exclusive?.includes(member));
  if (isNamed && !inventory) return [];
  const entries = (entriesOf(live, resource, part) ?? []).filter(
    ({ key }) => !isNamed || !isOwnEntry({ inventory }, resource.id, member, key),
  );
  const declared = documents.map((document) => entriesIn(document.declared, member));
  const fields = entriesIn(ownPartFields([part], entries), member);
  return entries
    .filter(({ isOwn, key, response }) => isOwn && !part.isBuiltIn?.(response) && !form.isPersonal?.(key))
    .flatMap(({ key }): Omit<UnmanagedState, "address">[] => {
      const value = fields[key] ?? null;
      const path = form.isSingle ? [member] : [member, key];
      const owners = declared.filter((each) => Object.hasOwn(each, key));
      if (owners.length > 0)
        return owners.flatMap((each) => insideEntry(part, each, { [key]: value }, key, path));
      // Nobody has set a default value; an unknown default may be the value.
      if (value === null || isDefault(part, live.defaults, key, value) !== false) return [];
      const schema = own(form.schema.properties ?? {}, key);
      if (schema && isFromCreation(key, schema, fields)) return [];
      return [{ sort: name, path, value }];
    });
}

function insideEntry(
  { form: { schema } }: DeclaredPart,
  declared: Fields,
  live: Fields,
  key: string,
  path: string[],
): Omit<UnmanagedState, "address">[] {
  const { entries } = schema;
  if (!entries) return [];
  return undeclaredFields({ properties: { [key]: entries } }, declared, live).map((field) => ({
    ...field,
    sort: "field",
    path: [...path, ...field.path.slice(1)],
  }));
}

/** Undefined: its lists have not been read. */
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
  // A place behind a sibling follows from the order of all siblings, so nobody has set it alone.
  if (sibling === undefined) return parts;
  if (sibling === kind.name) return new Map();
  const siblings = lists.get(listKey({ kind: kindOf(sibling), parentId }));
  const key = listingKey(part.listing(id, parentId));
  return new Map(siblings ? [[key, siblings.resources.map(({ response }) => response)]] : []);
}

/** The entries of a resource in the list of its contents: services inherit the variables of their environment. */
function seenInside(
  live: LiveState,
  owner: LiveResource,
  around: LiveResource,
  part: DeclaredPart,
): PartEntry[] | undefined {
  if (!part.changedAt) return undefined;
  for (const inside of live.contents.get(around.id)?.resources ?? []) {
    const same = declaredParts(inside.kind).find(({ member }) => member === part.member);
    const listed = same && live.parts.get(listingKey(same.listing(inside.id, around.id)));
    const key = listingKey(part.listing(owner.id, owner.parentId));
    const found = listed
      ? partsIn(new Map([[key, listed]]), owner, [part])
      : seenInside(live, owner, inside, part);
    if (found) return found;
  }
  return undefined;
}

/** `variable LEVEL of job:shop/staging/a`, `job:shop/staging/b`. */
export function unmanagedText({ sort, address, path }: UnmanagedState): string {
  const where = formatAddress(address);
  if (sort === "resource") return where;
  return [sort, sort === "field" ? formatPath(path) : (path[1] ?? ""), "of", where].filter(Boolean).join(" ");
}

/** `1 field, 2 variables, 1 resource`. */
export function unmanagedCounts(undeclared: readonly UnmanagedState[]): string {
  const sorts = Map.groupBy(undeclared, ({ sort }) => sort);
  return [...sorts].map(([sort, those]) => counted(those.length, sort)).join(", ");
}
