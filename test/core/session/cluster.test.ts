import { beforeEach, describe, expect, test } from "vitest";
import type { Fields } from "../../../core/json.ts";
import { desiredOf } from "../../fixtures/desired.ts";
import { summary } from "../../fixtures/harness.ts";
import { useHarness } from "../../fixtures/use-harness.ts";
import { parsePattern } from "../../../core/index.ts";

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

describe("a change", () => {
  beforeEach(() => harness.reconcile([whole], consent));

  test("of another field keeps the features and the settings that the document does not mention", async () => {
    const before = await live();
    const bare = {
      ...paris,
      max_running_nodes: 9,
      secret_manager_accesses: whole.secret_manager_accesses,
    };
    expect(summary(await harness.reconcile([bare], consent))).toEqual([
      "update cluster:paris: max_running_nodes 1 -> 9",
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
    "secret_manager_accesses[0].authentication.secret_key states its value in plain text",
  ]);
  expect(JSON.stringify(problems)).not.toContain("s3cr3t-canary");
});
