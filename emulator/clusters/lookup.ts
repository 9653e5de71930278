import { notFound } from "../world/errors.ts";
import { organizationOf } from "../http/lookup.ts";
import type { Call } from "../http/routing.ts";
import type { Cluster } from "../world/records.ts";
import type { World } from "../world/world.ts";

// Placeholders of clients that know the cluster and not its organization; the second is no uuid.
const nobody = new Set(["", "00000000-0000-0000-0000-000000000000", "00000000-0000-0000-000000000000"]);

/** The cluster of a path; throws 404 when it does not exist, or belongs to another organization than that of the path. */
export function clusterOf({ world, param }: Call): Cluster {
  const cluster = world.store.clusters.get(param("clusterId"));
  const organizationId = param("organizationId");
  if (!nobody.has(organizationId) && cluster.parentId !== organizationId)
    throw notFound("cluster", cluster.id);
  return cluster;
}

export function clustersOf(call: Call): Cluster[] {
  return call.world.store.clusters.under(organizationOf(call).id);
}

/** Changes a cluster, which is then out of date until its next deployment. */
export function markChanged(cluster: Cluster, changes: Partial<Cluster>, world: World): Cluster {
  const { deployment } = cluster;
  return world.update(world.store.clusters, cluster, {
    ...changes,
    ...(deployment && { deployment: { ...deployment, upToDate: false } }),
  });
}
