import { type Client, UnexpectedAnswerError } from "../api/index.ts";
import { isFields } from "../json.ts";
import { type Kind, kindsInside } from "../kinds/index.ts";
import { absentWhenNotFound, type LiveResource, parentIdIn, sameId, toLive } from "./resource.ts";

/** A service of a type that no kind stands for: never touched, only mentioned. */
export interface UnknownService {
  id: string;
  name: string;
  type: string;
}

/** What a parent contains. */
export interface Contents {
  resources: readonly LiveResource[];
  unknown: readonly UnknownService[];
}

/**
 * Reads what a parent contains, in one request for each list path of the kinds inside it. Undefined when the parent
 * does not exist. A server without the shared list of services is asked for the list of each type.
 *
 * @param parent the kind of the parent; undefined: the organization
 */
export async function readContents(
  client: Client,
  parent: Kind | undefined,
  parentId: string,
): Promise<Contents | undefined> {
  const inside = kindsInside(parent);
  const paths = [...new Set(inside.map((kind) => kind.listing.path(parentId)))];
  const lists = await Promise.all(
    paths.map(async (listPath) => {
      const listed = inside.filter((kind) => kind.listing.path(parentId) === listPath);
      const items = await absentWhenNotFound(client.list(listPath));
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
  };
}

/** Reads what a shared list would have had, where the server has none: undefined when the parent does not exist. */
async function readListsOfTypes(
  client: Client,
  parent: Kind | undefined,
  listed: readonly Kind[],
  parentId: string,
): Promise<Contents | undefined> {
  if (!parent) return undefined;
  if ((await absentWhenNotFound(client.get(parent.path(parentId)))) === undefined) return undefined;
  const resources = await Promise.all(
    listed.map(async (kind) => {
      // A kind without a list of its own has only the shared list: it is read again.
      const { path: listPath, fallbackPath = listPath } = kind.listing;
      const items = await listOfType(client, parent, fallbackPath(parentId));
      return withoutTwins(
        items.map((item) => toListed(kind, item, parentId)),
        fallbackPath(parentId),
      );
    }),
  );
  return { resources: resources.flat(), unknown: [] };
}

/** What a list has whose parent is there. Its 404 is not taken for an empty list: what it would show is at stake. */
async function listOfType(client: Client, parent: Kind, listPath: string): Promise<unknown[]> {
  const items = await absentWhenNotFound(client.list(listPath));
  if (items) return items;
  throw new UnexpectedAnswerError(
    `404 on GET ${listPath}, although the ${parent.name} is there: nobody can tell what it contains`,
    {
      method: "GET",
      path: listPath,
      advice: "check that the base URL is the API's, and the version of the server",
    },
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
      throw new UnexpectedAnswerError("the server lists something that is no object", {
        method: "GET",
        path: listPath,
      });
    }
    const type = item["service_type"];
    const kind = kinds.find(
      ({ listing }) => listing.serviceType === undefined || listing.serviceType === type,
    );
    if (kind) resources.push(toListed(kind, item, parentId));
    else unknown.push({ id: String(item["id"]), name: String(item["name"]), type: String(type) });
  }
  return { resources: withoutTwins(resources, listPath), unknown };
}

/** An element of a list. Throws when it is in another parent: what a cache mixes up must not be taken for undescribed. */
function toListed(kind: Kind, item: unknown, parentId: string): LiveResource {
  const live = toLive(kind, item, parentId);
  const itsParent = parentIdIn(kind, live.response);
  if (itsParent === undefined || sameId(itsParent, parentId)) return live;
  throw new UnexpectedAnswerError(
    `the server lists the ${kind.name} ${live.id} of ${itsParent} where those of ${parentId} were asked for`,
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
