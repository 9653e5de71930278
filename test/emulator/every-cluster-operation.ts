import { expect } from "vitest";
import type { Client } from "../fixtures/client.ts";

const karpenter = {
  spot_enabled: false,
  disk_size_in_gib: 50,
  default_service_architecture: "AMD64",
  qovery_node_pools: {
    requirements: [{ key: "InstanceFamily", operator: "In", values: ["t3", "m5"] }],
    default_override: {
      limits: { enabled: true, max_cpu_in_vcpu: 8, max_memory_in_gibibytes: 32, max_gpu: 0 },
    },
  },
};

const network = {
  aws_vpc_eks_id: "vpc-1",
  eks_subnets_zone_a_ids: ["subnet-a"],
  eks_subnets_zone_b_ids: ["subnet-b"],
  eks_subnets_zone_c_ids: ["subnet-c"],
  rds_subnets_zone_a_ids: null,
};

/** The ids of features, of which the emulator takes any. */
export const featureIds = [1, 2, 3, 4, 5, 6].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);

/** A body of a cluster with every member. */
export function clusterBody(credentialsId: string, gitTokenId: string, labelsGroupId: string) {
  const values = [karpenter, network, { vpc_name: "v" }, { nat_gateway_type: null }, true, "10.0.0.0/16"];
  return {
    name: "mumbai",
    description: "in Mumbai",
    region: "ap-south-1",
    cloud_provider: "AWS",
    cloud_provider_credentials: { cloud_provider: "AWS", credentials: { id: credentialsId, name: "aws" } },
    min_running_nodes: 3,
    max_running_nodes: 10,
    disk_size: 50,
    disk_iops: 3000,
    disk_throughput: 125,
    instance_type: "T3A_LARGE",
    kubernetes: "MANAGED",
    production: true,
    ssh_keys: ["ssh-ed25519 AAAA"],
    features: values.map((value, index) => ({ id: featureIds[index], value })),
    metrics_parameters: {
      enabled: true,
      configuration: {
        kind: "MANAGED_BY_QOVERY",
        resource_profile: "LOW",
        cloud_watch_export_config: { enabled: false },
        alerting: { enabled: false, default_rule_labels: { team: "ops" } },
      },
    },
    infrastructure_charts_parameters: {
      nginx_parameters: { replica_count: 2 },
      cert_manager_parameters: { kubernetes_namespace: "cert-manager" },
      metal_lb_parameters: { ip_address_pools: ["10.0.0.1-10.0.0.9"] },
      eks_anywhere_parameters: {
        git_repository: { url: "https://github.com/acme/eks", git_token_id: gitTokenId },
        yaml_file_path: "cluster.yaml",
        cluster_backup: { s3: { bucket: "b", region: "r", role_arn: "arn" } },
      },
    },
    keda: { enabled: true },
    labels_groups: [{ id: labelsGroupId }],
    secret_manager_accesses: [
      {
        name: "vault",
        endpoint: { mode: "AWS_SECRET_MANAGER", region: "ap-south-1" },
        authentication: {
          mode: "AWS_STATIC_CREDENTIALS",
          region: "ap-south-1",
          access_key: "AKIA",
          secret_key: "secret",
        },
      },
    ],
  };
}

/** Uses every operation of clusters, each with success. */
export async function everyClusterOperation(
  client: Client,
  root: string,
  settle: () => Promise<void>,
): Promise<void> {
  const key = {
    type: "AWS_STATIC",
    name: "for a cluster",
    access_key_id: "AKIA",
    secret_access_key: "secret",
  };
  const credentials = await client.post(`${root}/aws/credentials`, key);
  const [gitToken] = await client.list(`${root}/gitToken`);
  const [group] = await client.list(`${root}/labelsGroups`);
  const whole = clusterBody(credentials.id, gitToken?.id ?? "", group?.id ?? "");
  const withAllFeatures = await client.post(`${root}/cluster`, { ...whole, name: "chennai" });
  const body = { ...whole, features: whole.features.slice(3) };
  const { id } = await client.post(`${root}/cluster`, body);
  const path = `${root}/cluster/${id}`;
  await client.get("/defaultClusterAdvancedSettings");
  await client.put(`${path}/advancedSettings`, await client.get(`${path}/advancedSettings`));
  const routes = [{ destination: "10.1.0.0/16", target: "pcx-1", description: "peering" }];
  await client.put(`${path}/routingTable`, { routes });
  await client.get(`${path}/routingTable`);
  await client.post(`${path}/cloudProviderInfo`, {
    cloud_provider: "AWS",
    credentials: { id: credentials.id },
  });
  await client.get(`${path}/cloudProviderInfo`);
  await client.put(path, { ...body, secret_manager_accesses: [] });
  for (const step of ["deploy?dry_run=true", "deploy"]) {
    await client.post(`${path}/${step}`);
    for (const part of ["status", "isReady"]) await client.get(`${path}/${part}`);
    await client.list(`${root}/cluster`);
    await settle();
  }
  await client.list(`${root}/cluster/status`);
  await client.get<string>(`${path}/kubeconfig`);
  await putYaml(client, `${path}/kubeconfig`, "apiVersion: v1\n");
  await dns(client, id);
  await argoCd(client, root, id);
  await client.post(`/cluster/${id}/lock`, { reason: "an audit", ttl_in_days: 1 });
  await client.get(`${path}/status`);
  await client.list(`${root}/cluster/status`);
  await client.delete(`/cluster/${id}/lock`);
  await client.post(`${path}/stop`);
  await settle();
  await client.delete(`${path}?deleteMode=DEFAULT`);
  await client.delete(`${root}/cluster/${withAllFeatures.id}`);
}

async function dns(client: Client, id: string): Promise<void> {
  const domain = "acme.example";
  const cloudflare = { provider: "CLOUDFLARE", domain, email: "ops@acme.example", api_token: "secret" };
  const credentials = { type: "STATIC", aws_access_key_id: "AKIA", aws_secret_access_key: "secret" };
  const route53 = { provider: "ROUTE53", domain, credentials, aws_region: "eu-west-3", hosted_zone_id: null };
  for (const dns_provider of [{ provider: "QOVERY", domain }, cloudflare, route53]) {
    await client.put(`/cluster/${id}/dnsProvider`, { dns_provider });
    await client.get(`/cluster/${id}/dnsProvider`);
  }
}

async function argoCd(client: Client, root: string, id: string): Promise<void> {
  const config = `/cluster/${id}/argoCdConfig`;
  const mapping = `${root}/argoCdDestinationClusterMapping`;
  await client.post(config, { argocd_url: "https://argo.acme.example", argocd_token: "secret" });
  await client.get(config);
  const url = "https://kubernetes.default.svc";
  await client.list(mapping);
  await client.post(mapping, { agent_cluster_id: id, argocd_cluster_url: url, cluster_id: id });
  await client.list(mapping);
  await client.delete(`${mapping}?agentClusterId=${id}&argocdClusterUrl=${encodeURIComponent(url)}`);
  await client.delete(config);
}

/** PUT of a body that is not JSON. */
export async function putYaml(client: Client, path: string, body: string): Promise<void> {
  const headers = { ...client.headers, "content-type": "application/x-yaml" };
  const response = await fetch(client.url + path, { method: "PUT", headers, body });
  expect(response.status, await response.text()).toBe(204);
}
