import { HttpError, invalid } from "../world/errors.ts";
import { organizationOf } from "../http/lookup.ts";
import { get, list, post, remove, type Call, type Route } from "../http/routing.ts";
import type { Cluster } from "../world/records.ts";
import type { World } from "../world/world.ts";
import { clusterOf, clustersOf } from "./lookup.ts";
import { ArgoCdRequest, MappingRequest, type ArgoCd } from "../bodies/clusters.ts";

// The description requires a token in a response, without an example.
const HIDDEN = "********";

// The destination that every Argo CD knows: its own cluster.
const OWN = { url: "https://kubernetes.default.svc", name: "in-cluster" };

const configPath = "/cluster/{clusterId}/argoCdConfig";
const mappingPath = "/organization/{organizationId}/argoCdDestinationClusterMapping";

/** Argo CD: one configuration a cluster, and mappings of its destinations to clusters. */
export const argoCdRoutes: Route[] = [
  get(configPath, (call) => {
    const cluster = clusterOf(call);
    return configView(cluster, argoCdOf(cluster));
  }),
  post(configPath, 200, ArgoCdRequest, (call, world, body) => {
    const cluster = clusterOf(call);
    const { argoCd } = cluster;
    const now = world.stamp();
    const settings = argoCd ?? { id: world.newId(), createdAt: now, mappings: [] };
    const changed = { ...settings, updatedAt: now, url: body.argocd_url, token: body.argocd_token };
    world.update(world.store.clusters, cluster, { argoCd: changed });
    return configView(cluster, changed);
  }),
  remove(configPath, (call, world) => {
    const cluster = clusterOf(call);
    argoCdOf(cluster);
    delete cluster.argoCd;
    world.record("UPDATE", world.store.clusters, cluster);
  }),

  list(
    mappingPath,
    (call) => clustersOf(call).filter(({ argoCd }) => argoCd),
    (cluster, world) => instanceView(cluster, argoCdOf(cluster), world),
  ),
  post(mappingPath, 200, MappingRequest, (call, world, body) => {
    const agent = clusterIn(call, "agent_cluster_id", body.agent_cluster_id);
    const { id: clusterId } = clusterIn(call, "cluster_id", body.cluster_id);
    const { argoCd } = agent;
    if (!argoCd) throw invalid("agent_cluster_id", `the cluster ${agent.name} has no Argo CD configuration`);
    const url = body.argocd_cluster_url;
    const others = argoCd.mappings.filter((mapping) => mapping.url !== url);
    const mappings = [...others, { url, clusterId }];
    world.update(world.store.clusters, agent, { argoCd: { ...argoCd, mappings } });
    return body;
  }),
  remove(mappingPath, (call, world) => {
    const [agentId, url] = [required(call, "agentClusterId"), required(call, "argocdClusterUrl")];
    const agent = world.store.clusters.get(agentId);
    const argoCd = argoCdOf(agent);
    const mappings = argoCd.mappings.filter((mapping) => mapping.url !== url);
    if (mappings.length === argoCd.mappings.length)
      throw new HttpError(404, `the Argo CD of ${agent.name} has no mapping for ${url}`);
    world.update(world.store.clusters, agent, { argoCd: { ...argoCd, mappings } });
  }),
];

function argoCdOf({ name, argoCd }: Cluster): ArgoCd {
  if (!argoCd) throw new HttpError(404, `the cluster ${name} has no Argo CD configuration`);
  return argoCd;
}

function clusterIn(call: Call, field: string, clusterId: string): Cluster {
  const cluster = call.world.store.clusters.find(clusterId);
  if (cluster?.parentId !== organizationOf(call).id)
    throw invalid(field, `this organization has no cluster with id ${clusterId}`);
  return cluster;
}

function required({ query }: Call, name: string): string {
  const value = query[name];
  if (!value) throw new HttpError(400, `${name}: is required`);
  return value;
}

function configView({ id: cluster_id }: Cluster, argoCd: ArgoCd): object {
  return {
    id: argoCd.id,
    cluster_id,
    argocd_url: argoCd.url,
    argocd_token: HIDDEN,
    last_checked_at: argoCd.updatedAt,
    created_at: argoCd.createdAt,
    updated_at: argoCd.updatedAt,
  };
}

function instanceView(agent: Cluster, argoCd: ArgoCd, { store }: World): object {
  const linked = argoCd.mappings.flatMap(({ url, clusterId }) => {
    const cluster = store.clusters.find(clusterId);
    return cluster ? [{ url, cluster }] : [];
  });
  const isOwnLinked = linked.some(({ url }) => url === OWN.url);
  return {
    agent_cluster_id: agent.id,
    agent_cluster_name: agent.name,
    agent_cluster_cloud_provider: agent.spec.cloud_provider,
    credentials_id: argoCd.id,
    argocd_url: argoCd.url,
    status: "connected",
    last_checked_at: argoCd.updatedAt,
    linked_clusters: linked.map(({ url, cluster }) => ({
      argocd_cluster_url: url,
      argocd_cluster_name: url === OWN.url ? OWN.name : cluster.name,
      qovery_cluster_id: cluster.id,
      qovery_cluster_name: cluster.name,
      qovery_cluster_cloud_provider: cluster.spec.cloud_provider,
      qovery_cluster_type: cluster.spec.kubernetes ?? "MANAGED",
      applications_count: 0,
    })),
    unlinked_clusters: isOwnLinked
      ? []
      : [{ argocd_cluster_url: OWN.url, argocd_cluster_name: OWN.name, applications_count: 0 }],
  };
}
