import { notFound } from "./errors.ts";
import type { Environment, Project, Service } from "../world/records.ts";
import type { Call } from "./routing.ts";
import type { ServiceKind } from "../services/kind.ts";

// What a path names; each throws 404 when there is no such thing.

export function organizationOf({ world, param }: Call) {
  return world.store.organizations.get(param("organizationId"));
}

export function projectOf({ world, param }: Call): Project {
  return world.store.projects.get(param("projectId"));
}

export function environmentOf({ world, param }: Call): Environment {
  return world.store.environments.get(param("environmentId"));
}

/** A service of this kind; one of another kind is not there. */
export function serviceOf({ world, param }: Call, { kind }: Pick<ServiceKind, "kind">): Service {
  const id = param(`${kind}Id`);
  const service = world.store.services.find(id);
  if (service?.kind !== kind) throw notFound(kind, id);
  return service;
}

/** The services of this kind in the environment that a path names; with `toUpdate` those out of date. */
export function servicesOf(call: Call, { kind }: Pick<ServiceKind, "kind">): Service[] {
  const { services } = call.world.store;
  const ofKind = services.under(environmentOf(call).id).filter((service) => service.kind === kind);
  return call.query["toUpdate"] === "true" ? ofKind.filter(isOutOfDate) : ofKind;
}

function isOutOfDate({ deployment }: Service): boolean {
  return deployment !== undefined && !deployment.upToDate;
}
