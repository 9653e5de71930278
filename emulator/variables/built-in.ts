import type { Environment, Project, Service, Variable } from "../world/records.ts";
import { databasePorts } from "../services/database.ts";
import type { World } from "../world/world.ts";

// Variables that the platform sets: what a service needs to know of its surroundings.

/** Gives a project the variables that tell about it. */
export function addProjectVariables({ id, name }: Project, world: World): void {
  add(id, "INFRA_PROJECT_ID", id, {}, world);
  add(id, "INFRA_PROJECT_NAME", name, {}, world);
}

/** Gives an environment the variables that tell about it. */
export function addEnvironmentVariables({ id, name }: Environment, world: World): void {
  add(id, "INFRA_ENVIRONMENT_ID", id, {}, world);
  add(id, "INFRA_ENVIRONMENT_NAME", name, {}, world);
}

/** Gives the environment of a service the variables that tell where the service is. */
export function addServiceVariables(service: Service, world: World): void {
  const { id, kind, parentId } = service;
  const prefix = `INFRA_${kind.toUpperCase()}_Z${id.slice(0, 8).toUpperCase()}`;
  const host = `${kind}-z${id.slice(0, 8)}`;
  const about = { about: id };
  if (kind === "application" || kind === "container" || kind === "helm") {
    add(parentId, `${prefix}_HOST_INTERNAL`, host, about, world);
  }
  if (kind === "database") {
    const { type } = service.spec as { type: keyof typeof databasePorts };
    add(parentId, `${prefix}_HOST`, host, about, world);
    add(parentId, `${prefix}_PORT`, String(databasePorts[type]), about, world);
    add(parentId, `${prefix}_LOGIN`, "admin", about, world);
    add(parentId, `${prefix}_PASSWORD`, world.newId(), { ...about, is_secret: true }, world);
  }
}

/** The built-in variables about a service, in the order in which they were made. */
export function variablesAbout(service: Service, { store }: World): Variable[] {
  return store.variables.allUnder(service.parentId).filter(({ about }) => about === service.id);
}

function add(
  environmentId: string,
  key: string,
  value: string,
  rest: { about?: string; is_secret?: boolean },
  world: World,
): void {
  const base = world.base(environmentId);
  world.store.variables.add({ ...base, key, value, scope: "BUILT_IN", is_secret: false, ...rest });
}
