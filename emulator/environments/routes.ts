import { cloneEnvironment } from "../lifecycle/cloning.ts";
import { createEnvironment, createProject } from "../lifecycle/creation.ts";
import { invalid } from "../world/errors.ts";
import { organizationIdOf } from "../world/lineage.ts";
import type { Environment, Project } from "../world/records.ts";
import { startDeletion } from "../lifecycle/removal.ts";
import { get, list, post, put, remove, type Route } from "../http/routing.ts";
import {
  CloneEnvironmentRequest,
  CreateEnvironmentRequest,
  EnvironmentEditRequest,
  ProjectRequest,
} from "./schemas.ts";
import { applyRule, applyRules, ruleForName } from "../rules/rule-match.ts";
import { requireReference } from "../services/common-fields.ts";
import { tellAboutName } from "../variables/built-in.ts";
import type { World } from "../world/world.ts";
import {
  environmentOf,
  environmentsOf,
  environmentsOfOrganization,
  organizationOf,
  projectOf,
} from "../http/lookup.ts";
import { stamps } from "../world/store.ts";

export const projectRoutes: Route[] = [
  list(
    "/organization/{organizationId}/project",
    (call) => call.world.store.projects.under(organizationOf(call).id),
    projectView,
  ),
  post("/organization/{organizationId}/project", 200, ProjectRequest, (call, world, { name, ...spec }) =>
    projectView(createProject({ parentId: organizationOf(call).id, name, spec }, world), world),
  ),
  get("/project/{projectId}", (call, world) => projectView(projectOf(call), world)),
  put("/project/{projectId}", ProjectRequest, (call, world, { name, ...spec }) =>
    projectView(world.update(world.store.projects, projectOf(call), { name, spec }), world),
  ),
  remove("/project/{projectId}", (call) => startDeletion([projectOf(call).id], call.world)),

  list("/organization/{organizationId}/environments", environmentsOfOrganization, briefEnvironmentView),
  list("/project/{projectId}/environment", environmentsOf, environmentView),
  post("/project/{projectId}/environment", 201, CreateEnvironmentRequest, (call, world, body) => {
    const project = projectOf(call);
    world.operations.requireStaying(project.id);
    const spec = { mode: body.mode ?? "DEVELOPMENT", clusterId: clusterFor(body, project, world) };
    const environment = createEnvironment({ parentId: project.id, name: body.name, spec }, world);
    applyRules(environment, world);
    return environmentView(environment, world);
  }),
  get("/environment/{environmentId}", (call, world) => environmentView(environmentOf(call), world)),
  put("/environment/{environmentId}", EnvironmentEditRequest, (call, world, body) => {
    const environment = environmentOf(call);
    world.operations.requireStaying(environment.id);
    const { name = environment.name, mode = environment.spec.mode } = body;
    const spec = { ...environment.spec, mode };
    world.update(world.store.environments, environment, { name, spec });
    tellAboutName(environment, world);
    return environmentView(environment, world);
  }),
  remove("/environment/{environmentId}", (call) => startDeletion([environmentOf(call).id], call.world)),
  post("/environment/{environmentId}/clone", 202, CloneEnvironmentRequest, (call, world, body) => {
    const source = environmentOf(call);
    const rule = body.apply_deployment_rule
      ? ruleForName(body.name, body.project_id ?? source.parentId, world)
      : undefined;
    const { mode, cluster_id } = { ...rule?.spec, ...body };
    const clone = cloneEnvironment(
      source,
      { ...body, ...(mode && { mode }), ...(cluster_id && { cluster_id }) },
      world,
    );
    if (rule) applyRule(clone, rule, world);
    return environmentView(clone, world);
  }),
];

function clusterFor(
  body: { cluster?: string; cluster_id?: string },
  project: Project,
  { store, behaviour }: World,
): string {
  const { cluster_member: known } = behaviour;
  const unknown = known && (known === "cluster" ? "cluster_id" : "cluster");
  if (unknown && body[unknown] !== undefined) throw invalid(unknown, "is unknown");
  const field = body.cluster === undefined ? "cluster_id" : "cluster";
  const id = body[field] ?? store.clusters.under(project.parentId)[0]?.id;
  if (id === undefined) throw invalid("cluster", "the organization has no cluster yet");
  requireReference(field, id, store.clusters);
  return id;
}

function projectView(project: Project, { store }: World) {
  const { id, parentId, name, spec } = project;
  return {
    ...stamps(project),
    name,
    description: "",
    ...spec,
    associated_environments_count: store.environments.under(id).length,
    organization: { id: parentId },
  };
}

function environmentView(environment: Environment, world: World) {
  return { ...briefEnvironmentView(environment, world), ...clusterMembers(environment, world) };
}

/** An environment in the list of an organization, which omits the cluster. */
function briefEnvironmentView(environment: Environment, { store }: World) {
  const { name, parentId, spec } = environment;
  const organization = { id: organizationIdOf(parentId, store) };
  return { ...stamps(environment), name, organization, project: { id: parentId }, mode: spec.mode };
}

function clusterMembers({ spec }: Environment, { store }: World) {
  const { id, name, spec: cluster } = store.clusters.get(spec.clusterId);
  return {
    cluster_id: id,
    cluster_name: name,
    cloud_provider: { provider: cluster.cloud_provider, cluster: name },
  };
}
