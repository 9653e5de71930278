import type { Static } from "typebox";
import { startDeletion } from "../lifecycle/removal.ts";
import { invalid } from "../world/errors.ts";
import { organizationOf } from "../http/lookup.ts";
import { act, get, list, post, put, remove, type Call, type Route } from "../http/routing.ts";
import { checkReferences, requireReference, withIds } from "../services/common-fields.ts";
import { requireUnused } from "../world/in-use.ts";
import type { Cluster } from "../world/records.ts";
import type { World } from "../world/world.ts";
import { isDeployed, requireUnlocked, startClusterDeployment } from "./deployments.ts";
import { checkFeatures, featureView } from "./features.ts";
import { clusterOf, clustersOf, markChanged } from "./lookup.ts";
import {
  CloudProviderInfoRequest,
  ClusterRequest,
  RoutingTableRequest,
  type SecretManagerAccess,
} from "../bodies/clusters.ts";
import { clusterStatusView, stateOf, deploymentStatusOf, kubernetesVersion } from "./status.ts";
import { undeclared } from "../world/defaults.ts";
import { stamps } from "../world/store.ts";

const instanceTypes: Partial<Record<ClusterRequest["cloud_provider"], string>> = {
  AWS: "t3.xlarge",
  SCW: "DEV1-L",
  AZURE: "Standard_DS2_v2",
  GCP: "AUTO_PILOT",
};

/** The nodes of a cluster, with the platform's choice for omitted numbers. */
function nodesOf({ cloud_provider, features = [], ...declared }: ClusterRequest, world: World) {
  const hasKarpenter = features.some(
    ({ id, value }) => id === "KARPENTER" && value != null && value !== false,
  );
  const { min, max, type } = hasKarpenter
    ? { min: 1, max: 1, type: "KARPENTER" }
    : { ...countsOf(cloud_provider), type: instanceTypes[cloud_provider] };
  const instance_type = declared.instance_type ?? undeclared("cluster.instance_type", type, undefined, world);
  // A chosen number is never on the wrong side of a given one.
  const least = Math.min(min, declared.max_running_nodes ?? min);
  const most = Math.max(max, declared.min_running_nodes ?? max);
  return {
    min_running_nodes: declared.min_running_nodes ?? undeclared("cluster.min_running_nodes", least, 1, world),
    max_running_nodes: declared.max_running_nodes ?? undeclared("cluster.max_running_nodes", most, 1, world),
    ...(instance_type !== undefined && { instance_type }),
  };
}

function countsOf(provider: ClusterRequest["cloud_provider"]): { min: number; max: number } {
  return provider === "AWS" || provider === "SCW" || provider === "AZURE"
    ? { min: 3, max: 10 }
    : { min: 1, max: 1 };
}

const many = "/organization/{organizationId}/cluster";
const one = `${many}/{clusterId}`;

export const clusterRoutes: Route[] = [
  list(many, clustersOf, clusterView),
  post(many, 201, ClusterRequest, (call, world, body) => {
    const spec = admit(body, world);
    const cluster = { ...world.base(organizationOf(call).id), name: spec.name, spec };
    return clusterView(world.add(world.store.clusters, cluster), world);
  }),
  list(`${many}/status`, clustersOf, clusterStatusView),
  put(one, ClusterRequest, (call, world, body) => {
    const cluster = clusterOf(call);
    world.operations.requireStaying(cluster.id);
    const spec = admit(body, world, cluster);
    return clusterView(markChanged(cluster, { name: spec.name, spec }, world), world);
  }),
  remove(one, (call, world) => {
    const cluster = clusterOf(call);
    const { deleteMode = "DEFAULT" } = call.query;
    if (!deleteModes.includes(deleteMode))
      throw invalid("deleteMode", `must be one of ${deleteModes.join(", ")}`);
    if (world.operations.isLeaving(cluster.id)) return;
    requireUnlocked(cluster, world);
    const environments = world.store.environments
      .all()
      .filter(({ spec }) => spec.clusterId === cluster.id)
      .map(({ name }) => `environment ${name}`);
    requireUnused(cluster.name, environments, world);
    world.operations.requireIdle(cluster.id);
    startDeletion([cluster.id], world);
  }),

  get(`${one}/status`, (call) => clusterStatusView(clusterOf(call), call.world)),
  get(`${one}/isReady`, (call) => {
    const cluster = clusterOf(call);
    return { is_ready: isDeployed(cluster) && stateOf(cluster, call.world) === "DEPLOYED" };
  }),
  act(`${one}/deploy`, 201, (call, world) =>
    call.query["dry_run"] === "true"
      ? { ...clusterStatusView(clusterOf(call), world), status: "DRY_RUN" }
      : deployed(call, "DEPLOY"),
  ),
  act(`${one}/stop`, 202, (call) => deployed(call, "STOP")),

  get(`${one}/routingTable`, (call) => ({ results: clusterOf(call).routes ?? [] })),
  put(
    `${one}/routingTable`,
    RoutingTableRequest,
    (call, world, { routes }) => {
      markChanged(clusterOf(call), { routes }, world);
      return { results: routes };
    },
    201,
  ),

  get(`${one}/cloudProviderInfo`, (call) => infoView(clusterOf(call), call.world)),
  post(`${one}/cloudProviderInfo`, 201, CloudProviderInfoRequest, (call, world, body) => {
    const cluster = clusterOf(call);
    checkCredentials("credentials.id", body, cluster.spec, world);
    markChanged(cluster, { spec: { ...cluster.spec, cloud_provider_credentials: body } }, world);
    return infoView(cluster, world);
  }),
];

function deployed(call: Call, action: "DEPLOY" | "STOP") {
  const cluster = clusterOf(call);
  startClusterDeployment(cluster, { action, fails: Boolean(call.failsDeployment) }, call.world);
  return clusterStatusView(cluster, call.world);
}

const deleteModes = ["DEFAULT", "DELETE_CLUSTER_AND_QOVERY_CONFIG", "DELETE_QOVERY_CONFIG"];

/** A configuration that can be stored; throws 400 for mistakes that a schema cannot express. */
function admit(body: ClusterRequest, world: World, previous?: Cluster): ClusterRequest {
  requireUnchanged(body, previous);
  checkFeatures(body.features);
  checkReferences("labels_groups", body.labels_groups, world.store.labelsGroups);
  const { cloud_provider_credentials: info = previous?.spec.cloud_provider_credentials } = body;
  if (info) checkCredentials("cloud_provider_credentials.credentials.id", info, body, world);
  const accesses = accessesWithIds(body.secret_manager_accesses, previous, world);
  return {
    ...body,
    ...nodesOf(body, world),
    // A response does not contain the credentials, so a PUT without them keeps them.
    ...(info && { cloud_provider_credentials: info }),
    ...(accesses && { secret_manager_accesses: accesses }),
  };
}

function accessesWithIds(
  accesses: SecretManagerAccess[] | undefined,
  previous: Cluster | undefined,
  world: World,
): SecretManagerAccess[] | undefined {
  const known = previous?.spec.secret_manager_accesses?.map(({ id }) => ({ id: id ?? "" }));
  const given = accesses?.map((access) => ({ ...access, id: access.id ?? "" }));
  return given && withIds("secret_manager_accesses", given, known, world);
}

function requireUnchanged(body: ClusterRequest, previous: Cluster | undefined): void {
  for (const member of ["cloud_provider", "region", "kubernetes"] as const) {
    if (previous && body[member] !== previous.spec[member])
      throw invalid(member, `cannot be changed after the creation; it is ${String(previous.spec[member])}`);
  }
}

function checkCredentials(
  field: string,
  { credentials: given }: Static<typeof CloudProviderInfoRequest>,
  { cloud_provider: provider }: Pick<ClusterRequest, "cloud_provider">,
  { store }: World,
): void {
  const id = given?.id;
  if (id === undefined) return;
  requireReference(field, id, store.credentials);
  const credentials = store.credentials.get(id);
  if (credentials.spec.provider !== provider)
    throw invalid(
      field,
      `${credentials.name} are credentials of ${credentials.spec.provider}, not of ${provider}`,
    );
}

// The providers of `cloudProviderInfo`.
const providers = new Set(["AWS", "SCW", "GCP", "ON_PREMISE", "AZURE"]);

function infoView({ spec }: Cluster, { store }: World): object {
  const { cloud_provider, region } = spec;
  const credentials = store.credentials.find(spec.cloud_provider_credentials?.credentials?.id ?? "");
  return {
    ...(providers.has(cloud_provider) && { cloud_provider }),
    ...(credentials && { credentials: { id: credentials.id, name: credentials.name } }),
    region,
  };
}

function clusterView(cluster: Cluster, world: World): object {
  const { id, parentId, spec } = cluster;
  const { cloud_provider_credentials: _, features, secret_manager_accesses: accesses, ...rest } = spec;
  return {
    ...stamps(cluster),
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

function accessView(
  { authentication, ...rest }: NonNullable<Cluster["spec"]["secret_manager_accesses"]>[number],
  { created_at, updated_at }: Cluster,
): object {
  const { secret_key: _key, json_credentials: _credentials, ...readable } = authentication;
  return { ...rest, created_at, updated_at, authentication: readable };
}

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
