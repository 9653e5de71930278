import type { Environment, Organization, Project, Service, Store } from "./records.ts";

/** A resource and its ancestors; those that do not apply are undefined. */
export interface Lineage {
  organization?: Organization;
  project?: Project;
  environment?: Environment;
  service?: Service;
}

/** Finds the ancestors of a service, an environment, a project or an organization. */
export function lineageOf(id: string, store: Store): Lineage {
  const service = store.services.peek(id);
  const environment = store.environments.peek(service?.parentId ?? id);
  const project = store.projects.peek(environment?.parentId ?? id);
  const organization = store.organizations.peek(project?.parentId ?? id);
  return {
    ...(organization && { organization }),
    ...(project && { project }),
    ...(environment && { environment }),
    ...(service && { service }),
  };
}

export function organizationIdOf(id: string, store: Store): string {
  return lineageOf(id, store).organization?.id ?? "";
}
