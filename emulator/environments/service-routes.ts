import { cloneService } from "../lifecycle/cloning.ts";
import { createService } from "../lifecycle/creation.ts";
import { startDeletion } from "../lifecycle/removal.ts";
import { get, list, post, put, remove, type Call, type Route } from "../http/routing.ts";
import { CloneServiceRequest } from "../services/request.ts";
import { serviceKinds, serviceView } from "../services/index.ts";
import { jobType } from "../services/job.ts";
import type { ServiceKind } from "../services/kind.ts";
import type { Service } from "../world/records.ts";
import type { World } from "../world/world.ts";
import { lineageOf } from "../world/lineage.ts";
import { tellAboutService } from "../variables/built-in.ts";
import { linksOf } from "../services/links.ts";
import { environmentOf, environmentsOfOrganization, serviceOf, servicesOf } from "../http/lookup.ts";

/** List, get, create, edit, delete and clone, the same for every kind of service. */
export const serviceRoutes: Route[] = [
  list(
    "/environment/{environmentId}/services",
    (call) => call.world.store.services.under(environmentOf(call).id),
    serviceView,
  ),
  list("/organization/{organizationId}/services", servicesOfOrganization, lightView),
  ...serviceKinds.flatMap(routesOf),
  ...(["application", "container", "helm"] as const).map((kind) =>
    list(`/${kind}/{${kind}Id}/link`, (call, world) => linksOf(serviceOf(call, { kind }), world)),
  ),
];

function routesOf(kind: ServiceKind): Route[] {
  const one = `/${kind.kind}/{${kind.kind}Id}`;
  const many = `/environment/{environmentId}/${kind.kind}`;
  return [
    list(many, (call) => servicesOf(call, kind), serviceView),
    post(many, 201, kind.create, (call, world, body) => {
      const environment = environmentOf(call);
      world.operations.requireStaying(environment.id);
      const desired = { parentId: environment.id, kind: kind.kind, ...kind.admit(body, world) };
      return serviceView(createService(desired, world), world);
    }),
    get(one, (call, world) => serviceView(serviceOf(call, kind), world)),
    keepingOmitted(
      kind,
      put(one, kind.edit, (call, world, body) => {
        const service = serviceOf(call, kind);
        world.operations.requireStaying(service.id);
        world.update(world.store.services, service, kind.admit(body, world, service));
        tellAboutService(service, world);
        if (service.deployment) service.deployment.upToDate = false;
        return serviceView(service, world);
      }),
    ),
    remove(one, (call) => startDeletion([serviceOf(call, kind).id], call.world)),
    post(`${one}/clone`, 202, CloneServiceRequest, (call, world, body) => {
      const target = world.store.environments.get(body.environment_id);
      return serviceView(cloneService(serviceOf(call, kind), body.name, target, world), world);
    }),
  ];
}

/** The PUT of a service; by the server's behaviour, omitted members may stay unchanged. */
function keepingOmitted(kind: ServiceKind, route: Route): Route {
  return {
    ...route,
    run: (call) => {
      if (!call.world.behaviour.put_keeps_omitted) return route.run(call);
      const { name, spec } = serviceOf(call, kind);
      return route.run({ ...call, body: structuredClone({ name, ...spec, ...(call.body as object) }) });
    },
  };
}

function servicesOfOrganization(call: Call): Service[] {
  const { store } = call.world;
  const { project_id: projectId, environment_id: environmentId, cluster_id: clusterId } = call.query;
  return environmentsOfOrganization(call)
    .filter(({ parentId }) => projectId === undefined || parentId === projectId)
    .filter(({ id }) => environmentId === undefined || id === environmentId)
    .filter(({ spec }) => clusterId === undefined || spec.clusterId === clusterId)
    .flatMap(({ id }) => store.services.under(id));
}

function lightView(service: Service, world: World): object {
  const { project, environment } = lineageOf(service.id, world.store);
  const { id, name, kind, spec } = service;
  const { description = "", icon_uri } = serviceView(service, world) as {
    description?: string;
    icon_uri?: string;
  };
  return {
    id,
    name,
    description,
    icon_uri,
    service_type: kind.toUpperCase(),
    project_id: project?.id,
    project_name: project?.name,
    environment_id: environment?.id,
    environment_name: environment?.name,
    cluster_id: environment?.spec.clusterId,
    ...(kind === "job" && { job_type: jobType(spec) }),
  };
}
