import { onFinish } from "./operations.ts";
import type { Environment, Project, Service } from "./records.ts";
import type { World } from "./world.ts";

/** Deletes a service, at once or after the delay of asynchronous deletions. */
export function deleteServices(services: Service[], world: World): void {
  const remaining = services.filter((service) => !deleting(service.id, world));
  if (remaining.length > 0)
    start(
      remaining.map(({ id }) => id),
      world,
    );
}

/** Deletes an environment with all that is in it. */
export function deleteEnvironment(environment: Environment, world: World): void {
  if (!deleting(environment.id, world)) start([environment.id], world);
}

/** Deletes a project with its environments; it stays until they are gone. */
export function deleteProject(project: Project, world: World): void {
  if (!deleting(project.id, world)) start([project.id], world);
}

function deleting(id: string, world: World): boolean {
  return world.operations.on(id)?.kind === "delete";
}

function start(ids: string[], world: World): void {
  const holds = ids.flatMap((id) => [id, ...contents(id, world)]);
  world.operations.requireIdle(...holds.filter((id) => !deleting(id, world)));
  world.operations.start({ kind: "delete", holds, subjects: ids }, world.settings.deleteDelay);
}

/** Ids of everything in a project or an environment. */
function contents(id: string, { store }: World): string[] {
  const environments = store.environments.allUnder(id).map((environment) => environment.id);
  return [id, ...environments]
    .flatMap((parent) => store.services.allUnder(parent).map((service) => service.id))
    .concat(environments);
}

onFinish("delete", ({ subjects }, world) => {
  const { projects, environments, services } = world.store;
  for (const id of subjects) {
    const project = projects.peek(id);
    const environment = environments.peek(id);
    const service = services.peek(id);
    if (project) removeProject(project, world);
    if (environment) removeEnvironment(environment, world);
    if (service) removeService(service, world);
  }
});

function removeProject(project: Project, world: World): void {
  for (const environment of world.store.environments.allUnder(project.id)) {
    removeEnvironment(environment, world);
  }
  removeVariables(project.id, world);
  world.store.projects.remove(project);
}

function removeEnvironment(environment: Environment, world: World): void {
  for (const service of world.store.services.allUnder(environment.id)) removeService(service, world);
  removeVariables(environment.id, world);
  world.store.environments.remove(environment);
}

function removeService(service: Service, world: World): void {
  removeVariables(service.id, world);
  world.store.services.remove(service);
}

function removeVariables(parentId: string, { store }: World): void {
  for (const variable of store.variables.allUnder(parentId)) store.variables.remove(variable);
}
