import { beforeEach, describe, expect, test } from "vitest";
import type { Fields } from "../../../../core/values/json.ts";
import { desiredOf } from "../../../fixtures/desired.ts";
import { summary } from "../../../fixtures/harness.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";
import { parsePattern } from "../../../../core/index.ts";

const consent = { infrastructure: ["paris"] };
const nodes = "5f0c5b0e-7a68-4c6e-9d3c-0d1f6a1f4a11";
const staticIp = "6f0c5b0e-7a68-4c6e-9d3c-0d1f6a1f4a12";
const karpenter = {
  spot_enabled: false,
  disk_size_in_gib: 50,
  default_service_architecture: "AMD64",
  qovery_node_pools: { requirements: [{ key: "InstanceSize", operator: "In", values: ["large"] }] },
};
const paris = { kind: "Cluster", name: "paris", region: "eu-west-3", cloud_provider: "AWS" };
const whole = {
  ...paris,
  features: [
    { id: nodes, value: karpenter },
    { id: staticIp, value: true },
  ],
  infrastructure_charts_parameters: { nginx_parameters: { replica_count: 3 } },
  metrics_parameters: { enabled: true },
  secret_manager_accesses: [
    {
      name: "secrets",
      endpoint: { mode: "AWS_SECRET_MANAGER", region: "eu-west-3" },
      authentication: {
        mode: "AWS_STATIC_CREDENTIALS",
        access_key: "AKIA",
        secret_key: { from_env: "SHOP_FIRST" },
      },
    },
  ],
  advanced_settings: { "load_balancer.size": "lb-l", "pleco.resources_ttl": 3600 },
  routing_table: { "10.0.0.0/16": { target: "pcx-1", description: "to the office" } },
};

const harness = useHarness();

const clusterPath = () => `/organization/${harness.organization.id}/cluster`;
async function live(): Promise<Fields> {
  const found = (await harness.results(clusterPath())).find(({ name }) => name === "paris");
  return found ?? {};
}
const problemsOf = async (documents: Fields[], policy = consent) =>
  (await harness.plan(documents, policy)).problems.map(({ code, message }) => `${code}: ${message}`);

test("a cluster is made with its features, its node settings, its advanced settings and its routes", async () => {
  await harness.forgetRequests();
  await harness.reconcile([whole], consent);
  expect((await harness.writes()).map(({ method, path }) => `${method} ${path.split("/").at(-1)}`)).toEqual([
    "POST cluster",
    expect.stringMatching(/^PUT (advancedSettings|routingTable)$/),
    expect.stringMatching(/^PUT (advancedSettings|routingTable)$/),
  ]);
  expect(summary(await harness.plan([whole], consent))).toEqual([]);
  const { id } = await live();
  expect(await harness.api("GET", `${clusterPath()}/${String(id)}/advancedSettings`)).toMatchObject(
    whole.advanced_settings,
  );
});

/** A value of each form, with every member that the API describes, and null where it answers null. */
const limits = { enabled: true, max_cpu_in_vcpu: 8, max_memory_in_gibibytes: 16, max_gpu: 0 };
const night = { enabled: true, days: ["MONDAY"], start_time: "PT22:00", duration: "PT2H" };
const pool = { limits, spot_enabled: null, consolidate_after: "30s" };
const zones = (stem: string, ids: string[] | null) =>
  Object.fromEntries(["a", "b", "c"].map((zone) => [`${stem}_zone_${zone}_ids`, ids]));
const everyForm: Fields[] = [
  {
    ...karpenter,
    disk_iops: 3000,
    disk_throughput: 125,
    qovery_node_pools: {
      ...karpenter.qovery_node_pools,
      stable_override: { consolidation: night, ...pool },
      default_override: pool,
      gpu_override: {
        consolidation: night,
        ...pool,
        spot_enabled: true,
        requirements: karpenter.qovery_node_pools.requirements,
        disk_size_in_gib: 200,
        disk_iops: 3000,
        disk_throughput: 125,
      },
      cronjob_override: { consolidation: night, ...pool },
    },
  },
  {
    aws_vpc_eks_id: "vpc-1",
    ...zones("eks_subnets", ["subnet-1"]),
    ...zones("documentdb_subnets", null),
    ...zones("elasticache_subnets", null),
    ...zones("rds_subnets", ["subnet-2"]),
    ...zones("eks_karpenter_fargate_subnets", null),
    eks_create_nodes_in_private_subnet: false,
  },
  {
    vpc_name: "main",
    vpc_project_id: null,
    subnetwork_name: null,
    ip_range_services_name: "services",
    ip_range_pods_name: null,
    additional_ip_range_pods_names: ["more"],
    private_nodes: true,
  },
  { nat_gateway_type: { provider: "scaleway", type: "VPC-GW-M" } },
  { nat_gateway_type: { provider: "gcp", static_ips_enabled: true, static_ips_count: 2 } },
  { nat_gateway_type: null },
];

test.each(everyForm.map((value) => [Object.keys(value)[0], value] as const))(
  "a cluster is made with a feature of the form of %s, and then there are no changes",
  async (_member, value) => {
    const cluster = { ...paris, features: [{ id: nodes, value }] };
    await harness.reconcile([cluster], consent);
    expect(summary(await harness.plan([cluster], consent))).toEqual([]);
  },
);

test.each<[string, Fields, string]>([
  ["a member that no form has", { ...karpenter, spot_enabld: true }, "has no member"],
  [
    "a word that is none",
    { ...karpenter, default_service_architecture: "X86" },
    "must be one of AMD64, ARM64",
  ],
  ["a pool without its members", { ...karpenter, qovery_node_pools: {} }, "requirements is missing"],
  ["a member of the wrong type", { ...everyForm[1], aws_vpc_eks_id: 1 }, "aws_vpc_eks_id must be"],
])("%s of a feature is a mistake of the manifest", (_case, value, message) => {
  const { problems } = desiredOf([{ ...paris, features: [{ id: nodes, value }] }]);
  expect(problems.map((problem) => problem.message)).toEqual([expect.stringContaining(message)]);
});

test.each<[string, Fields, string]>([
  ["no member of a form", { spot_enabled: true }, "the value needs one of qovery_node_pools"],
  [
    "members of two forms",
    { ...karpenter, vpc_name: "main" },
    "vpc_name cannot be combined with qovery_node_pools",
  ],
  ["a member too few", { aws_vpc_eks_id: "vpc-1" }, "the value needs eks_subnets_zone_a_ids"],
])("a feature with %s is refused before anything is sent", async (_case, value, message) => {
  const found = await problemsOf([{ ...paris, features: [{ id: nodes, value }] }]);
  expect(found).toEqual([expect.stringContaining(message)]);
});

test.each<[string, Fields]>([
  [
    "metrics",
    { metrics_parameters: { enabled: true, configuration: { kind: "MANAGED_BY_QOVERY", profile: "LOW" } } },
  ],
  [
    "EKS Anywhere",
    { infrastructure_charts_parameters: { eks_anywhere_parameters: { yaml_file_pth: "a.yaml" } } },
  ],
])("an unknown member of %s is a mistake of the manifest", (_case, more) => {
  const { problems } = desiredOf([{ ...paris, ...more }]);
  expect(problems.map((problem) => problem.message)).toContainEqual(expect.stringContaining("has no member"));
});

describe("a change", () => {
  beforeEach(() => harness.reconcile([whole], consent));

  test("of another field keeps the features and the settings that the document does not mention", async () => {
    const before = await live();
    const bare = { ...paris, max_running_nodes: 9, secret_manager_accesses: whole.secret_manager_accesses };
    expect(summary(await harness.reconcile([bare], consent))).toEqual([
      "update cluster:paris: max_running_nodes 10 -> 9",
    ]);
    const after = await live();
    for (const member of ["features", "infrastructure_charts_parameters", "metrics_parameters"])
      expect(after[member], member).toEqual(before[member]);
    expect(before["features"]).toHaveLength(2);
  });

  test("that would lose the secret of a secret manager is refused", async () => {
    expect(await problemsOf([{ ...paris, max_running_nodes: 9 }])).toEqual([
      expect.stringMatching(/^impossible|invalid: .*secret_key is a secret that the API does not show/),
    ]);
  });

  test.each<[string, Fields, string]>([
    [
      "a feature",
      {
        features: [
          { id: staticIp, value: false },
          { id: nodes, value: karpenter },
        ],
      },
      "features",
    ],
    [
      "a part of a setting",
      { infrastructure_charts_parameters: { nginx_parameters: { replica_count: 5 } } },
      "infrastructure_charts_parameters",
    ],
    ["an advanced setting", { advanced_settings: { "load_balancer.size": null } }, "advanced_settings"],
    ["a route", { routing_table: { "10.1.0.0/16": { target: "pcx-2" } } }, "routing_table"],
    ["the end of a route", { routing_table: { "10.0.0.0/16": null } }, "routing_table"],
  ])("of %s is planned, and takes the consents", async (_name, change, member) => {
    const changed = { ...whole, ...change };
    expect(await problemsOf([changed], { infrastructure: [] })).toEqual([
      expect.stringContaining("infrastructure: cluster:paris would be updated"),
    ]);
    expect(summary(await harness.reconcile([changed], consent))).toEqual([
      expect.stringContaining(`update cluster:paris: ${member}`),
    ]);
    expect(summary(await harness.plan([changed], consent))).toEqual([]);
  });

  test("of routes keeps the others", async () => {
    const more = { ...paris, routing_table: { "10.1.0.0/16": { target: "pcx-2" } } };
    await harness.reconcile([more], consent);
    const { id } = await live();
    const routes = await harness.results(`${clusterPath()}/${String(id)}/routingTable`);
    expect(routes.map(({ destination }) => destination)).toEqual(["10.0.0.0/16", "10.1.0.0/16"]);
  });

  test("of a secret is written where the run is told to", async () => {
    const rotate = [parsePattern("cluster:paris")];
    expect(summary(await harness.reconcile([whole], { ...consent, rotate }))).toEqual([
      expect.stringMatching(/secret_manager_accesses.*rotate/),
    ]);
  });
});

test.each<[string, Fields, RegExp]>([
  [
    "an unknown setting",
    { advanced_settings: { "load_balancer.sise": "lb-l" } },
    /there is no advanced setting "load_balancer.sise"/,
  ],
  [
    "a setting of another type",
    { advanced_settings: { "pleco.resources_ttl": "soon" } },
    /must be a whole number/,
  ],
])("%s is refused", async (_name, fields, message) => {
  expect(await problemsOf([{ ...paris, ...fields }])).toEqual([expect.stringMatching(message)]);
});

test("a secret key in plain text is refused", () => {
  const [access] = whole.secret_manager_accesses;
  const plain = { ...access, authentication: { ...access?.authentication, secret_key: "s3cr3t-canary" } };
  const { problems } = desiredOf([{ ...whole, secret_manager_accesses: [plain] } as Fields]);
  expect(problems.map(({ message }) => message)).toEqual([
    "secret_manager_accesses[0].authentication.secret_key has its value in plain text",
  ]);
  expect(JSON.stringify(problems)).not.toContain("s3cr3t-canary");
});
