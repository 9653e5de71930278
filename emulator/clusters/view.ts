import type { Cluster } from "../world/records.ts";
import type { World } from "../world/world.ts";
import { isDeployed } from "./deployments.ts";
import { featureView } from "./features.ts";
import { deploymentStatusOf, stateOf, kubernetesVersion } from "./status.ts";

/** A cluster in a response, without its credentials and without secrets. */
export function clusterView(cluster: Cluster, world: World): object {
  const { id, created_at, updated_at, parentId, spec } = cluster;
  const { cloud_provider_credentials: _, features, secret_manager_accesses: accesses, ...rest } = spec;
  return {
    id,
    created_at,
    updated_at,
    organization: { id: parentId },
    description: "",
    ...rest,
    features: (features ?? []).map(featureView),
    ...(accesses && { secret_manager_accesses: accesses.map((access) => accessView(access, cluster)) }),
    ...outputsOf(cluster),
    status: stateOf(cluster, world),
    deployment_status: deploymentStatusOf(cluster),
    has_access: true,
    is_default: world.store.clusters.under(parentId)[0]?.id === id,
    is_demo: false,
    version: kubernetesVersion,
  };
}

type Access = NonNullable<Cluster["spec"]["secret_manager_accesses"]>[number];

function accessView({ authentication, ...rest }: Access, { created_at, updated_at }: Cluster): object {
  const { secret_key: _key, json_credentials: _credentials, ...readable } = authentication;
  return { ...rest, created_at, updated_at, authentication: readable };
}

/** Data of the cloud provider about a deployed cluster. */
function outputsOf(cluster: Cluster): object {
  const { id, spec } = cluster;
  if (!isDeployed(cluster) || spec.kubernetes === "SELF_MANAGED") return {};
  const short = id.slice(0, 8);
  const cluster_name = `cluster-z${short}`;
  const outputs: Partial<Record<typeof spec.cloud_provider, object>> = {
    AWS: {
      kind: "EKS",
      cluster_name,
      cluster_arn: `arn:aws:eks:${spec.region}:123456789012:cluster/${cluster_name}`,
      cluster_oidc_issuer: `https://oidc.eks.${spec.region}.amazonaws.com/id/${short.toUpperCase()}`,
      vpc_id: `vpc-${short}`,
    },
    GCP: {
      kind: "GKE",
      cluster_name,
      cluster_self_link: `https://container.googleapis.com/v1/${cluster_name}`,
    },
    AZURE: { kind: "AKS", cluster_name, cluster_oidc_issuer: `https://oidc.azure.example/${short}` },
    SCW: { kind: "SCW_KAPSULE", cluster_name },
  };
  const found = outputs[spec.cloud_provider];
  return found ? { infrastructure_outputs: found } : {};
}
