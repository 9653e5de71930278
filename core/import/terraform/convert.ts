import { formatAddress, formatReference, parseReference } from "../../address.ts";
import {
  type DumpedDocument,
  toStated,
  withBelongings,
  withoutRefused,
  withSecretsInPlace,
} from "../live/index.ts";
import type { OpenCredential } from "../../rules/credentials.ts";
import { type Fields, isFields, own, textIn } from "../../json.ts";
import { type Kind, listedKinds } from "../../kinds/index.ts";
import type { LiveReader } from "../../live/index.ts";
import type { Organization } from "../../organization.ts";
import { type StatedPart, statedParts } from "../../parts/index.ts";
import { keysIn, lostAttributes, membersUsed } from "./attributes.ts";
import { type LeftOutOfState, type Managed, managedIn, parentsIn, type LeftOutReason } from "./managed.ts";
import { type Absence, type LivePlace, Places } from "./places.ts";
import {
  heldSecrets,
  type HeldSecret,
  NamedSources,
  secretTexts,
  type SecretToFill,
  sourcesOf,
  withoutSecretTexts,
} from "./secrets.ts";
import type { TerraformState } from "./state-resource.ts";
import { nameKey } from "../../names.ts";

/** The result of converting a state. */
export interface Conversion {
  /** The documents, parents before their contents. */
  documents: DumpedDocument[];
  /** The resources that have documents. */
  converted: { state: string; address: string; id: string }[];
  /** The secrets that documents get from elsewhere. */
  secrets: SecretToFill[];
  /** Other values that only the state shows; no document needs them. */
  held: HeldSecret[];
  /** Resources of the state that no document describes. */
  leftOut: LeftOutOfState[];
  /** The live resources beside the converted ones that the state does not manage: `job:shop/staging/migrate`. */
  unmanaged: string[];
}

/** The members of documents that the state does not manage. */
export interface ConvertOptions {
  /** Also advanced settings and the like of resources where the state has none. */
  configuration?: boolean;
}

/**
 * The live resources that a state manages, as manifests that plan as no changes. The documents have what is live, and
 * not what the state says. Reads one list for each parent, as a dump does, and one for the parts of each resource that
 * has some in the state.
 */
export async function convert(
  reader: LiveReader,
  organization: Organization,
  state: TerraformState,
  options: ConvertOptions = {},
): Promise<Conversion> {
  const parents = parentsIn(state);
  const { managed, leftOut } = managedIn(state, organization, parents);
  const places = new Places(reader, organization, parents);
  const read = await Promise.all(
    managed.map(async (resource): Promise<ReadResource | { resource: Managed; absence: Absence }> => {
      const place = await places.find(resource.known.kind, resource.id);
      return "isGone" in place
        ? { resource, absence: place }
        : { resource, place, fields: await fieldsOf({ ...reader, organization }, resource, place, options) };
    }),
  );
  const result: Conversion = {
    documents: [],
    converted: [],
    secrets: [],
    held: heldSecrets(state),
    leftOut,
    unmanaged: [],
  };
  const sources = new NamedSources();
  const secrets = secretTexts(state);
  const open = new Map<DumpedDocument, OpenIn>();
  for (const each of read.toSorted(inOrder)) {
    if ("absence" in each) result.leftOut.push(leftOutAs(each.resource, each.absence));
    else addDocument(each, sources, secrets, open, result);
  }
  supplySecrets(open, sources, result);
  const toFill = new Set(
    result.secrets.map(({ state: address, attribute }) => `${address} ${topOf(attribute)}`),
  );
  result.held = result.held.filter(
    ({ state: address, attribute }) => !toFill.has(`${address} ${topOf(attribute)}`),
  );
  result.unmanaged = unmanagedIn(places, result);
  return result;
}

const topOf = (attribute = "") => /^\w*/.exec(attribute)?.[0] ?? "";

/** The fields of a live resource, with the parts that the state manages. */
async function fieldsOf(
  reader: LiveReader & { organization: Organization },
  { known, attributes, members }: Managed,
  { resource }: LivePlace,
  { configuration }: ConvertOptions,
): Promise<Fields> {
  const used = new Set([...membersUsed(known, attributes), ...members.map((each) => each.known.member)]);
  const includes = ({ member, isConfiguration, form }: StatedPart) =>
    used.has(member) || form.isSingle === true || (configuration === true && isConfiguration === true);
  const context = { ...reader, organizationId: reader.organization.id, includes, extent: "needed" as const };
  return (await withBelongings(context, resource)).fields;
}

interface ReadResource {
  resource: Managed;
  place: LivePlace;
  fields: Fields;
}

function addDocument(
  { resource, place, fields }: ReadResource,
  sources: NamedSources,
  secrets: ReturnType<typeof secretTexts>,
  allOpen: Map<DumpedDocument, OpenIn>,
  result: Conversion,
): void {
  const { known, attributes, address: state } = resource;
  const { kind, name, id } = place.resource;
  const open = withoutSecretTexts(kind, fields, secrets);
  for (const each of open.found) if (each.path.length === 1) result.leftOut.push(withSecretIn(state, each));
  const kept = { ...open.fields };
  for (const part of statedParts(kind)) {
    const live = fieldsAt(fields, part.member);
    const keys = part.form.isWriteOnly && keysIn(known, attributes, part.member);
    if (!keys) continue;
    const entries = Object.entries(live).filter(([key]) => keys.has(key));
    delete kept[part.member];
    if (entries.length > 0) kept[part.member] = Object.fromEntries(entries);
    for (const [key, attribute] of keys)
      if (!Object.hasOwn(live, key))
        result.leftOut.push({ state, attribute, ...notLive(`${part.name} ${key}`, kind), isGone: true });
  }
  for (const lost of lostAttributes(known, attributes))
    result.leftOut.push({ state, ...lost, isGone: false });
  const names = [...place.parentNames, name];
  const address = formatAddress({ kind, names });
  const sourced = sourcesOf(
    { resource, kind, names, address },
    toStated(kind.fields, kept, "usual"),
    sources,
  );
  const { document, leftOut } = withoutRefused({
    kind,
    parent: place.parentNames.length === 0 ? undefined : formatReference(place.parentNames),
    name,
    fields: sourced.fields,
    ids: { own: id, parent: place.resource.parentId },
  });
  for (const { field, why } of leftOut)
    result.leftOut.push({
      state,
      ...(field !== "" && { attribute: field }),
      why: `no manifest can have it: ${why}`,
      advice: "change it on the server, or leave it to the server",
      isGone: false,
    });
  if (!document) return;
  result.secrets.push(...sourced.secrets);
  result.converted.push({ state, address, id });
  for (const { resource: member, known: type } of resource.members) {
    const key = type.keyIn === undefined ? undefined : textIn(member.attributes, type.keyIn);
    const live = fieldsAt(fields, type.member);
    const isLive = key === undefined ? Object.keys(live).length > 0 : Object.hasOwn(live, key);
    if (isLive) result.converted.push({ state: member.address, address, id });
    else result.leftOut.push({ state: member.address, ...notLive(type.member, kind), isGone: true });
  }
  result.documents.push(document);
  allOpen.set(document, { resource, found: open.found.filter(({ path }) => path.length > 1) });
}

/** The entries of a document that have a secret of the state in them. */
interface OpenIn {
  resource: Managed;
  found: OpenCredential[];
}

/** Puts a secret in the place of each variable with a credential in it. One that others name stays out of its document. */
function supplySecrets(
  open: ReadonlyMap<DumpedDocument, OpenIn>,
  sources: NamedSources,
  result: Conversion,
): void {
  const before = result.documents;
  const { documents, supplied } = withSecretsInPlace(
    before,
    (document) => open.get(document)?.found ?? [],
    ({ slug }, names, key) => sources.next([...names.slice(0, -1), slug, ...names.slice(-1), key]),
  );
  result.documents = documents;
  for (const [index, document] of documents.entries()) {
    const its = open.get(before[index] ?? document);
    if (!its) continue;
    const { known, attributes, address: state } = its.resource;
    const names = [...(document.parent === undefined ? [] : parseReference(document.parent)), document.name];
    const replaced = supplied.filter((each) => each.document === document);
    for (const { from, key, member, source } of replaced)
      result.secrets.push({
        variable: String(source["from_env"]),
        address: formatAddress({ kind: document.kind, names }),
        field: `${member}.${key}`,
        state,
        attribute: keysIn(known, attributes, from)?.get(key),
      });
    for (const each of its.found) {
      const [from = "", key = ""] = each.path;
      if (replaced.some((one) => one.path.join() === each.path.join())) continue;
      result.leftOut.push(withSecretIn(state, each));
      const { [key]: _open, ...others } = fieldsAt(document.fields, from);
      document.fields = { ...document.fields, [from]: others };
    }
  }
}

function withSecretIn(state: string, { path, what }: OpenCredential): LeftOutOfState {
  return {
    state,
    attribute: path.join("."),
    why: `it has ${what} in it, and everyone who reads the file would read that`,
    advice: "state it under secrets, with a source",
    isGone: false,
  };
}

function fieldsAt(fields: Fields, member: string): Fields {
  const value = own(fields, member);
  return isFields(value) ? value : {};
}

function notLive(what: string, { name }: Kind): LeftOutReason {
  return {
    why: `no ${what} of the ${name} is live`,
    advice: "let Terraform write it again first, or leave it out",
  };
}

function leftOutAs({ address }: Managed, absence: Absence): LeftOutOfState {
  return { state: address, ...absence };
}

/** The live resources in the lists that were read, without those with documents, and those that come with their parent. */
function unmanagedIn(places: Places, { converted }: Conversion): string[] {
  const ids = new Set(converted.map(({ id }) => id.toLowerCase()));
  return places.listed
    .filter(({ resource: { id, kind, name } }) => {
      const isMade = kind.comesWithParent?.(name) !== undefined;
      return !ids.has(id.toLowerCase()) && kind.use !== "settings" && kind.use !== "reference" && !isMade;
    })
    .map(({ resource: { kind, name }, parentNames }) =>
      formatAddress({ kind, names: [...parentNames, name] }),
    )
    .toSorted();
}

/** An entry of the order: a live resource, or a resource of the state that is no longer live. */
type Ordered = { place: LivePlace } | { resource: { address: string }; absence: unknown };

/** The order of documents: those of the organization by their kinds, then each project with its contents, then documents without a project. */
function inOrder(left: Ordered, right: Ordered): number {
  const [one, other] = [keyOf(left), keyOf(right)];
  const length = Math.max(one.length, other.length);
  for (let index = 0; index < length; index += 1) {
    const [first = "", second = ""] = [one[index], other[index]];
    if (first !== second) return first < second ? -1 : 1;
  }
  return 0;
}

/** Of a resource its place among kinds, then names, each below its parent. */
function keyOf(read: Ordered): string[] {
  const rank = (kind: Kind) => `kind ${String(listedKinds.indexOf(kind)).padStart(3, "0")}`;
  const key = (name: string) => `name ${nameKey(name)}`;
  if ("absence" in read) return ["none", read.resource.address];
  const { resource, parentNames } = read.place;
  let root = resource.kind;
  while (root.parent) root = root.parent;
  return [
    rank(root),
    ...parentNames.map(key),
    ...(resource.kind.parent ? [rank(resource.kind)] : []),
    key(resource.name),
  ];
}
