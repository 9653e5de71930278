import { Type } from "typebox";
import { flag, id, nullable, oneOf, references, text, texts, uri } from "../bodies/common.ts";

// Schemas shared by the request bodies of several kinds of service. They contain the defaults, which are the same for
// PUT and POST.

const port = Type.Optional(Type.Integer());

const ProbeRequest = nullable(
  Type.Object({
    type: Type.Optional(
      Type.Object({
        tcp: Type.Optional(
          nullable(Type.Object({ port, host: Type.Optional(nullable(Type.String({ default: null }))) })),
        ),
        http: Type.Optional(
          nullable(
            Type.Object({
              path: Type.Optional(Type.String({ default: "/" })),
              scheme: Type.Optional(Type.String({ default: "HTTP" })),
              port,
            }),
          ),
        ),
        exec: Type.Optional(
          nullable(Type.Object({ command: Type.Optional(Type.Array(Type.String(), { minItems: 1 })) })),
        ),
        grpc: Type.Optional(
          nullable(Type.Object({ service: Type.Optional(nullable(Type.String({ default: null }))), port })),
        ),
      }),
    ),
    initial_delay_seconds: Type.Optional(Type.Integer({ default: 30 })),
    period_seconds: Type.Optional(Type.Integer({ default: 10 })),
    timeout_seconds: Type.Optional(Type.Integer({ default: 5 })),
    success_threshold: Type.Optional(Type.Integer({ default: 1 })),
    failure_threshold: Type.Optional(Type.Integer({ default: 9 })),
  }),
);

export const healthchecks = Type.Optional(
  Type.Object(
    { readiness_probe: Type.Optional(ProbeRequest), liveness_probe: Type.Optional(ProbeRequest) },
    { default: {} },
  ),
);

export const resources = {
  cpu: Type.Optional(Type.Integer({ default: 500, minimum: 1 })),
  memory: Type.Optional(Type.Integer({ default: 512, minimum: 1 })),
  gpu: Type.Optional(Type.Integer({ default: 0, minimum: 0 })),
  ephemeral_storage_in_gib: Type.Optional(Type.Integer({ minimum: 0 })),
  cpu_architecture: Type.Optional(nullable(oneOf("AMD64", "ARM64"))),
};

export const instances = {
  min_running_instances: Type.Optional(Type.Integer({ default: 1, minimum: 0 })),
  max_running_instances: Type.Optional(Type.Integer({ default: 1, minimum: -1 })),
};

export const command = { arguments: texts, entrypoint: text };

export const groups = { annotations_groups: references, labels_groups: references };

export const iconUri = { icon_uri: Type.Optional(uri) };

export const autoDeploy = { auto_deploy: Type.Optional(nullable(Type.Boolean())) };

export const PortRequest = Type.Object({
  id: Type.Optional(Type.String({ format: "uuid or empty" })),
  name: text,
  internal_port: Type.Integer({ minimum: 1, maximum: 65535 }),
  external_port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65535 })),
  publicly_accessible: Type.Boolean(),
  is_default: flag,
  protocol: Type.Optional(oneOf("HTTP", "GRPC", "TCP", "UDP")),
  public_path: text,
  public_path_rewrite: text,
});

export const ports = { ports: Type.Optional(Type.Array(PortRequest)) };

export const StorageRequest = Type.Object({
  id: Type.Optional(Type.String({ format: "uuid or empty" })),
  type: oneOf("FAST_SSD"),
  size: Type.Integer({ minimum: 1 }),
  mount_point: Type.String({ minLength: 1 }),
});

export const storage = { storage: Type.Optional(Type.Array(StorageRequest)) };

const KedaScalerRequest = Type.Object({
  scaler_type: Type.String(),
  enabled: flag,
  role: oneOf("PRIMARY", "SAFETY"),
  config_json: Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: "object" })),
  config_yaml: text,
  trigger_authentication: Type.Optional(Type.Object({ name: Type.String(), config_yaml: text })),
});

export const AutoscalingRequest = Type.Object({
  mode: oneOf("KEDA"),
  polling_interval_seconds: Type.Optional(Type.Integer({ default: 30 })),
  cooldown_period_seconds: Type.Optional(Type.Integer({ default: 300 })),
  scalers: Type.Array(KedaScalerRequest, { minItems: 1 }),
});

export const autoscaling = { autoscaling: Type.Optional(AutoscalingRequest) };

/** The members of the services that keep running: applications and containers. */
export const running = {
  ...resources,
  ...instances,
  healthchecks,
  auto_preview: flag,
  ...ports,
  ...storage,
  ...command,
  ...autoDeploy,
  ...groups,
  ...iconUri,
  ...autoscaling,
};

export const CloneServiceRequest = Type.Object({
  name: Type.String({ minLength: 1, pattern: "\\S" }),
  environment_id: id,
});
