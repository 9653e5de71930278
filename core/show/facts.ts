import { type Client, NotFoundError, path, UnexpectedAnswerError } from "../api/index.ts";
import { type Fields, isFields, mapFields, textIn } from "../json.ts";
import { absentWhenNotFound } from "../live/index.ts";
import type { Organization } from "../organization.ts";
import { clusterId } from "./cluster-id.ts";

/** What the API tells about an organization and no document states. */
export type FactSort = "billing" | "invoices" | "costs" | "cluster-status";

interface FactDefinition {
  /** In messages: what the server has not. */
  what: string;
  /** The end of its path, and for a list the members of its entries; other members of an answer are not shown. */
  segment: string;
  isList: boolean;
  members: readonly string[];
}

const definitions: Record<FactSort, FactDefinition> = {
  billing: {
    what: "billing information",
    segment: "billingInfo",
    isList: false,
    members: [
      "first_name",
      "last_name",
      "email",
      "company",
      "vat_number",
      "address",
      "zip",
      "city",
      "state",
      "country_code",
    ],
  },
  invoices: {
    what: "invoices",
    segment: "invoice",
    isList: true,
    members: ["created_at", "status", "cost", "id"],
  },
  costs: {
    what: "costs",
    segment: "currentCost",
    isList: false,
    members: ["plan", "cost", "remaining_trial_day", "renewal_at"],
  },
  "cluster-status": {
    what: "status of clusters",
    segment: "status",
    isList: true,
    members: [
      "cluster",
      "status",
      "is_deployed",
      "next_k8s_available_version",
      "last_deployment_date",
      "reason",
      "cluster_lock",
      "cluster_id",
    ],
  },
};

/**
 * Reads facts of the organization: one request, and for the status of clusters the list of their names.
 *
 * @returns one element for what is no list; members that the API leaves open are left out
 * @throws NotFoundError where the server does not have them
 */
export async function readFacts(client: Client, { id }: Organization, sort: FactSort): Promise<Fields[]> {
  const { isList, members } = definitions[sort];
  const { at, entries } =
    sort === "cluster-status" ? await statusesOfClusters(client, id) : await plainFacts(client, id, sort);
  const facts = entries.filter(isFields).map((entry) =>
    Object.fromEntries(
      members.flatMap((member) => {
        const value = member === "cost" ? (entry[member] ?? costIn(entry)) : entry[member];
        return value === undefined || value === null ? [] : [[member, value]];
      }),
    ),
  );
  if (!isList && facts.length === 0)
    throw new UnexpectedAnswerError(`Unexpected answer to GET ${at}: it is no JSON object`, {
      method: "GET",
      path: at,
      advice: "check that the base URL is the API's",
    });
  return facts;
}

/**
 * Reads what a cluster costs: one request, and one for the list of clusters where it is given by name.
 *
 * @param cluster name or id
 * @returns the cost with the nodes that always run, and with those that run at most
 * @throws InvalidInputError where there is no such cluster
 * @throws NotFoundError where the server does not have them
 */
export async function readClusterCosts(
  client: Client,
  organization: Organization,
  cluster: string,
): Promise<Fields> {
  const id = await clusterId(client, organization, cluster);
  const at = path`/organization/${organization.id}/cluster/${id}/currentCost`;
  const [answer] = await present(
    "costs",
    at,
    client.get(at).then((value) => [value]),
  );
  const { currency_code: currency = null, ...costs } = isFields(answer) ? answer : {};
  const cost = (amount: string, cents: string) => {
    const [total = null, total_in_cents = null] = [costs[amount], costs[cents]];
    return total === null ? undefined : { total_in_cents, total, currency_code: currency };
  };
  const found = {
    cost: cost("total", "total_in_cents"),
    min_cost: cost("min_cost", "min_cost_in_cents"),
    max_cost: cost("max_cost", "max_cost_in_cents"),
  };
  return mapFields(found as Fields, (value) => value ?? undefined);
}

interface Answer {
  at: string;
  entries: unknown[];
}

async function plainFacts(client: Client, id: string, sort: FactSort): Promise<Answer> {
  const { segment, isList } = definitions[sort];
  const at = path`/organization/${id}/${segment}`;
  const entries = await present(
    sort,
    at,
    isList ? client.list(at) : client.get(at).then((answer) => [answer]),
  );
  return { at, entries };
}

/** The status of each cluster, with its name. */
async function statusesOfClusters(client: Client, id: string): Promise<Answer> {
  const clustersAt = path`/organization/${id}/cluster`;
  const at = `${clustersAt}/${definitions["cluster-status"].segment}`;
  const [statuses, clusters] = await Promise.all([
    present("cluster-status", at, client.list(at)),
    present("cluster-status", clustersAt, client.list(clustersAt)),
  ]);
  const names = new Map(
    clusters.filter(isFields).map((cluster) => [textIn(cluster, "id"), textIn(cluster, "name")]),
  );
  const entries = statuses.filter(isFields).map((status) => {
    const name = names.get(textIn(status, "cluster_id"));
    return { ...status, ...(name !== undefined && { cluster: name }) };
  });
  return { at, entries };
}

async function present(sort: FactSort, at: string, reading: Promise<unknown[]>): Promise<unknown[]> {
  const entries = await absentWhenNotFound(reading);
  if (entries) return entries;
  throw new NotFoundError(
    `404 on GET ${at}: the server has no ${definitions[sort].what} of the organization`,
    {
      method: "GET",
      path: at,
      status: 404,
      advice: "check the id of the organization, and whether this server is one that tells them",
    },
  );
}

/** The cost of an invoice, which has its members beside its own. */
function costIn({ total_in_cents, total, currency_code }: Fields): Fields | undefined {
  return total_in_cents === undefined || total === undefined || currency_code === undefined
    ? undefined
    : { total_in_cents, total, currency_code };
}
