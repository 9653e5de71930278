import { leavingState } from "../deployments/statuses.ts";
import type { Cluster } from "../world/records.ts";
import type { World } from "../world/world.ts";
import { isDeployed } from "./deployments.ts";
import { lockView } from "./locks.ts";

// The versions of Kubernetes that the platform offers: a new cluster has the first.
/** The version of Kubernetes that every cluster has, and the one after it. */
export const kubernetesVersion = "1.33";
const nextVersion = "1.34";

/** READY before the first deployment of a cluster. */
export function stateOf({ id, deployment }: Cluster, world: World): string {
  return leavingState(id, world) ?? deployment?.state ?? "READY";
}

export function deploymentStatusOf({ deployment }: Cluster): string {
  if (!deployment) return "NEVER_DEPLOYED";
  return deployment.upToDate ? "UP_TO_DATE" : "OUT_OF_DATE";
}

export function clusterStatusView(cluster: Cluster, world: World) {
  const { id, deployment } = cluster;
  return {
    cluster_id: id,
    status: stateOf(cluster, world),
    is_deployed: isDeployed(cluster),
    next_k8s_available_version: isDeployed(cluster) ? nextVersion : null,
    last_execution_id: deployment?.id ?? null,
    cluster_lock: lockView(cluster, world),
    last_deployment_date: deployment?.date ?? null,
    reason: "UNSPECIFIED",
  };
}
