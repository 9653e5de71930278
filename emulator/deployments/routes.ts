import { cancelDeployments, startDeployment, type DeploymentOrder } from "./deployments.ts";
import { HttpError } from "../world/errors.ts";
import type { DeploymentAction, Environment, Service, ServiceKindName } from "../world/records.ts";
import { startDeletion } from "../lifecycle/removal.ts";
import { act, post, withOptionalBody, type Call, type Route } from "../http/routing.ts";
import * as schemas from "./schemas.ts";
import { serviceKinds } from "../services/index.ts";
import type { DeployRequest, ServiceKind } from "../services/kind.ts";
import { environmentStatusView, statusView } from "./statuses.ts";
import type { World } from "../world/world.ts";
import { environmentOf, serviceOf } from "../http/lookup.ts";

const actions: Record<string, DeploymentAction> = {
  deploy: "DEPLOY",
  redeploy: "DEPLOY",
  stop: "STOP",
  "restart-service": "RESTART",
};

/** Deploy, redeploy, stop, restart and cancel: of a service, of several, of an environment. */
export const deploymentRoutes: Route[] = [
  ...serviceKinds.flatMap(serviceActions),
  ...["deploy", "redeploy", "stop"].map((action) =>
    act(`/environment/{environmentId}/${action}`, 202, (call) => {
      const environment = environmentOf(call);
      const services = deployable(call.world.store.services.under(environment.id), call.world);
      start(call, { action: actions[action] ?? "DEPLOY", environment, services, whole: true });
      return environmentAnswer(environment, call.world);
    }),
  ),
  withOptionalBody(
    post("/environment/{environmentId}/cancelDeployment", 202, schemas.CancelRequest, (call, world, body) => {
      const environment = environmentOf(call);
      cancelDeployments(environment, body.force_cancel ?? false, world);
      return environmentStatusView(environment, world);
    }),
  ),
  post("/environment/{environmentId}/service/deploy", 202, schemas.DeployAllRequest, (call, _world, body) => {
    const { applications = [], databases = [], ...others } = body;
    const named = [
      ...applications.map(({ application_id: id, ...version }) => pick(call, "application", id, version)),
      ...databases.map((id) => pick(call, "database", id)),
      ...(["container", "job", "helm", "terraform"] as const).flatMap((kind) =>
        (others[`${kind}s`] ?? []).map(({ id, ...version }) => pick(call, kind, id, version)),
      ),
    ];
    return startSeveral(call, "DEPLOY", named);
  }),
  post("/environment/{environmentId}/service/restart-service", 202, schemas.ServiceIdsRequest, (call) =>
    startSeveral(call, "RESTART", pickAll(call)),
  ),
  post("/environment/{environmentId}/service/stop", 200, schemas.ServiceIdsRequest, (call) => {
    startSeveral(call, "STOP", pickAll(call));
  }),
  post("/environment/{environmentId}/service/delete", 200, schemas.ServiceIdsRequest, (call) => {
    startDeletion(
      pickAll(call).map(({ service }) => service.id),
      call.world,
    );
  }),
];

function serviceActions(kind: ServiceKind): Route[] {
  const path = `/${kind.kind}/{${kind.kind}Id}`;
  const run = (action: string) => (call: Call) => {
    const service = serviceOf(call, kind);
    const environment = call.world.store.environments.get(service.parentId);
    const versions = new Map([[service.id, (call.body ?? {}) as DeployRequest]]);
    start(call, { action: actions[action] ?? "DEPLOY", environment, services: [service], versions });
    return serviceAnswer(service, call.world);
  };
  const deploy = kind.deploy
    ? post(`${path}/deploy`, 202, kind.deploy, run("deploy"))
    : act(`${path}/deploy`, 202, run("deploy"));
  return [
    kind.deploy && kind.kind !== "container" ? withOptionalBody(deploy) : deploy,
    ...["redeploy", ...kind.actions].map((action) => act(`${path}/${action}`, 202, run(action))),
  ];
}

function start(call: Call, order: DeploymentOrder): void {
  startDeployment({ ...order, fails: call.failsDeployment }, call.world);
}

function serviceAnswer(service: Service, world: World): object {
  return {
    ...statusView(service, world),
    status: service.deployment?.outcome,
    [`${service.kind}_id`]: service.id,
    created_at: service.deployment?.date,
  };
}

function environmentAnswer(environment: Environment, world: World): object {
  return {
    ...environmentStatusView(environment, world),
    service_deployment_status: "UP_TO_DATE",
    is_part_last_deployment: true,
    status_details: { action: "DEPLOY", status: "QUEUED", sub_action: "NONE" },
    deployment_requests_count: 1,
  };
}

interface ChosenService {
  service: Service;
  version: DeployRequest;
}

/** @throws 404 for a service of another environment or kind */
function pick(call: Call, kind: ServiceKindName, id: string, version: DeployRequest = {}): ChosenService {
  const environment = environmentOf(call);
  const service = call.world.store.services.find(id);
  if (service?.kind !== kind || service.parentId !== environment.id) {
    throw new HttpError(404, `this environment has no ${kind} with id ${id}`);
  }
  return { service, version };
}

function pickAll(call: Call<Partial<Record<string, string[]>>>): ChosenService[] {
  return serviceKinds.flatMap(({ kind }) =>
    (call.body[`${kind}_ids`] ?? []).map((id) => pick(call, kind, id)),
  );
}

function startSeveral(call: Call, action: DeploymentAction, picked: ChosenService[]): object {
  const environment = environmentOf(call);
  const services = picked.map(({ service }) => service);
  if (services.length === 0) throw new HttpError(400, "the body names no service");
  const versions = new Map(picked.map(({ service, version }) => [service.id, version]));
  start(call, { action, environment, services, versions });
  return environmentAnswer(environment, call.world);
}

function deployable(services: Service[], { operations }: World): Service[] {
  return services.filter(({ id }) => !operations.isLeaving(id));
}
