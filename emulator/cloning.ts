import { HttpError } from "./errors.ts";
import { onFinish } from "./operations.ts";
import type { Environment, Service } from "./records.ts";
import { kindOf } from "./services/index.ts";
import type { World } from "./world.ts";

// A clone exists from the 202 on, hidden: its name is taken, and it can be read when the delay is over.

/** What the clone of an environment may have otherwise than its source. */
export interface EnvironmentOverrides {
  name: string;
  cluster_id?: string;
  mode?: string;
  project_id?: string;
}

/** Requests a copy of a service in an environment; 409 while source or target is busy. */
export function cloneService(source: Service, name: string, target: Environment, world: World): Service {
  world.operations.requireIdle(source.id, target.id);
  const clone = world.add(world.store.services, { ...copyOf(source, target.id, world), name });
  copyVariables(source.id, clone.id, world);
  world.operations.start(
    { kind: "clone", holds: [source.id, clone.id, target.id], subjects: [clone.id] },
    world.settings.cloneDelay,
  );
  return clone;
}

/** Requests a copy of an environment with its services and variables. */
export function cloneEnvironment(
  source: Environment,
  overrides: EnvironmentOverrides,
  world: World,
): Environment {
  const { store, operations } = world;
  const services = store.services.under(source.id);
  const target = overrides.project_id ?? source.parentId;
  if (!store.projects.find(target)) throw new HttpError(404, `there is no project with id ${target}`);
  const clusterId = overrides.cluster_id ?? source.spec.clusterId;
  if (!store.clusters.find(clusterId)) throw new HttpError(404, `there is no cluster with id ${clusterId}`);
  const sources = [source.id, ...services.map(({ id }) => id)];
  operations.requireIdle(...sources, target);
  const clone = world.add(store.environments, {
    ...world.base(target),
    hidden: true,
    name: overrides.name,
    organizationId: store.projects.get(target).parentId,
    spec: { mode: overrides.mode ?? source.spec.mode, clusterId },
  });
  copyVariables(source.id, clone.id, world);
  const copies = services.map((service) => {
    const copy = store.services.add(copyOf(service, clone.id, world));
    copyVariables(service.id, copy.id, world);
    return copy.id;
  });
  operations.start(
    { kind: "clone", holds: [...sources, clone.id], subjects: [clone.id, ...copies] },
    world.settings.cloneDelay,
  );
  return clone;
}

onFinish("clone", ({ subjects }, { store }) => {
  for (const id of subjects) {
    const clone = store.services.peek(id) ?? store.environments.peek(id);
    if (clone) delete clone.hidden;
  }
});

function copyOf(source: Service, environmentId: string, world: World): Service {
  const { kind, name, spec } = source;
  return { ...world.base(environmentId), hidden: true, kind, name, spec: kindOf(source).copy(spec, world) };
}

function copyVariables(fromId: string, toId: string, world: World): void {
  for (const variable of world.store.variables.allUnder(fromId)) {
    world.store.variables.add({ ...variable, ...world.base(toId) });
  }
}
