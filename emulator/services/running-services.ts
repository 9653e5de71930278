import { Type, type Static } from "typebox";
import { flag, oneOf, optionalObject, text } from "../bodies/common.ts";
import { invalid } from "../world/errors.ts";
import { organizationIdOf } from "../world/lineage.ts";
import type { Service } from "../world/records.ts";
import type { World } from "../world/world.ts";
import * as shared from "./common-fields.ts";
import * as request from "./request.ts";

// What applications and containers have in common: they keep running.

const elementId = Type.Optional(Type.String({ format: "uuid or empty" }));

const PortRequest = Type.Object({
  id: elementId,
  name: text,
  internal_port: Type.Integer({ minimum: 1, maximum: 65535 }),
  external_port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65535 })),
  publicly_accessible: Type.Boolean(),
  is_default: flag,
  protocol: Type.Optional(oneOf("HTTP", "GRPC", "TCP", "UDP")),
  public_path: text,
  public_path_rewrite: text,
});

const StorageRequest = Type.Object({
  id: elementId,
  type: oneOf("FAST_SSD"),
  size: Type.Integer({ minimum: 1 }),
  mount_point: Type.String({ minLength: 1 }),
});

const KedaScalerRequest = Type.Object({
  scaler_type: Type.String(),
  enabled: flag,
  role: oneOf("PRIMARY", "SAFETY"),
  config_json: Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: "object" })),
  config_yaml: text,
  trigger_authentication: optionalObject({ name: Type.String(), config_yaml: text }),
});

const AutoscalingRequest = Type.Object({
  mode: oneOf("KEDA"),
  polling_interval_seconds: Type.Optional(Type.Integer({ default: 30 })),
  cooldown_period_seconds: Type.Optional(Type.Integer({ default: 300 })),
  scalers: Type.Array(KedaScalerRequest, { minItems: 1 }),
});

/** Their members in requests. */
export const runningMembers = Type.Object({
  ...request.resources,
  min_running_instances: Type.Optional(Type.Integer({ default: 1, minimum: 0 })),
  max_running_instances: Type.Optional(Type.Integer({ default: 1, minimum: -1 })),
  healthchecks: request.healthchecks,
  auto_preview: flag,
  ports: Type.Optional(Type.Array(PortRequest)),
  storage: Type.Optional(Type.Array(StorageRequest)),
  ...request.command,
  ...request.autoDeploy,
  ...request.groups,
  ...request.iconUri,
  autoscaling: Type.Optional(AutoscalingRequest),
});

interface Parts {
  ports: (Static<typeof PortRequest> & { id: string })[];
  storage: (Static<typeof StorageRequest> & { id: string })[];
  autoscaling: ReturnType<typeof admitAutoscaling>;
}

export type RunningSpec<Request> = Omit<Request, "name" | keyof Parts> & Parts;

/** Throws 400 for mistakes that a schema cannot express. */
export function checkRunning(body: Static<typeof runningMembers>, world: World): void {
  shared.checkCommon(body, world);
  const { min_running_instances: min = 1, max_running_instances: max = 1 } = body;
  if (max !== -1 && min > max)
    throw invalid("min_running_instances", `must be at most max_running_instances, which is ${max}`);
}

/** The members of a body that get ids, dates or a default of the platform. */
export function admitRunning(body: Static<typeof runningMembers>, previous: Parts | undefined, world: World) {
  return {
    auto_deploy: shared.autoDeploy(body, world),
    ports: shared.withIds("ports", body.ports, previous?.ports, world),
    storage: shared.withIds("storage", body.storage, previous?.storage, world),
    autoscaling: admitAutoscaling(body.autoscaling, world),
  };
}

function admitAutoscaling(policy: Static<typeof AutoscalingRequest> | undefined, world: World) {
  const base = () => ({ id: world.newId(), created_at: world.stamp() });
  if (!policy) return undefined;
  return {
    ...base(),
    ...policy,
    scalers: policy.scalers.map(({ trigger_authentication: authentication, ...scaler }) => ({
      ...base(),
      enabled: true,
      ...scaler,
      ...(authentication && { trigger_authentication: { ...base(), ...authentication } }),
    })),
  };
}

/** Their members in responses beside those of the spec. */
export function runningView(
  service: Service & { spec: RunningSpec<Static<typeof runningMembers>> },
  world: World,
) {
  const { ports, autoscaling } = service.spec;
  return {
    ports: shared.completePorts(ports).map((port) => ({ ...port, protocol: port.protocol ?? "HTTP" })),
    ...shared.groupsView(service.spec, world),
    ...(autoscaling && { autoscaling: autoscalingView(autoscaling, service, world) }),
  };
}

function autoscalingView(policy: NonNullable<Parts["autoscaling"]>, { id }: Service, { store }: World) {
  const organization_id = organizationIdOf(id, store);
  const scalers = policy.scalers.map(({ trigger_authentication: authentication, ...scaler }) => ({
    ...scaler,
    ...(authentication && { trigger_authentication: { ...authentication, organization_id } }),
  }));
  return { ...policy, service_id: id, scalers };
}
