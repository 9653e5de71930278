import type { Store } from "./records.ts";

/** A service, an environment, a project or an organization with its ancestors; those that do not apply are undefined. */
export function lineageOf(id: string, store: Store) {
  const service = store.services.peek(id);
  const environment = store.environments.peek(service?.parentId ?? id);
  const project = store.projects.peek(environment?.parentId ?? id);
  const organization = store.organizations.peek(project?.parentId ?? id);
  return { organization, project, environment, service };
}

export function organizationIdOf(id: string, store: Store): string {
  return lineageOf(id, store).organization?.id ?? "";
}
