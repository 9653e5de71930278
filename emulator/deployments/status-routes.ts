import { positive } from "../http/paging.ts";
import { get, list, type Call, type Route } from "../http/routing.ts";
import type { Deployment, Environment } from "../world/records.ts";
import { stagesOf } from "../lifecycle/creation.ts";
import { serviceKinds } from "../services/index.ts";
import {
  durationOf,
  environmentStatusView,
  iconOf,
  statusDetails,
  statusesByKind,
  statusView,
} from "./statuses.ts";
import type { World } from "../world/world.ts";
import { environmentOf, environmentsOf, serviceOf, servicesOf } from "../http/lookup.ts";
import { stamps } from "../world/store.ts";

const DEFAULT_PAGE_SIZE = 20;

export const statusRoutes: Route[] = [
  ...serviceKinds
    .filter(({ has }) => has.status)
    .flatMap((kind) => [
      get(`/${kind.kind}/{${kind.kind}Id}/status`, (call, world) => statusView(serviceOf(call, kind), world)),
      list(`/environment/{environmentId}/${kind.kind}/status`, (call) => servicesOf(call, kind), statusView),
    ]),
  ...serviceKinds.map((kind) =>
    get(`/${kind.kind}/{${kind.kind}Id}/deploymentHistoryV2`, (call) => {
      const service = serviceOf(call, kind);
      return historyPage(call, service.parentId, (deployment) =>
        deployment.services
          .filter(({ id }) => id === service.id)
          .map((part) => serviceHistoryView(part, deployment, call.world)),
      );
    }),
  ),
  get("/environment/{environmentId}/status", (call, world) =>
    environmentStatusView(environmentOf(call), world),
  ),
  get("/environment/{environmentId}/statuses", (call, world) => {
    const environment = environmentOf(call);
    const services = world.store.services.under(environment.id);
    return { environment: environmentStatusView(environment, world), ...statusesByKind(services, world) };
  }),
  get("/environment/{environmentId}/statusesWithStages", (call, world) => {
    const environment = environmentOf(call);
    const services = world.store.services.under(environment.id);
    return {
      environment: environmentStatusView(environment, world),
      stages: stagesOf(environment.id, world).map((stage) => ({
        ...statusesByKind(
          services.filter((service) => service.stage.stageId === stage.id),
          world,
        ),
        stage: { id: stage.id, name: stage.name, description: stage.spec.description ?? "" },
      })),
      pre_check_stage: { status: "SUCCESS", total_duration_sec: 0 },
    };
  }),
  get("/environment/{environmentId}/deploymentHistoryV2", (call) => {
    const environment = environmentOf(call);
    return historyPage(call, environment.id, (deployment) => [
      historyView(deployment, environment, call.world),
    ]);
  }),

  list("/project/{projectId}/environment/status", environmentsOf, environmentStatusView),
  list("/project/{projectId}/environment/stats", environmentsOf, ({ id }, { store }) => ({
    id,
    service_total_number: store.services.under(id).length,
  })),
  list("/project/{projectId}/environment/overview", environmentsOf, overview),
];

function overview(environment: Environment, world: World): object {
  const { id, name, spec } = environment;
  const cluster = world.store.clusters.get(spec.clusterId);
  const { cloud_provider } = cluster.spec;
  return {
    ...stamps(environment),
    name,
    mode: spec.mode,
    cluster: { id: cluster.id, name: cluster.name, cloud_provider, is_demo: false },
    services_overview: { service_count: world.store.services.under(id).length, managed_by: "QOVERY" },
    deployment_status: environmentStatusView(environment, world),
  };
}

function historyPage(
  { world, query }: Call,
  environmentId: string,
  view: (deployment: Deployment) => object[],
): object {
  const size = positive(query, "pageSize", DEFAULT_PAGE_SIZE);
  const history = world.store.deployments.under(environmentId).toReversed().flatMap(view);
  return { page: 1, page_size: size, results: history.slice(0, size) };
}

function serviceHistoryView(service: Deployment["services"][number], deployment: Deployment, world: World) {
  const { id, created_at, updated_at, state, triggeredBy } = deployment;
  return {
    identifier: {
      name: service.name,
      service_id: service.id,
      service_type: service.kind.toUpperCase(),
      execution_id: id,
    },
    status: state,
    auditing_data: { created_at, updated_at, triggered_by: triggeredBy, origin: "API" },
    details: service.details,
    status_details: statusDetails(deployment),
    icon_uri: iconOf(service, world),
    total_duration: `PT${durationOf(deployment, world)}S`,
  };
}

function historyView(deployment: Deployment, environment: Environment, world: World): object {
  const { id, created_at, updated_at, action, state, outcome, triggeredBy, services } = deployment;
  const duration = `PT${durationOf(deployment, world)}S`;
  return {
    identifier: { execution_id: id, environment_id: environment.id },
    auditing_data: { created_at, updated_at, triggered_by: triggeredBy, origin: "API" },
    status: state,
    trigger_action: action,
    total_duration: duration,
    action_status: outcome,
    stages: stagesOf(environment.id, world).map(({ id: stageId, name }) => ({
      name,
      status: stageStatuses[outcome] ?? outcome,
      services: services
        .filter(({ stage }) => stage === stageId)
        .map((part) => serviceHistoryView(part, deployment, world)),
      duration,
    })),
  };
}

/** The statuses of stages that differ from the outcome of their deployment. */
const stageStatuses: Partial<Record<Deployment["outcome"], string>> = {
  SUCCESS: "DONE",
  CANCELING: "ONGOING",
};
