import type { Environment, Service, Variable } from "./records.ts";
import { databasePorts } from "./services/database.ts";
import type { World } from "./world.ts";

// Variables that the platform sets: what a service needs to know of its surroundings.

/** Gives an environment the variables that tell about it and its project. */
export function addEnvironmentVariables(environment: Environment, world: World): void {
  const project = world.store.projects.peek(environment.parentId);
  const values = {
    PROJECT_ID: environment.parentId,
    PROJECT_NAME: project?.name ?? "",
    ENVIRONMENT_ID: environment.id,
    ENVIRONMENT_NAME: environment.name,
  };
  for (const [key, value] of Object.entries(values)) add(environment.id, `INFRA_${key}`, value, {}, world);
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
