import { type Client, NotFoundError, path, UnexpectedAnswerError } from "./api/index.ts";
import { type CatalogueEntry } from "./fields/references.ts";
import { fromResponse } from "./fields/wire.ts";
import { type Fields, isFields } from "./json.ts";
import { type Catalogue, type Kind, kindsInside } from "./kinds/index.ts";

/** A resource as the API has it. */
export interface LiveResource {
  kind: Kind;
  id: string;
  name: string;
  parentId: string;
  /** Its fields in manifest form; references are `{id, name?}`, elements keep the ids that the API gave them. */
  fields: Fields;
  /** The answer itself. */
  response: Fields;
}

/** A service of a type that no kind stands for: never touched, only mentioned. */
export interface UnknownService {
  id: string;
  name: string;
  type: string;
}

/** What one parent holds. */
export interface Children {
  resources: LiveResource[];
  unknown: UnknownService[];
}

/** The fields of a response. Throws when it has no id or no name: nothing can be done with it safely. */
export function toLive(kind: Kind, response: unknown, parentId: string): LiveResource {
  const { id, name } = isFields(response) ? response : {};
  if (!isFields(response) || typeof id !== "string" || id === "" || typeof name !== "string") {
    throw new UnexpectedAnswerError(`the server describes a ${kind.name} without an id or a name`, {
      method: "GET",
      path: kind.listing.path(parentId),
      advice: "is the base URL that of the API?",
    });
  }
  return { kind, id, name, parentId, fields: fromResponse(kind.fields, response), response };
}

/** The id of what holds a resource, where its answer tells it. */
export function holderIn(kind: Kind, response: Fields): string | undefined {
  const holder = response[kind.parentMember ?? "organization"];
  const id = isFields(holder) ? holder["id"] : undefined;
  return typeof id === "string" ? id : undefined;
}

/** Whether two ids are the same to the API. */
export function sameId(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Reads one resource afresh. Undefined when it does not exist: only a 404 says that. */
export async function readOne(
  client: Client,
  kind: Kind,
  id: string,
  parentId: string,
): Promise<LiveResource | undefined> {
  const response = await absentWhenNotFound(client.get(kind.path(id)));
  if (response === undefined) return undefined;
  const live = toLive(kind, response, parentId);
  if (sameId(live.id, id)) return live;
  throw new UnexpectedAnswerError(
    `the server describes the ${kind.name} ${live.id} where ${id} was asked for`,
    { method: "GET", path: kind.path(id), advice: "is there a cache between?" },
  );
}

/**
 * Everything that a parent holds, in one request for each list path of the kinds inside it. Undefined when the
 * parent does not exist. A server without the shared list of services is asked for the list of each kind.
 */
export async function readChildren(
  client: Client,
  parent: Kind | undefined,
  parentId: string,
): Promise<Children | undefined> {
  const inside = kindsInside(parent);
  const paths = [...new Set(inside.map((kind) => kind.listing.path(parentId)))];
  const parts = await Promise.all(
    paths.map(async (listPath) => {
      const listed = inside.filter((kind) => kind.listing.path(parentId) === listPath);
      const items = await absentWhenNotFound(client.list(listPath));
      return items ? sort(items, listed, parentId, listPath) : readFallback(client, parent, listed, parentId);
    }),
  );
  const known = parts.filter((part) => part !== undefined);
  if (parts.length > 0 && known.length === 0) return undefined;
  return {
    resources: known.flatMap((part) => part.resources),
    unknown: known.flatMap((part) => part.unknown),
  };
}

async function readFallback(
  client: Client,
  parent: Kind | undefined,
  listed: readonly Kind[],
  parentId: string,
): Promise<Children | undefined> {
  if (!parent) return undefined;
  if ((await absentWhenNotFound(client.get(parent.path(parentId)))) === undefined) return undefined;
  const [resources, unknown] = await Promise.all([
    Promise.all(
      listed.map(async (kind) => {
        // Without another list to ask, the first one is asked again: its 404 must not look like an empty list.
        const { path: listPath, fallbackPath = listPath } = kind.listing;
        const items = await client.list(fallbackPath(parentId));
        return withoutTwins(
          items.map((item) => toListed(kind, item, parentId)),
          fallbackPath(parentId),
        );
      }),
    ),
    Promise.all(
      (parent.otherServices ?? []).map(async ({ type, path: listPath }) => {
        const items = await absentWhenNotFound(client.list(listPath(parentId)));
        return (items ?? []).map((item) => toUnknown(item, type));
      }),
    ),
  ]);
  return { resources: resources.flat(), unknown: unknown.flat() };
}

function toUnknown(item: unknown, type: string): UnknownService {
  const { id, name } = isFields(item) ? item : {};
  return { id: String(id), name: String(name), type };
}

function sort(
  items: readonly unknown[],
  kinds: readonly Kind[],
  parentId: string,
  listPath: string,
): Children {
  const children: Children = { resources: [], unknown: [] };
  for (const item of items) {
    if (!isFields(item)) {
      throw new UnexpectedAnswerError("the server lists something that is no object", {
        method: "GET",
        path: listPath,
      });
    }
    const type = item["service_type"];
    const kind = kinds.find(
      ({ listing }) => listing.serviceType === undefined || listing.serviceType === type,
    );
    if (kind) children.resources.push(toListed(kind, item, parentId));
    else children.unknown.push(toUnknown(item, String(type)));
  }
  return { ...children, resources: withoutTwins(children.resources, listPath) };
}

/** An element of a list. Throws when it is in another parent: what a cache mixes up must not be taken for undescribed. */
function toListed(kind: Kind, item: unknown, parentId: string): LiveResource {
  const live = toLive(kind, item, parentId);
  const holder = holderIn(kind, live.response);
  if (holder === undefined || sameId(holder, parentId)) return live;
  throw new UnexpectedAnswerError(
    `the server lists the ${kind.name} ${live.id} of ${holder} where those of ${parentId} were asked for`,
    { method: "GET", path: kind.listing.path(parentId), advice: "is there a cache between?" },
  );
}

/** Throws for two elements of one id: what is done to one of them would happen to the other. */
function withoutTwins(resources: LiveResource[], listPath: string): LiveResource[] {
  const ids = new Set<string>();
  for (const { kind, id } of resources) {
    if (ids.has(id))
      throw new UnexpectedAnswerError(`the server lists two ${kind.name}s of one id, ${id}`, {
        method: "GET",
        path: listPath,
        advice: "look at them in the console, and try again later",
      });
    ids.add(id);
  }
  return resources;
}

/** The value, or undefined after a 404; every other failure stays one. */
export async function absentWhenNotFound<Value>(request: Promise<Value>): Promise<Value | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

const cataloguePaths: Record<Catalogue, (organizationId: string) => string> = {
  cluster: (organizationId) => path`/organization/${organizationId}/cluster`,
  containerRegistry: (organizationId) => path`/organization/${organizationId}/containerRegistry`,
  gitToken: (organizationId) => path`/organization/${organizationId}/gitToken`,
  annotationsGroup: (organizationId) => path`/organization/${organizationId}/annotationsGroups`,
  labelsGroup: (organizationId) => path`/organization/${organizationId}/labelsGroups`,
};

/** The entries of a catalogue of the organization: one request. */
export async function readCatalogue(
  client: Client,
  organizationId: string,
  catalogue: Catalogue,
): Promise<CatalogueEntry[]> {
  const items = await client.list(cataloguePaths[catalogue](organizationId));
  return items.flatMap((item) => {
    const { id, name } = isFields(item) ? item : {};
    return typeof id === "string" && typeof name === "string" ? [{ id, name }] : [];
  });
}
