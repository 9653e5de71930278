import type { ClusterRequest } from "../bodies/clusters.ts";
import { unstated } from "../world/defaults.ts";
import type { World } from "../world/world.ts";

type Provider = ClusterRequest["cloud_provider"];

const instanceTypes: Partial<Record<Provider, string>> = {
  AWS: "t3.xlarge",
  SCW: "DEV1-L",
  AZURE: "Standard_DS2_v2",
  GCP: "AUTO_PILOT",
};

/** The nodes of a cluster, as the platform chooses them where a request does not. Source: notes.md. */
export function nodesOf({ cloud_provider, features = [], ...stated }: ClusterRequest, world: World) {
  const hasKarpenter = features.some(
    ({ id, value }) => id === "KARPENTER" && value != null && value !== false,
  );
  const { min, max, type } = hasKarpenter
    ? { min: 1, max: 1, type: "KARPENTER" }
    : { ...countsOf(cloud_provider), type: instanceTypes[cloud_provider] };
  const instance_type = stated.instance_type ?? unstated("cluster.instance_type", type, undefined, world);
  return {
    min_running_nodes: stated.min_running_nodes ?? unstated("cluster.min_running_nodes", min, 1, world),
    max_running_nodes: stated.max_running_nodes ?? unstated("cluster.max_running_nodes", max, 1, world),
    ...(instance_type !== undefined && { instance_type }),
  };
}

function countsOf(provider: Provider): { min: number; max: number } {
  return provider === "AWS" || provider === "SCW" || provider === "AZURE"
    ? { min: 3, max: 10 }
    : { min: 1, max: 1 };
}
