import { isFields, type Fields, type Json } from "../../values/json.ts";
import { choice, flag, list, object, required, set, text, wholeNumber, word } from "../schema/field.ts";
import type { FieldSchema } from "../schema/field-schema.ts";
import { weekdays } from "./fields.ts";
import type { FieldMistake } from "./kind-members.ts";

// A value of a feature is compared and written as a whole: an update sends all of it.

/** The API returns null for an unset value. */
const orNull = (schema: FieldSchema): FieldSchema => ({ ...schema, nullable: true });

const gib = (description: string) => wholeNumber(description, { minimum: 0 });

const speed = {
  disk_iops: wholeNumber("Input and output operations of a disk in a second.", {
    minimum: 3000,
    maximum: 16_000,
  }),
  disk_throughput: wholeNumber("Throughput of a disk in MiB a second.", { minimum: 125, maximum: 1000 }),
};

const requirements = list(
  object({
    key: required(
      choice(
        ["InstanceFamily", "InstanceSize", "Arch", "SkuFamily", "SkuVersion"],
        "The property of the instances.",
      ),
    ),
    operator: required(choice(["In"], "How the values are compared.")),
    values: required(list(text(), "The values that are allowed.")),
  }),
  "Requirements for the instances of a pool.",
);

const limits = object("Limits of a pool.", {
  enabled: required(flag("Whether the limits hold.")),
  max_cpu_in_vcpu: required(wholeNumber("CPUs at most.")),
  max_memory_in_gibibytes: required(wholeNumber("Memory in GiB at most.")),
  max_gpu: required(gib("GPUs at most.")),
});

const consolidation = object("When nodes of a pool are consolidated.", {
  enabled: required(flag("Whether nodes are consolidated.")),
  days: required(list(choice(weekdays, "A weekday."), "Weekdays.")),
  start_time: required(text("When it starts, such as `PT22:00`.")),
  duration: required(text("How long it takes, such as `PT2H`.")),
});

const ofEveryPool = {
  limits,
  spot_enabled: orNull(flag("Whether its nodes are spot instances.")),
  consolidate_after: word("How long a node is idle before it is consolidated, such as `30s`."),
};

const pools = object("The pools of nodes.", {
  requirements: required(requirements),
  stable_override: object("Settings that differ in the stable pool.", { consolidation, ...ofEveryPool }),
  default_override: object("Settings that differ in the default pool.", ofEveryPool),
  gpu_override: object("Settings that differ in the pool with GPUs.", {
    consolidation,
    ...ofEveryPool,
    requirements,
    disk_size_in_gib: gib("Disk of a node in GiB."),
    ...speed,
  }),
  cronjob_override: object("Settings that differ in the pool of cron jobs.", {
    consolidation,
    ...ofEveryPool,
  }),
});

const karpenter = {
  spot_enabled: flag("Whether nodes are spot instances."),
  disk_size_in_gib: gib("Disk of a node in GiB."),
  ...speed,
  default_service_architecture: choice(["AMD64", "ARM64"], "Architecture of services that declare none."),
  qovery_node_pools: pools,
};

const subnets = (stem: string) =>
  Object.fromEntries(
    ["a", "b", "c"].map((zone) => [
      `${stem}_zone_${zone}_ids`,
      orNull(list(text(), `Ids of subnets in the zone ${zone}.`)),
    ]),
  );

const awsNetwork = {
  aws_vpc_eks_id: word("Id of the VPC."),
  ...subnets("eks_subnets"),
  ...subnets("documentdb_subnets"),
  ...subnets("elasticache_subnets"),
  ...subnets("rds_subnets"),
  ...subnets("eks_karpenter_fargate_subnets"),
  eks_create_nodes_in_private_subnet: flag("Whether nodes are made in private subnets."),
};

const gcpNetwork = {
  vpc_name: word("Name of the VPC."),
  vpc_project_id: orNull(text("Project of the VPC.")),
  subnetwork_name: orNull(text("Name of the subnetwork.")),
  ip_range_services_name: orNull(text("Name of the range of addresses of services.")),
  ip_range_pods_name: orNull(text("Name of the range of addresses of pods.")),
  additional_ip_range_pods_names: list(text(), "Names of further ranges of addresses of pods."),
  private_nodes: flag("Whether nodes are private."),
};

const natGateway = {
  nat_gateway_type: orNull(
    object("The gateway.", {
      provider: required(choice(["scaleway", "gcp"], "Provider of the gateway.")),
      type: choice(["VPC-GW-S", "VPC-GW-M", "VPC-GW-L", "VPC-GW-XL"], "Size of the gateway, at Scaleway."),
      static_ips_enabled: flag("Whether it has static addresses, at Google Cloud."),
      static_ips_count: wholeNumber("Number of static addresses, at Google Cloud.", { minimum: 1 }),
    }),
  ),
};

/** The forms of object values, each with the member that identifies it, and its required members. */
const forms: readonly { by: string; members: Record<string, FieldSchema>; needs: readonly string[] }[] = [
  {
    by: "qovery_node_pools",
    members: karpenter,
    needs: ["spot_enabled", "disk_size_in_gib", "default_service_architecture"],
  },
  {
    by: "aws_vpc_eks_id",
    members: awsNetwork,
    needs: ["a", "b", "c"].map((zone) => `eks_subnets_zone_${zone}_ids`),
  },
  { by: "vpc_name", members: gcpNetwork, needs: [] },
  { by: "nat_gateway_type", members: natGateway, needs: [] },
];

/** The facts about a feature in an answer, beside its value. */
const responseFacts = [
  "title",
  "description",
  "cost_per_month_in_cents",
  "cost_per_month",
  "currency_code",
  "is_cloud_provider_paying_feature",
  "cloud_provider_feature_documentation",
  "is_qovery_paying_feature",
  "qovery_feature_documentation",
  "value_type",
  "is_value_updatable",
  "accepted_values",
];

export const features = set(
  ["id"],
  object(
    undefined,
    {
      id: required(text("Name of the feature, such as KARPENTER or STATIC_IP, or its id.")),
      // No type: the members apply only to object values.
      value: {
        opaque: true,
        description:
          "Value: a text, true or false, or the object of Karpenter (node pools and disks), of an existing network or of a NAT gateway.",
        properties: Object.assign({}, ...forms.map(({ members }) => members)) as Record<string, FieldSchema>,
        additionalProperties: false,
      },
    },
    { facts: responseFacts },
  ),
  "Features, each with its value. An update keeps them all.",
);

/** A mistake in the value of a feature that its schema does not find: members of two forms, or a missing one. */
export function featureProblem(declared: Json | undefined): FieldMistake | undefined {
  if (!Array.isArray(declared)) return undefined;
  for (const feature of declared) {
    const value = isFields(feature) ? feature["value"] : undefined;
    const message = isFields(value) ? problemOfValue(value) : undefined;
    if (message !== undefined)
      return { field: "features", message: `${String((feature as Fields)["id"])}: ${message}` };
  }
  return undefined;
}

function problemOfValue(value: Fields): string | undefined {
  const form = forms.find(({ by }) => value[by] !== undefined);
  if (!form) return `the value needs one of ${forms.map(({ by }) => by).join(", ")}`;
  const foreign = Object.keys(value).find((member) => !Object.hasOwn(form.members, member));
  if (foreign !== undefined) return `${foreign} cannot be combined with ${form.by}`;
  const missing = form.needs.find((member) => value[member] === undefined);
  return missing === undefined ? undefined : `the value needs ${missing}`;
}
