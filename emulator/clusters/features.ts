import { Type, type TSchema } from "typebox";
import { invalid } from "../world/errors.ts";
import { flag, maybe, maybeObject, oneOf, optionalObject, withDefault } from "../bodies/common.ts";
import { validateAt } from "../http/validation.ts";
import { diskSpeed, type ClusterRequest } from "../bodies/clusters.ts";

// The API description gives a feature an id, but no operation lists the features. Clients know some by name. The
// emulator accepts any other id too, and derives the type of such a feature from its value.

const ids = Type.Array(Type.String());
const moreIds = maybe(ids);
const weekday = oneOf("MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY");
const consolidateAfter = { consolidate_after: Type.Optional(Type.String({ pattern: "^\\d+(s|m|h)$" })) };
const limits = {
  limits: optionalObject({
    enabled: Type.Boolean(),
    max_cpu_in_vcpu: Type.Integer(),
    max_memory_in_gibibytes: Type.Integer(),
    max_gpu: Type.Integer({ minimum: 0 }),
  }),
};
const consolidation = {
  consolidation: optionalObject({
    enabled: Type.Boolean(),
    days: Type.Array(weekday),
    start_time: Type.String(),
    duration: Type.String(),
  }),
};
const spot = { spot_enabled: maybe(Type.Boolean()) };
const requirements = Type.Array(
  Type.Object({
    key: oneOf("InstanceFamily", "InstanceSize", "Arch", "SkuFamily", "SkuVersion"),
    operator: oneOf("In"),
    values: Type.Array(Type.String()),
  }),
);

const Karpenter = Type.Object({
  spot_enabled: Type.Boolean(),
  disk_size_in_gib: Type.Integer(),
  ...diskSpeed,
  default_service_architecture: oneOf("AMD64", "ARM64"),
  qovery_node_pools: Type.Object({
    requirements,
    stable_override: optionalObject({ ...consolidation, ...limits, ...spot, ...consolidateAfter }),
    default_override: optionalObject({ ...limits, ...spot, ...consolidateAfter }),
    gpu_override: optionalObject({
      ...consolidation,
      ...limits,
      requirements: Type.Optional(requirements),
      disk_size_in_gib: withDefault(Type.Integer({ minimum: 0 }), 100),
      ...diskSpeed,
      spot_enabled: withDefault(Type.Boolean(), false),
      ...consolidateAfter,
    }),
    cronjob_override: optionalObject({ ...consolidation, ...limits, ...spot, ...consolidateAfter }),
  }),
});

const zones = (stem: string, each: TSchema) =>
  Object.fromEntries(["a", "b", "c"].map((zone) => [`${stem}_zone_${zone}_ids`, each]));

const AwsNetwork = Type.Object({
  aws_vpc_eks_id: Type.String(),
  ...zones("eks_subnets", ids),
  ...zones("documentdb_subnets", moreIds),
  ...zones("elasticache_subnets", moreIds),
  ...zones("rds_subnets", moreIds),
  ...zones("eks_karpenter_fargate_subnets", moreIds),
  eks_create_nodes_in_private_subnet: withDefault(Type.Boolean(), true),
});

const GcpNetwork = Type.Object({
  vpc_name: Type.String(),
  vpc_project_id: maybe(Type.String()),
  subnetwork_name: maybe(Type.String()),
  ip_range_services_name: maybe(Type.String()),
  ip_range_pods_name: maybe(Type.String()),
  additional_ip_range_pods_names: Type.Optional(ids),
  private_nodes: withDefault(Type.Boolean(), false),
});

const NatGateway = Type.Object({
  nat_gateway_type: maybeObject({
    provider: oneOf("scaleway", "gcp"),
    type: Type.Optional(oneOf("VPC-GW-S", "VPC-GW-M", "VPC-GW-L", "VPC-GW-XL")),
    static_ips_enabled: flag,
    static_ips_count: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
});

// The types of features with several members, each identified by a member of its own.
const forms: { type: string; title: string; member: string; schema: TSchema }[] = [
  { type: "KARPENTER", title: "Karpenter", member: "qovery_node_pools", schema: Karpenter },
  { type: "AWS_USER_PROVIDED_NETWORK", title: "Existing VPC", member: "aws_vpc_eks_id", schema: AwsNetwork },
  { type: "GCP_USER_PROVIDED_NETWORK", title: "Existing VPC", member: "vpc_name", schema: GcpNetwork },
  { type: "NAT_GATEWAY", title: "NAT gateway", member: "nat_gateway_type", schema: NatGateway },
];

/** The features that clients know by name, each with the types of its value. */
const named: Readonly<Record<string, readonly string[]>> = {
  STATIC_IP: ["BOOLEAN"],
  VPC_SUBNET: ["STRING"],
  KARPENTER: ["KARPENTER"],
  NAT_GATEWAY: ["NAT_GATEWAY"],
  EXISTING_VPC: ["AWS_USER_PROVIDED_NETWORK", "GCP_USER_PROVIDED_NETWORK"],
};

type Feature = NonNullable<ClusterRequest["features"]>[number];

export function checkFeatures(features: Feature[] = []): void {
  const seen = new Set<string>();
  for (const [index, { id, value }] of features.entries()) {
    if (seen.has(id)) throw invalid(`features[${index}].id`, "is in the list twice");
    seen.add(id);
    if (typeof value === "object" && value !== null) checkForm(`features[${index}].value`, value);
    else if (value !== null && value !== undefined && typeof value !== "string" && typeof value !== "boolean")
      throw invalid(`features[${index}].value`, "must be a text, true, false, an object or null");
    const types = named[id];
    if (types && value !== null && value !== undefined && !types.includes(typeOf(value).type))
      throw invalid(`features[${index}].value`, `of ${id} must be of the type ${types.join(" or ")}`);
  }
}

function checkForm(place: string, value: object): void {
  const form = formOf(value);
  if (!form) throw invalid(place, `must have one of ${forms.map(({ member }) => member).join(", ")}`);
  validateAt(place, form.schema, value);
}

function formOf(value: object) {
  return forms.find(({ member }) => member in value);
}

export function featureView({ id, value = null }: Feature): object {
  const { type, title } = typeOf(value);
  return {
    id,
    title,
    is_cloud_provider_paying_feature: false,
    is_qovery_paying_feature: false,
    value_type: "BOOLEAN",
    value_object: value === null ? null : { type, value },
    is_value_updatable: true,
  };
}

function typeOf(value: unknown): { type: string; title: string } {
  const form = typeof value === "object" && value !== null ? formOf(value) : undefined;
  if (form) return form;
  return typeof value === "string"
    ? { type: "STRING", title: "VPC subnet" }
    : { type: "BOOLEAN", title: "Static IP" };
}
