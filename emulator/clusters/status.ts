import { leavingState } from "../deployments/statuses.ts";
import type { Cluster } from "../world/records.ts";
import type { World } from "../world/world.ts";
import { isDeployed } from "./deployments.ts";
import { lockView } from "./locks.ts";

// The versions of Kubernetes that the platform offers: a new cluster has the first.
const versions = ["1.33", "1.34"];

/** The version of Kubernetes that a cluster has. */
export function versionOf({ version = versions[0] ?? "" }: Cluster): string {
  return version;
}

/** The version to which a cluster can be upgraded. */
export function nextVersionOf(cluster: Cluster): string | undefined {
  return isDeployed(cluster) ? versions[versions.indexOf(versionOf(cluster)) + 1] : undefined;
}

/** The state of a cluster; READY before its first deployment. */
export function stateOf({ id, deployment }: Cluster, world: World): string {
  return leavingState(id, world) ?? deployment?.state ?? "READY";
}

/** `deployment_status` of a cluster. */
export function deploymentStatusOf({ deployment }: Cluster): string {
  if (!deployment) return "NEVER_DEPLOYED";
  return deployment.upToDate ? "UP_TO_DATE" : "OUT_OF_DATE";
}

/** `ClusterStatus`. */
export function clusterStatusView(cluster: Cluster, world: World) {
  const { id, deployment } = cluster;
  return {
    cluster_id: id,
    status: stateOf(cluster, world),
    is_deployed: isDeployed(cluster),
    next_k8s_available_version: nextVersionOf(cluster) ?? null,
    last_execution_id: deployment?.id ?? null,
    cluster_lock: lockView(cluster, world),
    last_deployment_date: deployment?.date ?? null,
    reason: "UNSPECIFIED",
  };
}
