import { type Client, NotFoundError, path } from "../../api/index.ts";
import { type Fields, isFields, presentIn, textIn } from "../../values/json.ts";
import { absentWhenNotFound } from "../../state/live/index.ts";
import type { Organization } from "../../state/organization.ts";

const members = [
  "cluster",
  "status",
  "is_deployed",
  "next_k8s_available_version",
  "last_deployment_date",
  "reason",
  "cluster_lock",
  "cluster_id",
];

/** Reads the status of each cluster, without members that the API leaves open: two requests. @throws NotFoundError */
export async function readClusterStatus(client: Client, { id }: Organization): Promise<Fields[]> {
  const clustersAt = path`/organization/${id}/cluster`;
  const [statuses, clusters] = await Promise.all([
    listOf(client, `${clustersAt}/status`),
    listOf(client, clustersAt),
  ]);
  const names = new Map(clusters.map((cluster) => [textIn(cluster, "id"), textIn(cluster, "name")]));
  return statuses.map((status) => {
    const cluster = names.get(textIn(status, "cluster_id")) ?? null;
    return presentIn({ ...status, cluster }, members);
  });
}

async function listOf(client: Client, at: string): Promise<Fields[]> {
  const entries = await absentWhenNotFound(client.list(at));
  if (entries) return entries.filter(isFields);
  throw new NotFoundError(`404 on GET ${at}: the server has no status of clusters of the organization`, {
    method: "GET",
    path: at,
    status: 404,
    advice: "check the id of the organization; this server may not report the status of clusters",
  });
}
