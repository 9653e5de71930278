import { addEnvironmentVariables, addProjectVariables, tellAboutService } from "../variables/built-in.ts";
import type { Environment, Project, Service, Stage } from "../world/records.ts";
import type { World } from "../world/world.ts";

export function createProject(desired: Pick<Project, "parentId" | "name" | "spec">, world: World): Project {
  const project = world.add(world.store.projects, { ...world.base(desired.parentId), ...desired });
  addProjectVariables(project, world);
  return project;
}

/** Creates an environment with its default stage and its built-in variables; a clone is hidden at first. */
export function createEnvironment(
  desired: Pick<Environment, "parentId" | "name" | "spec" | "hidden">,
  world: World,
): Environment {
  const { environments, stages } = world.store;
  const base = world.base(desired.parentId);
  const environment = world.add(environments, { ...base, ...desired }, desired.hidden ? "CLONE" : "CREATE");
  stages.add({ ...world.base(environment.id), name: "DEFAULT", order: 1, spec: {} });
  addEnvironmentVariables(environment, world);
  return environment;
}

/** Creates a service in a deployment stage, with its built-in variables; a clone is hidden at first. */
export function createService(
  desired: Pick<Service, "parentId" | "kind" | "name" | "spec" | "hidden" | "settings" | "network"> & {
    stageId?: string;
    isSkipped?: boolean;
  },
  world: World,
): Service {
  const { stageId = defaultStage(desired.parentId, world).id, isSkipped = false, ...rest } = desired;
  const base = world.base(desired.parentId);
  const stage = { id: world.newId(), stageId, isSkipped };
  const event = desired.hidden ? "CLONE" : "CREATE";
  const service = world.add(world.store.services, { ...base, ...rest, stage }, event);
  tellAboutService(service, world);
  return service;
}

/** The stages of an environment, in the order of its deployments. */
export function stagesOf(environmentId: string, { store }: World): Stage[] {
  return store.stages.under(environmentId).toSorted((a, b) => a.order - b.order);
}

export function defaultStage(environmentId: string, { store }: World): Stage {
  const [stage] = store.stages.allUnder(environmentId);
  if (!stage) throw new Error(`environment ${environmentId} has no deployment stage`);
  return stage;
}
