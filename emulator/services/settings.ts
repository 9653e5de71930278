import { Type, type TObject } from "typebox";
import type { ServiceKindName } from "../world/records.ts";
import { nullable, oneOf, withDefault } from "../bodies/common.ts";

// The API description lists the members without defaults; the emulator defines the defaults itself.

const integer = (value: number) => withDefault(Type.Integer(), value);
const boolean = (value: boolean) => withDefault(Type.Boolean(), value);
const string = (value: string) => withDefault(Type.String(), value);
const noInteger = (minimum = 0) => withDefault(nullable(Type.Integer({ minimum })), null);
const noString = () => withDefault(nullable(Type.String()), null);

const affinity = {
  "deployment.affinity.node.required": withDefault(Type.Record(Type.String(), Type.String()), {}),
};
const grace = { "deployment.termination_grace_period_seconds": integer(60) };
const domainCheck = { "deployment.custom_domain_check_enabled": boolean(true) };

const rollout = {
  "deployment.antiaffinity.pod": withDefault(oneOf("Preferred", "Requirred"), "Preferred"), // misspelt in the API
  "deployment.topology_spread.zone": withDefault(
    oneOf("Disabled", "ScheduleAnyway", "DoNotSchedule"),
    "Disabled",
  ),
  "deployment.update_strategy.type": withDefault(oneOf("RollingUpdate", "Recreate"), "RollingUpdate"),
  "deployment.update_strategy.rolling_update.max_unavailable_percent": integer(25),
  "deployment.update_strategy.rolling_update.max_surge_percent": integer(25),
  "hpa.cpu.average_utilization_percent": integer(60),
  "hpa.memory.average_utilization_percent": noInteger(),
};

const build = {
  "build.timeout_max_sec": integer(1800),
  "build.cpu_max_in_milli": integer(4000),
  "build.ram_max_in_gib": integer(8),
  "build.skip_git_submodules": boolean(false),
};
const buildCache = { "build.disable_buildkit_cache": boolean(false) };

const network = {
  "network.ingress.proxy_body_size_mb": integer(100),
  "network.ingress.force_ssl_redirect": boolean(true),
  "network.ingress.enable_cors": boolean(false),
  "network.ingress.cors_allow_origin": string("*"),
  "network.ingress.cors_allow_methods": string("GET, PUT, POST, DELETE, PATCH, OPTIONS"),
  "network.ingress.cors_allow_headers": string("DNT,Keep-Alive,User-Agent,Content-Type,Authorization"),
  "network.ingress.proxy_buffer_size_kb": integer(4),
  "network.ingress.keepalive_time_seconds": integer(3600),
  "network.ingress.keepalive_timeout_seconds": integer(60),
  "network.ingress.send_timeout_seconds": integer(60),
  "network.ingress.proxy_connect_timeout_seconds": integer(60),
  "network.ingress.proxy_send_timeout_seconds": integer(60),
  "network.ingress.proxy_read_timeout_seconds": integer(60),
  "network.ingress.proxy_buffering": string("on"),
  "network.ingress.whitelist_source_range": string("0.0.0.0/0"),
  "network.ingress.denylist_source_range": string(""),
  "network.ingress.basic_auth_env_var": string(""),
  "network.ingress.enable_sticky_session": boolean(false),
  "network.ingress.grpc_send_timeout_seconds": integer(60),
  "network.ingress.grpc_read_timeout_seconds": integer(60),
  "network.ingress.extra_headers": string("{}"),
  "network.gateway_api.http_request_timeout_seconds": noInteger(),
  "network.gateway_api.http_connection_idle_timeout_seconds": noInteger(),
  "network.gateway_api.retry.num_retries": noInteger(),
  "network.gateway_api.retry.retry_on": noString(),
  "network.gateway_api.retry.http_status_codes": noString(),
  "network.gateway_api.retry.per_try_timeout_seconds": noInteger(1),
};
const requestBuffering = { "network.ingress.proxy_request_buffering": string("on") };

const account = {
  "security.service_account_name": string(""),
  "security.read_only_root_filesystem": boolean(false),
};
const accountToken = { "security.automount_service_account_token": boolean(false) };

export const settingsSchemas: Partial<Record<ServiceKindName, TObject>> = {
  application: Type.Object({
    ...domainCheck,
    ...grace,
    ...affinity,
    ...rollout,
    "deployment.lifecycle.post_start_exec_command": withDefault(Type.Array(Type.String()), []),
    "deployment.lifecycle.pre_stop_exec_command": withDefault(Type.Array(Type.String()), []),
    ...build,
    ...buildCache,
    ...network,
    ...account,
    ...accountToken,
  }),
  container: Type.Object({
    ...domainCheck,
    ...grace,
    ...affinity,
    ...rollout,
    ...network,
    ...requestBuffering,
    ...account,
    ...accountToken,
  }),
  job: Type.Object({
    ...grace,
    ...affinity,
    ...build,
    ...buildCache,
    "job.delete_ttl_seconds_after_finished": withDefault(nullable(Type.Integer()), null),
    "cronjob.concurrency_policy": string("Forbid"),
    "cronjob.failed_jobs_history_limit": integer(1),
    "cronjob.success_jobs_history_limit": integer(1),
    ...account,
    ...accountToken,
  }),
  helm: Type.Object({ ...domainCheck, ...network, ...requestBuffering }),
  terraform: Type.Object({
    ...grace,
    ...affinity,
    ...build,
    "build.ephemeral_storage_in_gib": integer(20),
    ...account,
  }),
};
