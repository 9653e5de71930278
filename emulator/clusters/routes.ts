import { organizationOf } from "../http/lookup.ts";
import { list, post } from "../http/routing.ts";
import type { Route } from "../http/routing.ts";
import { requireReference } from "../services/shared.ts";
import type { Cluster } from "../world/records.ts";
import type { World } from "../world/world.ts";
import { ClusterRequest } from "./schemas.ts";

const many = "/organization/{organizationId}/cluster";

/** Clusters. */
export const clusterRoutes: Route[] = [
  list(many, (call) => call.world.store.clusters.under(organizationOf(call).id), clusterView),
  post(many, 201, ClusterRequest, (call) => {
    const { world, body: spec } = call;
    checkCredentials(spec, world);
    const cluster = { ...world.base(organizationOf(call).id), name: spec.name, spec };
    return clusterView(world.add(world.store.clusters, cluster), world);
  }),
];

function checkCredentials({ cloud_provider_credentials: info }: ClusterRequest, { store }: World): void {
  const id = info?.credentials?.id;
  if (id !== undefined) requireReference("cloud_provider_credentials.credentials.id", id, store.credentials);
}

function clusterView(cluster: Cluster, { store }: World) {
  const { id, created_at, updated_at, parentId, spec } = cluster;
  const { cloud_provider_credentials: _, ...rest } = spec;
  return {
    id,
    created_at,
    updated_at,
    organization: { id: parentId },
    ...rest,
    status: "DEPLOYED",
    deployment_status: "UP_TO_DATE",
    has_access: true,
    is_default: store.clusters.under(parentId)[0]?.id === id,
    is_demo: false,
    version: "1.33",
  };
}
