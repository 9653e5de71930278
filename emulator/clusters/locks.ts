import { conflict, HttpError } from "../world/errors.ts";
import { list, post, remove, type Route } from "../http/routing.ts";
import type { Cluster } from "../world/records.ts";
import type { World } from "../world/world.ts";
import { clusterOf, clustersOf } from "./lookup.ts";
import { LockRequest, type Lock } from "../bodies/clusters.ts";

const path = "/cluster/{clusterId}/lock";

export const lockRoutes: Route[] = [
  list("/organization/{organizationId}/lock", (call, world) =>
    clustersOf(call).flatMap((cluster) => lockView(cluster, world) ?? []),
  ),
  post(path, 200, LockRequest, (call, world, body) => {
    const cluster = clusterOf(call);
    const existing = lockOf(cluster, world);
    if (existing) throw conflict(`the cluster ${cluster.name} is locked by ${existing.ownerName} already`);
    cluster.lock = { ...body, lockedAt: world.stamp(), ownerName: call.token.name };
    world.record("LOCK", world.store.clusters, cluster);
    return lockView(cluster, world);
  }),
  remove(path, (call, world) => {
    const cluster = clusterOf(call);
    if (!lockOf(cluster, world)) throw new HttpError(404, `the cluster ${cluster.name} is not locked`);
    delete cluster.lock;
    world.record("UNLOCK", world.store.clusters, cluster);
  }),
];

/** Undefined: it has none, or its days are over. */
export function lockOf({ lock }: Cluster, { clock }: World): Lock | undefined {
  if (lock?.ttl_in_days === undefined) return lock;
  const ends = Date.parse(lock.lockedAt) + lock.ttl_in_days * 24 * 3600_000;
  return clock.now() < ends ? lock : undefined;
}

/** `ClusterLock`, or null. */
export function lockView(cluster: Cluster, world: World): object | null {
  const lock = lockOf(cluster, world);
  if (!lock) return null;
  const { lockedAt: locked_at, ownerName: owner_name, ...rest } = lock;
  return { ...rest, cluster_id: cluster.id, locked_at, owner_name };
}
