import { organizationOf } from "../http/lookup.ts";
import { list, type Call, type Route } from "../http/routing.ts";
import { jobType } from "../services/job.ts";
import { statusView } from "../deployments/statuses.ts";
import { lineageOf } from "../world/lineage.ts";
import type { Cluster, Service, Store } from "../world/records.ts";
import { mentions } from "../world/references.ts";
import type { World } from "../world/world.ts";

const root = "/organization/{organizationId}";

// What services refer to: the path, the parameter with its id, and the table of each.
const referred: [path: string, id: string, table: keyof Store][] = [
  ["containerRegistry", "containerRegistryId", "registries"],
  ["gitToken", "gitTokenId", "gitTokens"],
  ["helmRepository", "helmRepositoryId", "helmRepositories"],
];
const groups: typeof referred = [
  ["annotationsGroups", "annotationsGroupId", "annotationsGroups"],
  ["labelsGroups", "labelsGroupId", "labelsGroups"],
];

/** Who uses what: the services with a registry, a token or a group, and the variables of a secret manager. */
export const associationRoutes: Route[] = [
  ...referred.map(([path, id, table]) =>
    list(`${root}/${path}/{${id}}/associatedServices`, (call) => usersOf(call, id, table), associatedService),
  ),
  ...groups.flatMap(([path, id, table]) => {
    const clusters = (call: Call) => {
      const { id: group } = call.world.store[table].get(call.param(id));
      return call.world.store.clusters.all().filter(({ spec }) => mentions(spec, group));
    };
    return list(
      `${root}/${path}/{${id}}/associatedItems`,
      (call): (Cluster | Service)[] => [...usersOf(call, id, table), ...clusters(call)],
      associatedItem,
    );
  }),
  list(
    `${root}/containerRegistry/{containerRegistryId}/container/status`,
    (call) => usersOf(call, "containerRegistryId", "registries").filter(({ kind }) => kind === "container"),
    statusView,
  ),
  list(
    "/secretManagerAccess/{secretManagerAccessId}/associatedServices",
    ({ world, param }) =>
      world.store.variables
        .all()
        .filter(({ secret_manager_access_id: id }) => id === param("secretManagerAccessId")),
    (variable, world) => ({
      ...placeOf(variable.parentId, world),
      variable_name: variable.key,
      external_secret_name: variable.value ?? "",
    }),
  ),
];

/** The services that mention the entry of a path. */
function usersOf(call: Call, parameter: string, table: keyof Store): Service[] {
  const { store } = call.world;
  organizationOf(call);
  const { id } = store[table].get(call.param(parameter));
  return store.services.all().filter(({ spec }) => mentions(spec, id));
}

function associatedService(service: Service, world: World): object {
  return { ...placeOf(service.id, world), service_type: sortOf(service) };
}

/** A service or a cluster with a group. */
function associatedItem(item: Cluster | Service, world: World): object {
  const { id, name } = item;
  if (item.kind === undefined)
    return { cluster_id: id, cluster_name: name, item_id: id, item_name: name, item_type: "CLUSTER" };
  const { project_id, project_name, environment_id, environment_name } = placeOf(id, world);
  const item_type = sortOf(item as Service);
  return {
    project_id,
    project_name,
    environment_id,
    environment_name,
    item_id: id,
    item_name: name,
    item_type,
  };
}

/** The kind of a service in these lists, which tell jobs apart: CRON, LIFECYCLE. */
function sortOf({ kind, spec }: Service): string {
  return kind === "job" ? jobType(spec) : kind.toUpperCase();
}

/** The service, the environment and the project of a resource. */
function placeOf(id: string, { store }: World) {
  const { project, environment, service } = lineageOf(id, store);
  return {
    project_id: project?.id,
    project_name: project?.name,
    environment_id: environment?.id,
    environment_name: environment?.name,
    ...(service && {
      service_id: service.id,
      service_name: service.name,
      service_type: service.kind.toUpperCase(),
    }),
  };
}
