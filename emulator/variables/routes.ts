import type { Static } from "typebox";
import { HttpError, invalid } from "../world/errors.ts";
import type { Variable } from "../world/records.ts";
import { list, post, put, remove, type Call, type Route } from "../http/routing.ts";
import * as schemas from "./schemas.ts";
import type { VariableImportRequest } from "./schemas.ts";
import { variableView } from "./view.ts";
import * as variables from "./variables.ts";
import type { VariablePlace } from "./variables.ts";
import type { World } from "../world/world.ts";

/** The generic paths of variables: one set for all scopes. */
export const variableRoutes: Route[] = [
  list(
    "/variable",
    ({ world, query }) => {
      const place = { parentId: required(query, "parent_id"), scope: scopeOf(required(query, "scope")) };
      const visible = variables.visibleVariables(place, world);
      return visible.filter(
        ({ is_secret }) => String(is_secret) === (query["is_secret"] ?? String(is_secret)),
      );
    },
    variableView,
  ),
  post("/variable", 201, schemas.VariableRequest, ({ world, body }) => {
    const { variable_scope: scope, variable_parent_id: parentId, ...content } = body;
    return variableView(variables.setVariable({ scope, parentId }, content, world), world);
  }),
  put("/variable/{variableId}", schemas.VariableEditRequest, (call, world, body) =>
    variableView(variables.editVariable(variableOf(call), body, world), world),
  ),
  remove("/variable/{variableId}", (call, world) => variables.removeVariable(variableOf(call), world)),
  post("/variable/{variableId}/alias", 201, schemas.VariableAliasRequest, (call, world, body) => {
    const { alias_scope: scope, alias_parent_id: parentId, ...content } = body;
    return variableView(
      variables.aliasVariable(variableOf(call), content, { scope, parentId }, world),
      world,
    );
  }),
  post("/variable/{variableId}/override", 201, schemas.VariableOverrideRequest, (call, world, body) => {
    const { override_scope: scope, override_parent_id: parentId, ...content } = body;
    return variableView(
      variables.overrideVariable(variableOf(call), content, { scope, parentId }, world),
      world,
    );
  }),
  post("/variable/import", 201, schemas.VariableImportRequest, ({ world, body, query }) => {
    const scope = scopeOf(required(query, "service_type"), "service_type");
    const service = variables.requirePlace({ scope, parentId: required(query, "service_id") }, world);
    return importVariables(service, body, world);
  }),
];

function variableOf({ world, param }: Call): Variable {
  return world.store.variables.get(param("variableId"));
}

function required(query: Call["query"], name: string): string {
  const value = query[name];
  if (value === undefined) throw new HttpError(400, `${name}: this query parameter is required`);
  return value;
}

function scopeOf(text: string, field = "scope"): string {
  const known: readonly string[] = schemas.scopes;
  if (!known.includes(text)) throw invalid(field, `must be one of ${known.join(", ")}`);
  return text;
}

/** Sets many variables of a service, its environment and its project; without `overwrite`, existing keys stay unchanged. */
function importVariables(
  service: VariablePlace,
  { vars, overwrite }: Static<typeof VariableImportRequest>,
  world: World,
) {
  const [serviceId = "", environmentId = "", projectId = ""] = variables.around(service.parentId, world);
  const parents = new Map([
    ["PROJECT", projectId],
    ["ENVIRONMENT", environmentId],
    [service.scope, serviceId],
  ]);
  // All scopes are checked before the first variable is set, so that a wrong one changes nothing.
  const desired = vars.map((variable, index) => {
    const parentId = parents.get(variable.scope);
    if (parentId) return { variable, place: { scope: variable.scope, parentId } };
    throw invalid(`vars[${index}].scope`, `must be one of ${[...parents.keys()].join(", ")}`);
  });
  const imported = desired.filter(({ variable: { name: key, value, is_secret }, place }) => {
    const existing = world.store.variables.under(place.parentId);
    if (!overwrite && existing.some((other) => other.key === key)) return false;
    variables.setVariable(place, { key, value, is_secret }, world);
    return true;
  });
  return {
    total_variables_to_import: vars.length,
    successful_imported_variables: imported.map(({ variable: { name, value, scope, is_secret } }) => ({
      name,
      ...(!is_secret && { value }),
      scope,
      is_secret,
    })),
  };
}
