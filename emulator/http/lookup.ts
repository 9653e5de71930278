import { notFound } from "../world/errors.ts";
import type { Environment, Project, Service } from "../world/records.ts";
import type { Call } from "./routing.ts";

// Find the resource of a path; each throws 404 when it does not exist.

export function organizationOf({ world, param }: Call) {
  return world.store.organizations.get(param("organizationId"));
}

export function projectOf({ world, param }: Call): Project {
  return world.store.projects.get(param("projectId"));
}

export function environmentOf({ world, param }: Call): Environment {
  return world.store.environments.get(param("environmentId"));
}

export function environmentsOf(call: Call): Environment[] {
  return call.world.store.environments.under(projectOf(call).id);
}

export function environmentsOfOrganization(call: Call): Environment[] {
  const { projects, environments } = call.world.store;
  return projects.under(organizationOf(call).id).flatMap(({ id }) => environments.under(id));
}

/** A service of this kind; throws 404 for a service of another kind. */
export function serviceOf({ world, param }: Call, { kind }: Pick<Service, "kind">): Service {
  const id = param(`${kind}Id`);
  const service = world.store.services.find(id);
  if (service?.kind !== kind) throw notFound(kind, id);
  return service;
}

/** The services of this kind in the environment of a path; with `toUpdate`, only those out of date. */
export function servicesOf(call: Call, { kind }: Pick<Service, "kind">): Service[] {
  const { services } = call.world.store;
  const ofKind = services.under(environmentOf(call).id).filter((service) => service.kind === kind);
  return call.query["toUpdate"] === "true" ? ofKind.filter(isOutOfDate) : ofKind;
}

function isOutOfDate({ deployment }: Service): boolean {
  return deployment !== undefined && !deployment.upToDate;
}
