import type { Client, PageQuery, Witness } from "../../api/index.ts";
import { isFields } from "../../values/json.ts";
import type { Kind, ListWitness } from "../../model/kinds/index.ts";
import { readStatuses } from "./statuses.ts";

/** The statuses of the services of a parent show the same as their list. */
export function statusWitness(client: Client, parent: Kind, id: string): Witness {
  return {
    path: parent.jointDeployment?.statuses(id) ?? "",
    async read() {
      const ids = [...(await readStatuses(client, { kind: parent, id })).services.keys()];
      return { ids, count: ids.length };
    },
  };
}

/** What a kind says about its list. */
export function witnessOf(
  client: Client,
  { path, countMember, idIn }: ListWitness,
  parentId: string,
): Witness {
  return {
    path: path(parentId),
    ...(countMember === undefined && { isLong: true }),
    async read(_length, first) {
      if (countMember !== undefined) {
        const answer = await client.get(path(parentId));
        const count = isFields(answer) ? answer[countMember] : undefined;
        return typeof count === "number" ? { ids: [], count } : {};
      }
      const listed = await elementsAt(client, path(parentId), first);
      const ids = idIn && listed.flatMap((element) => idIn(element) ?? []);
      return { ...(ids && { ids }), longest: listed.length };
    },
  };
}

/** Lists that have the same elements together: where each is shorter than the list, none was cut to its length. */
export function togetherWitness(client: Client, paths: readonly string[]): Witness {
  return {
    path: paths.join(" and "),
    async read(length) {
      const lists = await Promise.all(paths.map((path) => elementsAt(client, path)));
      const ids = lists.flat().flatMap(({ id }) => (typeof id === "string" ? id : []));
      const isWhole = lists.every((list) => list.length < length);
      return { ids, ...(isWhole && { count: new Set(ids).size }) };
    },
  };
}

/** The elements of a list, as far as one answer has them. */
async function elementsAt(client: Client, path: string, query?: PageQuery) {
  const answer = await client.get(path, query);
  const results = isFields(answer) ? answer["results"] : undefined;
  return Array.isArray(results) ? results.filter((element) => isFields(element)) : [];
}
