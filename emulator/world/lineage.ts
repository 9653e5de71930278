import type { Store } from "./records.ts";

/** A service, an environment, a project or an organization with its ancestors; those that do not apply are absent. */
export function lineageOf(id: string, store: Store) {
  const service = store.services.peek(id);
  const environment = store.environments.peek(service?.parentId ?? id);
  const project = store.projects.peek(environment?.parentId ?? id);
  const organization = store.organizations.peek(project?.parentId ?? id);
  // The ancestors of two places are laid over each other, so that one that does not apply has no member.
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
