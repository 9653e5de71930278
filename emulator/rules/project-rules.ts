import { HttpError, invalid, notFound } from "../world/errors.ts";
import { projectOf } from "../http/lookup.ts";
import { get, list, post, put, remove, type Call, type Route } from "../http/routing.ts";
import type { Project, ProjectRule } from "../world/records.ts";
import type { World } from "../world/world.ts";
import { rulesOf } from "./rule-match.ts";
import { OrderRequest, ProjectRuleRequest, type ProjectRuleSpec } from "../bodies/rules.ts";

const many = "/project/{projectId}/deploymentRule";
const one = `${many}/{deploymentRuleId}`;

/** The deployment rules of a project for new environments; the first matching one applies. */
export const projectRuleRoutes: Route[] = [
  list(many, (call) => rulesOf(projectOf(call).id, call.world), ruleView),
  post(many, 201, ProjectRuleRequest, (call, world, spec) => {
    const project = projectOf(call);
    checkCluster(spec, project, world);
    const order = rulesOf(project.id, world).length;
    const rule = { ...world.base(project.id), name: spec.name, spec, order };
    return ruleView(world.add(world.store.projectRules, rule));
  }),
  put(`${many}/order`, OrderRequest, (call, world, body) => {
    const project = projectOf(call);
    const ids = body.project_deployment_rule_ids_in_order;
    const rules = rulesOf(project.id, world);
    const isComplete = ids.length === rules.length && rules.every(({ id }) => ids.includes(id));
    if (!isComplete) {
      const member = "project_deployment_rule_ids_in_order";
      throw new HttpError(400, `${member}: must name each of the ${rules.length} rules of the project once`);
    }
    for (const rule of rules) rule.order = ids.indexOf(rule.id);
    world.record("UPDATE", world.store.projects, project);
  }),
  get(one, (call) => ruleView(ruleOf(call))),
  put(one, ProjectRuleRequest, (call, world, spec) => {
    const rule = ruleOf(call);
    checkCluster(spec, projectOf(call), world);
    return ruleView(world.update(world.store.projectRules, rule, { name: spec.name, spec }));
  }),
  remove(one, (call, world) => {
    const rule = ruleOf(call);
    world.remove(world.store.projectRules, rule);
    for (const [index, other] of rulesOf(rule.parentId, world).entries()) other.order = index;
  }),
];

function ruleOf(call: Call): ProjectRule {
  const rule = call.world.store.projectRules.get(call.param("deploymentRuleId"));
  if (rule.parentId !== projectOf(call).id) throw notFound("deployment rule of this project", rule.id);
  return rule;
}

function checkCluster({ cluster_id: id }: ProjectRuleSpec, { parentId }: Project, { store }: World): void {
  if (store.clusters.find(id)?.parentId !== parentId)
    throw invalid("cluster_id", `this organization has no cluster with id ${id}`);
}

function ruleView({ id, created_at, updated_at, order, spec }: ProjectRule): object {
  return { id, created_at, updated_at, ...spec, priority_index: order };
}
