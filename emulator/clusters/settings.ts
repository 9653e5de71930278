import { Type } from "typebox";
import { get, put, type Route } from "../http/routing.ts";
import { nullable, oneOf, withDefault } from "../bodies/common.ts";
import { validate } from "../http/validation.ts";
import { clusterOf, markChanged } from "./lookup.ts";

// The API description names few defaults; the emulator defines the others itself.

const integer = (value: number) => withDefault(Type.Integer(), value);
const boolean = (value: boolean) => withDefault(Type.Boolean(), value);
const string = (value: string) => withDefault(Type.String(), value);
const noInteger = (minimum = 0) => withDefault(nullable(Type.Integer({ minimum })), null);
const noString = () => withDefault(nullable(Type.String()), null);
const anywhere = () => withDefault(Type.Array(Type.String()), ["0.0.0.0/0"]);

const resources = (stem: string, cpu: number, memory: number) => ({
  [`${stem}.cpu_request_m`]: integer(cpu),
  [`${stem}.cpu_limit_m`]: integer(cpu * 2),
  [`${stem}.memory_request_mib`]: integer(memory),
  [`${stem}.memory_limit_mib`]: integer(memory * 2),
});

const database = (type: string) => ({
  [`database.${type}.deny_any_access`]: boolean(false),
  [`database.${type}.allowed_cidrs`]: anywhere(),
});

const lifeCycles = [1, 7, 14, 30, 60, 90].map((days) => `AFTER_${days}_DAY${days === 1 ? "" : "S"}`);

const ClusterSettings = Type.Object({
  "aws.cloudwatch.eks_logs_retention_days": integer(90),
  "aws.vpc.enable_s3_flow_logs": boolean(false),
  "aws.vpc.flow_logs_retention_days": integer(365),
  "aws.vpc.enable_nat_gateway_secondary_eip": boolean(false),
  "loki.log_retention_in_week": integer(12),
  "loki.deployment_mode": withDefault(oneOf("single_binary", "simple_scalable"), "single_binary"),
  ...resources("loki.single_binary", 300, 1024),
  ...resources("loki.write", 100, 512),
  ...resources("loki.read", 100, 512),
  ...resources("loki.backend", 100, 512),
  "registry.image_retention_time": integer(31_536_000),
  "cloud_provider.container_registry.tags": withDefault(Type.Record(Type.String(), Type.String()), {}),
  "aws.eks.enable_alb_controller": boolean(true),
  "aws.eks.enable_efs_addon": boolean(false),
  "aws.eks.efs.throughput_mode": withDefault(oneOf("bursting", "elastic", "provisioned"), "elastic"),
  "aws.eks.efs.performance_mode": withDefault(oneOf("generalPurpose", "maxIO"), "generalPurpose"),
  "aws.eks.efs.transition_to_ia": withDefault(oneOf(...lifeCycles, ""), "AFTER_30_DAYS"),
  "load_balancer.size": string("lb-s"),
  ...database("postgresql"),
  ...database("mysql"),
  ...database("mongodb"),
  ...database("redis"),
  "aws.iam.admin_group": string("Admins"),
  "aws.eks.ec2.metadata_imds": withDefault(oneOf("optional", "required"), "required"),
  "aws.eks.ec2.ami": string("AmazonLinux2023"),
  "pleco.resources_ttl": integer(-1),
  "registry.mirroring_mode": withDefault(oneOf("Cluster", "Service"), "Service"),
  "nginx.vcpu.request_in_milli_cpu": integer(100),
  "nginx.vcpu.limit_in_milli_cpu": integer(500),
  "nginx.memory.request_in_mib": integer(768),
  "nginx.memory.limit_in_mib": integer(768),
  "envoy.gateway_api.http_request_timeout_seconds": noInteger(),
  "envoy.gateway_api.http_connection_idle_timeout_seconds": noInteger(),
  "envoy.gateway_api.retry.num_retries": noInteger(),
  "envoy.gateway_api.retry.retry_on": noString(),
  "envoy.gateway_api.retry.http_status_codes": noString(),
  "envoy.gateway_api.retry.per_try_timeout_seconds": noInteger(1),
  "nginx.hpa.cpu_utilization_percentage_threshold": integer(50),
  "nginx.hpa.min_number_instances": integer(2),
  "nginx.hpa.max_number_instances": integer(25),
  "storageclass.fast_ssd": string(""),
  "qovery.static_ip_mode": boolean(false),
  "k8s.api.allowed_public_access_cidrs": anywhere(),
});

const path = "/organization/{organizationId}/cluster/{clusterId}/advancedSettings";

/** The advanced settings of clusters, complete with defaults in every response. */
export const clusterSettingsRoutes: Route[] = [
  get("/defaultClusterAdvancedSettings", () => complete()),
  get(path, (call) => complete(clusterOf(call).settings)),
  put(
    path,
    Type.Unsafe<Record<string, unknown>>({ type: "object" }),
    (call) => {
      const cluster = clusterOf(call);
      const settings = complete(withoutTexts(call.body));
      markChanged(cluster, { settings }, call.world);
      return settings;
    },
    201,
  ),
];

/** Some clients send every number and every switch as a text: `"90"`, `"true"`. */
function withoutTexts(settings: Record<string, unknown>): object {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => {
      const { type } = (ClusterSettings.properties as Record<string, { type?: unknown }>)[name] ?? {};
      const types = [type].flat();
      const isText = typeof value !== "string" || types.includes("string");
      return [name, isText ? value : (scalarIn(value, types) ?? value)];
    }),
  );
}

function scalarIn(text: string, types: readonly unknown[]): number | boolean | undefined {
  if (types.includes("integer") && /^-?\d+$/.test(text)) return Number(text);
  if (types.includes("boolean") && /^(?:true|false)$/.test(text)) return text === "true";
  return undefined;
}

function complete(settings: object = {}): object {
  const copy = structuredClone(settings);
  validate(ClusterSettings, copy);
  return copy;
}
