import { Type, type Static, type TSchema } from "typebox";
import {
  description,
  flag,
  id,
  maybe,
  name,
  oneOf,
  optionalObject,
  references,
  text,
  withDefault,
} from "./common.ts";

export const diskSpeed = {
  disk_iops: Type.Optional(Type.Integer({ minimum: 3000, maximum: 16000 })),
  disk_throughput: Type.Optional(Type.Integer({ minimum: 125, maximum: 1000 })),
};

/** The credentials of a cluster, with their provider. */
export const CloudProviderInfoRequest = Type.Object({
  cloud_provider: Type.Optional(oneOf("AWS", "SCW", "GCP", "ON_PREMISE", "AZURE")),
  credentials: optionalObject({ id: Type.Optional(id), name: text }),
  region: text,
});

const MetricsParameters = Type.Object({
  enabled: flag,
  configuration: optionalObject({
    kind: oneOf("MANAGED_BY_QOVERY"),
    resource_profile: Type.Optional(oneOf("LOW", "NORMAL", "HIGH")),
    cloud_watch_export_config: optionalObject({ enabled: Type.Boolean() }),
    high_availability: flag,
    internal_network_monitoring: optionalObject({ enabled: Type.Boolean() }),
    alerting: optionalObject({
      enabled: Type.Boolean(),
      default_rule_labels: maybe(Type.Record(Type.String(), Type.String())),
      spec_config_secret: text,
      spec_external_url: text,
      config_name: text,
    }),
  }),
});

const EksAnywhereParameters = Type.Object({
  git_repository: Type.Object({
    url: Type.String({ format: "uri" }),
    branch: text,
    commit_id: text,
    git_token_id: id,
    provider: Type.Optional(oneOf("BITBUCKET", "GITHUB", "GITLAB")),
  }),
  yaml_file_path: Type.String(),
  cluster_backup: optionalObject({
    enabled: withDefault(Type.Boolean(), true),
    timeout_seconds: withDefault(Type.Integer(), 300),
    certs_secret_name: text,
    s3: Type.Object({
      bucket: Type.String(),
      region: Type.String(),
      role_arn: Type.String(),
      key_prefix: text,
    }),
  }),
});

const ChartsParameters = Type.Object({
  nginx_parameters: optionalObject({
    replica_count: Type.Optional(Type.Integer({ minimum: 0 })),
    default_ssl_certificate: text,
    publish_status_address: text,
    annotation_metal_lb_load_balancer_ips: text,
    annotation_external_dns_kubernetes_target: text,
  }),
  cert_manager_parameters: optionalObject({ kubernetes_namespace: text }),
  metal_lb_parameters: optionalObject({ ip_address_pools: Type.Optional(Type.Array(Type.String())) }),
  eks_anywhere_parameters: Type.Optional(EksAnywhereParameters),
});

const SecretManagerAccess = Type.Object({
  id: maybe(id),
  name,
  endpoint: Type.Object({
    mode: oneOf("AWS_SECRET_MANAGER", "AWS_PARAMETER_STORE", "GCP_SECRET_MANAGER"),
    region: Type.String(),
    project_id: text,
  }),
  authentication: Type.Object({
    mode: oneOf("AUTOMATICALLY_CONFIGURED", "AWS_ROLE_ARN", "AWS_STATIC_CREDENTIALS", "GCP_JSON_CREDENTIALS"),
    role_arn: text,
    region: text,
    access_key: text,
    secret_key: maybe(Type.String()),
    json_credentials: maybe(Type.String()),
  }),
});
export type SecretManagerAccess = Static<typeof SecretManagerAccess>;

/** Body of POST /organization/{organizationId}/cluster and of the PUT of a cluster. */
export const ClusterRequest = Type.Object({
  name,
  description,
  region: Type.String(),
  cloud_provider: oneOf(
    "AWS",
    "SCW",
    "GCP",
    "DO",
    "AZURE",
    "OVH",
    "CIVO",
    "HETZNER",
    "ORACLE",
    "IBM",
    "ON_PREMISE",
  ),
  cloud_provider_credentials: Type.Optional(CloudProviderInfoRequest),
  min_running_nodes: Type.Optional(Type.Integer()),
  max_running_nodes: Type.Optional(Type.Integer()),
  disk_size: Type.Optional(Type.Integer({ default: 40 })),
  ...diskSpeed,
  instance_type: text,
  kubernetes: withDefault(oneOf("MANAGED", "SELF_MANAGED", "PARTIALLY_MANAGED"), "MANAGED"),
  production: flag,
  ssh_keys: Type.Optional(Type.Array(Type.String())),
  // The value of a feature is checked by its form.
  features: Type.Optional(
    Type.Array(Type.Object({ id: name, value: Type.Optional(Type.Unsafe<unknown>({})) })),
  ),
  metrics_parameters: Type.Optional(MetricsParameters),
  infrastructure_charts_parameters: Type.Optional(ChartsParameters),
  keda: optionalObject({ enabled: Type.Boolean() }),
  labels_groups: references,
  secret_manager_accesses: Type.Optional(Type.Array(SecretManagerAccess)),
});
export type ClusterRequest = Static<typeof ClusterRequest>;

export const RoutingTableRequest = Type.Object({
  routes: Type.Array(
    Type.Object({ destination: Type.String(), target: Type.String(), description: Type.String() }),
  ),
});
export type RoutingTable = Static<typeof RoutingTableRequest>["routes"];

export const LockRequest = Type.Object({
  reason: Type.String(),
  ttl_in_days: Type.Optional(Type.Integer({ minimum: 1 })),
});

/** A lock, which forbids to deploy, stop or delete its cluster. */
export interface Lock extends Static<typeof LockRequest> {
  lockedAt: string;
  ownerName: string;
}

export const ArgoCdRequest = Type.Object({
  argocd_url: Type.String({ minLength: 1 }),
  argocd_token: Type.String({ minLength: 1 }),
});

export const MappingRequest = Type.Object({
  agent_cluster_id: id,
  argocd_cluster_url: Type.String({ minLength: 1 }),
  cluster_id: id,
});

/** The Argo CD of a cluster, and the clusters of its destinations. */
export interface ArgoCd {
  id: string;
  createdAt: string;
  updatedAt: string;
  url: string;
  token: string;
  mappings: { url: string; clusterId: string }[];
}

const given = Type.String({ minLength: 1 });

export const dnsProviderRequests: Record<string, TSchema> = {
  QOVERY: Type.Object({ provider: oneOf("QOVERY"), domain: given }),
  CLOUDFLARE: Type.Object({
    provider: oneOf("CLOUDFLARE"),
    domain: given,
    email: Type.String({ format: "email" }),
    api_token: given,
    proxied: withDefault(Type.Boolean(), false),
  }),
  ROUTE53: Type.Object({
    provider: oneOf("ROUTE53"),
    domain: given,
    credentials: Type.Object({
      type: oneOf("STATIC"),
      aws_access_key_id: given,
      aws_secret_access_key: given,
    }),
    aws_region: given,
    hosted_zone_id: maybe(Type.String()),
  }),
};

/** The possible members of a DNS provider; the schema of its provider decides. */
export interface DnsProvider {
  provider: string;
  domain: string;
  api_token?: string;
  credentials?: { type: string; aws_access_key_id: string; aws_secret_access_key?: string };
}

// Without properties, so that it leaves every member to the schema of the provider.
export const DnsProviderRequest = Type.Object({ dns_provider: Type.Unsafe<DnsProvider>({ type: "object" }) });
