import { invalid } from "../world/errors.ts";
import type { VariableImportRequest } from "./schemas.ts";
import { around, ownVariables, setVariable, type VariablePlace } from "./variables.ts";
import type { World } from "../world/world.ts";

/** Sets many variables of a service, its environment and its project; without `overwrite`, existing keys stay unchanged. */
export function importVariables(
  service: VariablePlace,
  { vars, overwrite }: VariableImportRequest,
  world: World,
) {
  const [serviceId = "", environmentId = "", projectId = ""] = around(service.parentId, world);
  const parents = new Map([
    ["PROJECT", projectId],
    ["ENVIRONMENT", environmentId],
    [service.scope, serviceId],
  ]);
  // All scopes are checked before the first variable is set, so that a wrong one changes nothing.
  const wanted = vars.map((variable, index) => {
    const parentId = parents.get(variable.scope);
    if (parentId) return { variable, place: { scope: variable.scope, parentId } };
    throw invalid(`vars[${index}].scope`, `must be one of ${[...parents.keys()].join(", ")}`);
  });
  const imported = wanted.filter(({ variable: { name: key, value, is_secret }, place }) => {
    if (!overwrite && ownVariables(place.parentId, world).some((existing) => existing.key === key))
      return false;
    setVariable(place, { key, value, is_secret }, world);
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
