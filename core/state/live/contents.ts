import { type Client, type ListNotes, unexpectedAnswer } from "../../api/index.ts";
import { isFields, textIn } from "../../values/json.ts";
import { type Kind, kindsInside } from "../../model/kinds/index.ts";
import { nameKey } from "../../model/addresses/names.ts";
import { statusWitness, witnessesOf } from "./witnesses.ts";
import {
  absentWhenNotFound,
  readEntries,
  type LiveResource,
  nameIn,
  parentIdIn,
  sameId,
  toLive,
} from "./resource.ts";

/** A service of a type that infrasync does not know: it is never changed, only mentioned. */
export interface UnknownService {
  id: string;
  name: string;
  type: string;
}

/** The contents of a parent, as far as its lists have been read. */
export interface Contents {
  resources: readonly LiveResource[];
  unknown: readonly UnknownService[];
  /** The server lists services type by type only: there may be services of types that infrasync does not know. */
  isPartial?: true;
  /** The lists had nothing: all resources are creations of the last minutes, which the lists lacked. */
  isFilled?: true;
}

/** Whether the server has listed nothing. */
export function isEmpty({ resources, unknown, isFilled }: Contents): boolean {
  return isFilled === true || (resources.length === 0 && unknown.length === 0);
}

/** The resources of that kind and name: more than one where the API has duplicates. */
export function allNamed(contents: Contents | undefined, kind: Kind, name: string): LiveResource[] {
  const key = nameKey(name);
  return (contents?.resources ?? []).filter(
    (resource) => resource.kind === kind && nameKey(resource.name) === key,
  );
}

/** A list that is read on demand only: that of a kind in a parent. */
export interface ListPlace {
  kind: Kind;
  parentId: string;
}

/** The same for the same list. */
export function listKey({ kind, parentId }: ListPlace): string {
  return `${kind.slug} ${parentId.toLowerCase()}`;
}

/** What is known of a list before it is read. */
export interface ListKnowledge extends Pick<ListNotes, "expected" | "empty" | "mayLack"> {
  /** Undefined: unknown. */
  organizationId?: string | undefined;
}

/** Reads lists of a parent; undefined when it does not exist. Throws if the organization has no such list. @param parent undefined: the organization */
export async function readKinds(
  client: Client,
  parent: Kind | undefined,
  parentId: string,
  kinds: readonly Kind[],
  knowledge: ListKnowledge,
): Promise<Contents | undefined> {
  const [kind] = kinds;
  if (parent || !kind || !isOnDemand(kind)) return readLists(client, parent, parentId, kinds, knowledge);
  const { listing } = kind;
  const path = listing.path(parentId);
  if (listing.isSingle) return sort([await client.get(path)], kinds, parentId, path);
  // A resource without a name or an id cannot be referred to or changed.
  const entries = await readEntries(
    client,
    kind,
    parentId,
    notesOf(client, parent, parentId, kinds, knowledge),
  );
  const items = entries.filter((item) => isNamed(kind, item));
  return sort(items, kinds, parentId, path);
}

/** Reads the lists of some kinds with one request for each path; those of each type where a server has no shared list. */
async function readLists(
  client: Client,
  parent: Kind | undefined,
  parentId: string,
  inside: readonly Kind[],
  knowledge: ListKnowledge,
): Promise<Contents | undefined> {
  const paths = [...new Set(inside.map((kind) => kind.listing.path(parentId)))];
  const lists = await Promise.all(
    paths.map(async (listPath) => {
      const listed = inside.filter((kind) => kind.listing.path(parentId) === listPath);
      const items = await absentWhenNotFound(
        client.list(listPath, undefined, notesOf(client, parent, parentId, listed, knowledge)),
      );
      return items
        ? sort(items, listed, parentId, listPath)
        : readListsOfTypes(client, parent, listed, parentId);
    }),
  );
  const known = lists.filter((list) => list !== undefined);
  if (lists.length > 0 && known.length === 0) return undefined;
  return {
    resources: known.flatMap((list) => list.resources),
    unknown: known.flatMap((list) => list.unknown),
    ...partialIfAny(known),
  };
}

function notesOf(
  client: Client,
  parent: Kind | undefined,
  id: string,
  listed: readonly Kind[],
  { organizationId = parent ? undefined : id, ...knowledge }: ListKnowledge,
) {
  const [{ listing } = { listing: undefined }] = listed;
  const isOfServices = listing?.serviceType !== undefined;
  const of = isOfServices ? "services" : listed.map(({ name }) => `${name}s`).join(", ");
  return {
    ...knowledge,
    startMember: listing?.startMember,
    witnesses: [
      ...(isOfServices && parent?.jointDeployment ? [statusWitness(client, parent, id)] : []),
      ...(listing ? witnessesOf(client, listing, id, organizationId) : []),
    ],
    of: `the ${of} of the ${parent?.name ?? "organization"}`,
  };
}

/** Whether the list of a kind is read on demand only. */
export function isOnDemand({ listing }: Kind): boolean {
  return listing.onDemand === true;
}

/** The kinds inside a parent whose lists are read whenever its contents are needed. */
export function usualKinds(parent: Kind | undefined): Kind[] {
  return kindsInside(parent).filter((kind) => !isOnDemand(kind));
}

/** The kinds inside a parent whose lists are read on demand only. */
export function kindsOnDemand(parent: Kind | undefined): Kind[] {
  return kindsInside(parent).filter(isOnDemand);
}

/** The contents of several lists of a parent together. */
export function joined(...contents: readonly (Contents | undefined)[]): Contents {
  return {
    resources: contents.flatMap((each) => each?.resources ?? []),
    unknown: contents.flatMap((each) => each?.unknown ?? []),
    ...partialIfAny(contents),
  };
}

function partialIfAny(contents: readonly (Contents | undefined)[]): Pick<Contents, "isPartial"> {
  return contents.some((each) => each?.isPartial) ? { isPartial: true } : {};
}

/** Reads the lists of the kinds one by one; undefined if the parent does not exist. */
async function readListsOfTypes(
  client: Client,
  parent: Kind | undefined,
  listed: readonly Kind[],
  parentId: string,
): Promise<Contents | undefined> {
  if (!parent) return undefined;
  // The path of a kind that contains something does not name its parent.
  if ((await absentWhenNotFound(client.get(parent.requests.one(parentId, "")))) === undefined)
    return undefined;
  const resources = await Promise.all(
    listed.map(async (kind) => {
      // A kind without a list of its own has only the shared list: it is read again.
      const { path: listPath, fallbackPath = listPath, mayBeMissing } = kind.listing;
      const items = mayBeMissing
        ? ((await absentWhenNotFound(client.list(listPath(parentId)))) ?? [])
        : await listOfType(client, parent, fallbackPath(parentId));
      return withoutDuplicates(
        items.map((item) => toListed(kind, item, parentId)),
        fallbackPath(parentId),
      );
    }),
  );
  const isPartial = listed.some(({ listing }) => listing.serviceType !== undefined);
  return { resources: resources.flat(), unknown: [], ...(isPartial && { isPartial }) };
}

/** A list of a parent that exists. A 404 does not count as an empty list: a plan could miss resources that it deletes. */
async function listOfType(client: Client, parent: Kind, listPath: string): Promise<unknown[]> {
  const items = await absentWhenNotFound(client.list(listPath));
  if (items) return items;
  throw unexpectedAnswer(
    listPath,
    `404, although the ${parent.name} exists, so its contents are unknown`,
    "check the base URL and the version of the server",
  );
}

function sort(
  items: readonly unknown[],
  kinds: readonly Kind[],
  parentId: string,
  listPath: string,
): Contents {
  const resources: LiveResource[] = [];
  const unknown: UnknownService[] = [];
  for (const item of items) {
    if (!isFields(item)) {
      throw unexpectedAnswer(listPath, "the server lists a value that is not an object");
    }
    const type = item["service_type"];
    const kind = kinds.find(
      ({ listing }) => listing.serviceType === undefined || listing.serviceType === type,
    );
    if (kind) resources.push(toListed(kind, item, parentId));
    else if (typeof type !== "string")
      throw unexpectedAnswer(
        listPath,
        "the server lists something without a service_type, which is not a service",
      );
    else unknown.push({ id: String(item["id"]), name: String(item["name"]), type });
  }
  return { resources: withoutDuplicates(resources, listPath), unknown };
}

function isNamed(kind: Kind, item: unknown): boolean {
  return isFields(item) && textIn(item, "id") !== undefined && nameIn(kind, item) !== undefined;
}

/** An element of a list. Throws if it is in another parent: a cache may have mixed up answers, and a prune would delete it. */
function toListed(kind: Kind, item: unknown, parentId: string): LiveResource {
  const live = toLive(kind, item, parentId);
  const itsParent = parentIdIn(kind, live.response);
  if (itsParent === undefined || sameId(itsParent, parentId)) return live;
  throw unexpectedAnswer(
    kind.listing.path(parentId),
    `the server lists the ${kind.name} ${live.id} of ${itsParent}, and the request was for those of ${parentId}`,
    "check whether a proxy in between caches answers",
  );
}

/** Throws for two elements with one id: an action on one of them would change the other. */
function withoutDuplicates(resources: LiveResource[], listPath: string): LiveResource[] {
  const ids = new Set<string>();
  for (const { kind, id } of resources) {
    if (ids.has(id))
      throw unexpectedAnswer(
        listPath,
        `the server lists two ${kind.name}s of one id, ${id}`,
        "look at them in the web console, and try again later",
      );
    ids.add(id);
  }
  return resources;
}
