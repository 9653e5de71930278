import { type Client, isUsualCut, type PageQuery, type Witness } from "../../api/index.ts";
import { isFields } from "../../values/json.ts";
import type { Kind, ListWitness } from "../../model/kinds/index.ts";
import { readStatuses } from "./statuses.ts";

/** The statuses of the services of a parent show the same as their list. */
export function statusWitness(client: Client, parent: Kind, id: string): Witness {
  return {
    path: parent.jointDeployment?.statuses(id) ?? "",
    async read({ length }) {
      const { services, longest } = await readStatuses(client, { kind: parent, id });
      // The server may cut each of these lists to the length of the other one.
      const isWhole = length === 0 || longest < length;
      return { ids: [...services.keys()], ...(isWhole && { count: services.size }) };
    },
  };
}

/** What a kind says about its list. @param organizationId undefined: unknown */
export function witnessesOf(
  client: Client,
  { counted, inOrganization = [] }: Kind["listing"],
  parentId: string,
  organizationId: string | undefined,
): Witness[] {
  const own = counted ? [countWitness(client, counted.path(parentId), counted.member)] : [];
  const shared = organizationId === undefined ? [] : inOrganization;
  return [...own, ...shared.map((list) => listWitness(client, list, parentId, organizationId ?? ""))];
}

function countWitness(client: Client, path: string, member: string): Witness {
  return {
    path,
    async read() {
      const answer = await client.get(path);
      const count = isFields(answer) ? answer[member] : undefined;
      return typeof count === "number" ? { ids: [], count } : {};
    },
  };
}

/** Where the list of the organization is longer, the server does not cut the other one to its length. */
function listWitness(
  client: Client,
  { path: pathIn, parentIn, idIn = parentIn && (({ id }) => String(id)) }: ListWitness,
  parentId: string,
  organizationId: string,
): Witness {
  const path = pathIn(organizationId);
  return {
    path,
    isShared: true,
    showsNone: idIn === undefined,
    showsAll: parentIn !== undefined,
    async read({ length, first, once }) {
      const listed = await once(`${path} ${JSON.stringify(first)}`, () => elementsAt(client, path, first));
      const { length: longest } = listed;
      const inside = parentIn ? listed.filter((element) => parentIn(element) === parentId) : listed;
      const ids = idIn && inside.flatMap((element) => idIn(element) ?? []);
      // The others of a list that is cut may be in this one, and a list that shows nothing at all proves nothing of another.
      const isCut = longest === 0 || isUsualCut(longest);
      const isWhole = length > 0 ? longest > length : inside.length > 0 || !isCut;
      const count = parentIn && isWhole ? inside.length : undefined;
      return { ...(ids && { ids }), count, longest };
    },
  };
}

/** Lists that have the same elements together: where each is shorter than the list, none was cut to its length. */
export function togetherWitness(client: Client, paths: readonly string[]): Witness {
  return {
    path: paths.join(" and "),
    async read({ length }) {
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
