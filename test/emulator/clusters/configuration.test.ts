import { expect, test } from "vitest";
import { clusterBody, featureIds } from "../every-cluster-operation.ts";
import { startWorld, unknownId } from "../start-world.ts";

const minimal = { name: "rack", region: "eu-west-3", cloud_provider: "AWS" };

test("a cluster is returned with everything that was asked for, without its secrets and credentials", async () => {
  const { client, organizationPath } = await startWorld();
  const key = { type: "AWS_STATIC", name: "aws", access_key_id: "A", secret_access_key: "canary" };
  const credentials = await client.post(`${organizationPath}/aws/credentials`, key);
  const [gitToken] = await client.list(`${organizationPath}/gitToken`);
  const [group] = await client.list(`${organizationPath}/labelsGroups`);
  const body = clusterBody(credentials.id, gitToken?.id ?? "", group?.id ?? "");
  const made = await client.post<{ features: { value_object: object }[]; [member: string]: unknown }>(
    `${organizationPath}/cluster`,
    body,
  );
  const {
    features: _,
    secret_manager_accesses: _accesses,
    cloud_provider_credentials: _info,
    ...rest
  } = body;
  expect(made).toMatchObject(rest);
  expect(made.features.map(({ value_object }) => value_object)).toMatchObject([
    { type: "KARPENTER" },
    { type: "AWS_USER_PROVIDED_NETWORK", value: { eks_create_nodes_in_private_subnet: true } },
    { type: "GCP_USER_PROVIDED_NETWORK", value: { vpc_name: "v", private_nodes: false } },
    { type: "NAT_GATEWAY" },
    { type: "BOOLEAN", value: true },
    { type: "STRING", value: "10.0.0.0/16" },
  ]);
  expect(made["secret_manager_accesses"]).toMatchObject([
    { id: expect.any(String) as string, name: "vault", authentication: { access_key: "AKIA" } },
  ]);
  expect(made).not.toHaveProperty("cloud_provider_credentials");
  expect(JSON.stringify(await client.list(`${organizationPath}/cluster`))).not.toContain('"secret"');
});

test.for([
  [[{ id: featureIds[0] }, { id: featureIds[0] }], "features[1].id: is in the list twice"],
  [[{ id: featureIds[0], value: 3 }], "features[0].value: must be a text"],
  [[{ id: featureIds[0], value: {} }], "features[0].value: must have one of qovery_node_pools"],
  [[{ id: featureIds[0], value: { qovery_node_pools: { requirements: [] } } }], "spot_enabled is required"],
  [
    [{ id: "STATIC_IP", value: "10.0.0.0/16" }],
    "features[0].value: of STATIC_IP must be of the type BOOLEAN",
  ],
] as const)("the features %j get 400", async ([features, message]) => {
  const { client, organizationPath } = await startWorld();
  const refusal = await client.fails("POST", `${organizationPath}/cluster`, { ...minimal, features });
  expect(refusal).toMatchObject({ status: 400, message: expect.stringContaining(message) as string });
});

test("features are known by name, and a cluster without features has an empty list", async () => {
  const { client, organizationPath } = await startWorld();
  const path = `${organizationPath}/cluster`;
  const plain = await client.post(path, minimal);
  expect(plain["features"]).toEqual([]);
  const features = [
    { id: "STATIC_IP", value: true },
    { id: "VPC_SUBNET", value: "10.0.0.0/16" },
  ];
  const made = await client.post(path, { ...minimal, name: "named", features });
  expect(made["features"]).toMatchObject([
    { id: "STATIC_IP", value_object: { type: "BOOLEAN", value: true } },
    { id: "VPC_SUBNET", value_object: { type: "STRING", value: "10.0.0.0/16" } },
  ]);
});

test("advanced settings take numbers and switches as texts, and answer with numbers and switches", async () => {
  const { client, organizationPath } = await startWorld();
  const [cluster] = await client.list(`${organizationPath}/cluster`);
  const path = `${organizationPath}/cluster/${cluster?.id}/advancedSettings`;
  const texts = {
    "loki.log_retention_in_week": "4",
    "aws.vpc.enable_s3_flow_logs": "true",
    "load_balancer.size": "8",
  };
  expect(await client.put(path, texts)).toMatchObject({
    "loki.log_retention_in_week": 4,
    "aws.vpc.enable_s3_flow_logs": true,
    "load_balancer.size": "8",
  });
  const wrong = await client.fails("PUT", path, { "loki.log_retention_in_week": "four" });
  expect(wrong).toMatchObject({ status: 400 });
});

test("the advanced settings of a cluster are complete, and a PUT resets what it leaves out", async () => {
  const { client, organizationPath } = await startWorld();
  const [cluster] = await client.list(`${organizationPath}/cluster`);
  const path = `${organizationPath}/cluster/${cluster?.id}/advancedSettings`;
  const defaults = await client.get("/defaultClusterAdvancedSettings");
  expect(defaults).toMatchObject({
    "aws.eks.efs.transition_to_ia": "AFTER_30_DAYS",
    "aws.eks.enable_alb_controller": true,
  });
  expect(await client.get(path)).toEqual(defaults);
  const answer = await client.call("PUT", path, { "loki.log_retention_in_week": 4 });
  expect([answer.status, answer.body]).toEqual([201, { ...defaults, "loki.log_retention_in_week": 4 }]);
  expect(await client.put(path, {})).toEqual(defaults);
  expect((await client.fails("PUT", path, { "loki.deployment_mode": "many" })).status).toBe(400);
});

test("the routing table is empty at first and replaced by a PUT", async () => {
  const { client, organizationPath } = await startWorld();
  const [cluster] = await client.list(`${organizationPath}/cluster`);
  const path = `${organizationPath}/cluster/${cluster?.id}/routingTable`;
  expect(await client.get(path)).toEqual({ results: [] });
  const routes = [{ destination: "10.0.0.0/8", target: "t", description: "" }];
  expect(await client.put(path, { routes })).toEqual({ results: routes });
  expect(await client.get(path)).toEqual({ results: routes });
});

test("the DNS provider of a cluster is the platform's at first; no answer has the secrets of another", async () => {
  const { client, emulator } = await startWorld();
  const path = `/cluster/${emulator.clusters[0]?.id}/dnsProvider`;
  expect(await client.get(path)).toMatchObject({ dns_provider: { provider: "QOVERY" } });
  const cloudflare = { provider: "CLOUDFLARE", domain: "a.example", email: "a@a.example" };
  expect(await client.put(path, { dns_provider: { ...cloudflare, api_token: "canary" } })).toEqual({
    dns_provider: { ...cloudflare, proxied: false },
  });
  const credentials = { type: "STATIC", aws_access_key_id: "AKIA" };
  const route53 = { provider: "ROUTE53", domain: "a.example", aws_region: "eu-west-3" };
  const secret = { ...credentials, aws_secret_access_key: "canary" };
  await client.put(path, { dns_provider: { ...route53, credentials: secret } });
  expect(await client.get(path)).toEqual({ dns_provider: { ...route53, credentials } });
  const wrong = await client.fails("PUT", path, { dns_provider: cloudflare });
  expect(wrong).toEqual({ status: 400, message: "dns_provider: api_token is required" });
  expect((await client.fails("PUT", path, { dns_provider: { provider: "BIND" } })).message).toContain(
    "dns_provider.provider: must be one of QOVERY,CLOUDFLARE,ROUTE53",
  );
});

test("Argo CD: one configuration a cluster, whose token no answer has, and mappings of its destinations", async () => {
  const { client, emulator, organizationPath } = await startWorld();
  const [agent, target] = emulator.clusters.map(({ id }) => id);
  const config = `/cluster/${agent}/argoCdConfig`;
  const mappings = `${organizationPath}/argoCdDestinationClusterMapping`;
  expect((await client.fails("GET", config)).status).toBe(404);
  const mapping = { agent_cluster_id: agent, argocd_cluster_url: "https://10.0.0.1", cluster_id: target };
  expect((await client.fails("POST", mappings, mapping)).message).toContain("agent_cluster_id: ");

  const made = await client.post(config, { argocd_url: "https://argo.example", argocd_token: "canary" });
  const again = await client.post(config, { argocd_url: "https://argo2.example", argocd_token: "canary" });
  expect(again).toMatchObject({ id: made.id, argocd_url: "https://argo2.example", argocd_token: "********" });
  const own = { argocd_cluster_url: "https://kubernetes.default.svc", argocd_cluster_name: "in-cluster" };
  expect(await client.list(mappings)).toMatchObject([{ linked_clusters: [], unlinked_clusters: [own] }]);

  await client.post(mappings, { ...mapping, cluster_id: agent });
  await client.post(mappings, mapping);
  await client.post(mappings, { ...mapping, argocd_cluster_url: own.argocd_cluster_url, cluster_id: agent });
  expect(await client.list(mappings)).toMatchObject([
    {
      agent_cluster_id: agent,
      status: "connected",
      linked_clusters: [
        { argocd_cluster_url: "https://10.0.0.1", qovery_cluster_id: target },
        { ...own, qovery_cluster_id: agent },
      ],
      unlinked_clusters: [],
    },
  ]);
  expect((await client.fails("POST", mappings, { ...mapping, cluster_id: unknownId })).status).toBe(400);
  expect((await client.fails("DELETE", mappings)).message).toBe("agentClusterId: is required");
  const query = `?agentClusterId=${agent}&argocdClusterUrl=${encodeURIComponent("https://10.0.0.1")}`;
  await client.delete(mappings + query);
  expect((await client.fails("DELETE", mappings + query)).status).toBe(404);
  await client.delete(config);
  expect(await client.list(mappings)).toEqual([]);
});
