import { type Client, UnexpectedAnswerError } from "../api/index.ts";
import { isFields } from "../json.ts";
import type { PartEntry } from "../parts/index.ts";
import { absentWhenNotFound, type LiveResource, readOne } from "./resource.ts";

type Owner = Pick<LiveResource, "kind" | "id" | "parentId">;

/** Reads the parts of a resource: one list for each sort. Undefined when the resource does not exist any more. */
export async function readParts(client: Client, owner: Owner): Promise<PartEntry[] | undefined> {
  const parts = await absentWhenNotFound(readLists(client, owner));
  if (parts) return parts;
  const { kind, id, parentId } = owner;
  // A server may lack a path as well: only the resource itself tells that it is gone.
  if ((await readOne(client, kind, id, parentId)) === undefined) return undefined;
  throw new UnexpectedAnswerError(
    `the server has the ${kind.name} ${id} and says that its parts do not exist`,
    { method: "GET", path: kind.path(id), advice: "is the base URL that of the API?" },
  );
}

async function readLists(client: Client, { kind, id }: Owner): Promise<PartEntry[]> {
  const lists = await Promise.all(
    kind.parts.map(async (part) => {
      const { path, query } = part.listing(id);
      const entries = await client.list(path, query);
      return entries.flatMap((response) => {
        const key = isFields(response) ? part.keyOf(response) : undefined;
        return isFields(response) && key !== undefined
          ? [{ part, key, isReadable: part.isReadable(response), response }]
          : [];
      });
    }),
  );
  return lists.flat();
}
