import { type Client, UnexpectedAnswerError } from "../api/index.ts";
import { isFields } from "../json.ts";
import { type Part, type PartEntry, statedParts } from "../parts/index.ts";
import { absentWhenNotFound, type LiveResource, readOne } from "./resource.ts";

type Owner = Pick<LiveResource, "kind" | "id" | "parentId">;

/**
 * Reads the parts of a resource, with one request for each list. Undefined if the resource no longer exists.
 *
 * @param parts which sorts; those that documents can state when left out
 */
export async function readParts(
  client: Client,
  owner: Owner,
  parts: readonly Part[] = statedParts(owner.kind),
): Promise<PartEntry[] | undefined> {
  const entries = await absentWhenNotFound(readLists(client, owner, parts));
  if (entries) return entries;
  const { kind, id, parentId } = owner;
  // A server may lack the path of the list: only a 404 of the resource itself says that the resource is gone.
  if ((await readOne(client, kind, id, parentId)) === undefined) return undefined;
  throw new UnexpectedAnswerError(
    `the server has the ${kind.name} ${id} and says that its parts do not exist`,
    { method: "GET", path: kind.path(id), advice: "check the base URL" },
  );
}

async function readLists(client: Client, { id }: Owner, parts: readonly Part[]): Promise<PartEntry[]> {
  const byListing = Map.groupBy(parts, (part) => JSON.stringify(part.listing(id)));
  const lists = await Promise.all(
    [...byListing.values()].map(async ([first, ...others]) => {
      if (!first) return [];
      const { path, query } = first.listing(id);
      const entries = await client.list(path, query);
      return [first, ...others].flatMap((part) => entries.flatMap((response) => entryOf(part, response)));
    }),
  );
  return lists.flat();
}

function entryOf(part: Part, response: unknown): PartEntry[] {
  const key = isFields(response) ? part.keyOf(response) : undefined;
  return isFields(response) && key !== undefined
    ? [{ part, key, isOwn: part.isOwn(response), isReadable: part.isReadable(response), response }]
    : [];
}
