import { Type } from "typebox";
import { oneOf } from "../bodies/common.ts";
import { commitView, repositoryAt } from "../git/repositories.ts";
import { act, get, list, post, put, type Call, type Route } from "../http/routing.ts";
import { conflict, HttpError } from "../world/errors.ts";
import type { Cluster } from "../world/records.ts";
import { startClusterDeployment } from "./deployments.ts";
import { clusterOf, markChanged } from "./lookup.ts";
import { clusterStatusView, nextVersionOf, stateOf } from "./status.ts";

const ofCluster = "/organization/{organizationId}/cluster/{clusterId}";
const analyses = "/clusters/{clusterId}/analysis";

const A_TOKEN_LASTS = 15 * 60_000;

const zones = ["a", "b", "c"].map((zone) => `eks_karpenter_fargate_subnets_zone_${zone}_ids`);
const SubnetsRequest = Type.Object(
  Object.fromEntries(zones.map((member) => [member, Type.Optional(Type.Array(Type.String()))])),
);

const AnalysisRequest = Type.Object({
  kind: oneOf("COST_RECOMMENDATION", "DEPRECATED_API_CHECK"),
  output_format: oneOf("TABLE", "JSON", "CSV"),
});

const anything = Type.Optional(Type.Unsafe<object>({ type: "object" }));
const PlatformRequest = Type.Object({
  templateKey: Type.String(),
  templateVersion: Type.String(),
  layerSelections: anything,
  managedConfig: anything,
  customerProvidedInputs: anything,
});

/** Operations on a cluster besides its deployment. */
export const clusterOperationRoutes: Route[] = [
  get("/cluster/{clusterId}/token", (call) => ({
    apiVersion: "client.authentication.k8s.io/v1beta1",
    kind: "ExecCredential",
    spec: {},
    status: {
      token: `k8s-${clusterOf(call).id}`,
      expirationTimestamp: new Date(call.world.clock.now() + A_TOKEN_LASTS).toISOString(),
    },
  })),
  act("/cluster/{clusterId}/upgrade", 202, (call) => {
    const { world, failsDeployment: fails } = call;
    const cluster = clusterOf(call);
    const version = nextVersionOf(cluster);
    if (version === undefined) throw conflict(`there is no version to which ${cluster.name} can be upgraded`);
    startClusterDeployment(cluster, { action: "DEPLOY", fails: Boolean(fails) }, world);
    if (!fails) cluster.version = version;
    return clusterStatusView(cluster, world);
  }),
  list(
    "/cluster/{clusterId}/environments",
    (call) => {
      const { id } = clusterOf(call);
      return call.world.store.environments.all().filter(({ spec }) => spec.clusterId === id);
    },
    ({ id, name, parentId }, { store }) => ({
      environment_id: id,
      environment_name: name,
      project_id: parentId,
      project_name: store.projects.get(parentId).name,
      services: store.services
        .under(id)
        .map((service) => ({ id: service.id, name: service.name, type: service.kind.toUpperCase() })),
    }),
  ),
  list(`${ofCluster}/logs`, logsOf, (line) => line),
  {
    ...get(`${ofCluster}/installationHelmValues`, (call) => {
      const { id, parentId } = clusterOf(call);
      return `services: {}\nqovery:\n  clusterId: ${id}\n  organizationId: ${parentId}\n`;
    }),
    type: "application/x-yaml",
  },
  {
    ...put(`${ofCluster}/karpenterPrivateSubnetIds`, SubnetsRequest, (call) => {
      const { world, body } = call;
      const cluster = clusterOf(call);
      const features = (cluster.spec.features ?? []).map((feature) =>
        isNetwork(feature.value) ? { ...feature, value: { ...feature.value, ...body } } : feature,
      );
      markChanged(cluster, { spec: { ...cluster.spec, features } }, world);
    }),
    status: 204,
  },

  list(
    `${ofCluster}/eks-anywhere/commits`,
    (call) => repositoryAt(repositoryOf(clusterOf(call)).url, call.world)?.spec.commits ?? [],
    commitView,
  ),
  put(`${ofCluster}/eks-anywhere/commit`, Type.Object({ commit_id: Type.String() }), (call) => {
    const cluster = clusterOf(call);
    repositoryOf(cluster).commit_id = call.body.commit_id;
    markChanged(cluster, {}, call.world);
    return call.body;
  }),

  list(
    analyses,
    (call) => call.world.store.analyses.under(clusterOf(call).id),
    (analysis) => analysis.spec,
  ),
  post(analyses, 201, AnalysisRequest, (call) => {
    const { world, body, token } = call;
    const cluster = clusterOf(call);
    const { parentId, ...base } = world.base(cluster.id);
    const about = { cluster_id: cluster.id, organization_id: cluster.parentId, triggered_by: token.name };
    const spec = { ...base, ...body, ...about, status: "SUCCEEDED", error_message: null };
    return world.store.analyses.add({ ...base, parentId, name: base.id, spec }).spec;
  }),
  get(`${analyses}/{analysisId}`, (call) => call.world.store.analyses.get(call.param("analysisId")).spec),
  list(
    `${analyses}/{analysisId}/logs`,
    (call) => [call.world.store.analyses.get(call.param("analysisId"))],
    ({ created_at }) => ({ timestamp: created_at, level: "INFO", message: "nothing found", line_order: 1 }),
  ),

  get(`${ofCluster}/platformBinding`, (call) => platformView(clusterOf(call))),
  put(`${ofCluster}/platformBinding`, PlatformRequest, (call) =>
    platformView(markChanged(clusterOf(call), { platform: call.body }, call.world)),
  ),
];

/** The last step of the deployment of a cluster. */
function logsOf(call: Call): object[] {
  const cluster = clusterOf(call);
  const { deployment } = cluster;
  if (!deployment) return [];
  const state = stateOf(cluster, call.world);
  const message = { safe_message: `${cluster.name}: ${state}` };
  const step = deployment.action === "STOP" ? "Pause" : "Create";
  return [{ type: deployment.fails ? "Error" : "Info", timestamp: deployment.date, step, message }];
}

function isNetwork(value: unknown): value is object {
  return typeof value === "object" && value !== null && "aws_vpc_eks_id" in value;
}

/** The repository with the configuration of an EKS Anywhere cluster. */
function repositoryOf({ name, spec }: Cluster): { url: string; commit_id?: string } {
  const repository = spec.infrastructure_charts_parameters?.eks_anywhere_parameters?.git_repository;
  if (!repository) throw new HttpError(404, `${name} is no EKS Anywhere cluster`);
  return repository;
}

function platformView({ id: clusterId, parentId: organizationId, name, platform }: Cluster): object {
  if (!platform) throw new HttpError(404, `${name} has no platform template`);
  const nothing = { layerSelections: {}, managedConfig: {}, customerProvidedInputs: {}, layers: [] };
  return { clusterId, organizationId, ...nothing, ...platform };
}
