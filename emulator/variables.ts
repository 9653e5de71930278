import { HttpError, invalid, notFound } from "./errors.ts";
import { lineageOf } from "./lineage.ts";
import type { Service, Variable } from "./records.ts";
import type { VariableImportRequest } from "./schemas/variable.ts";
import type { World } from "./world.ts";

/** What a variable is made of, besides where it belongs. */
export interface VariableContent {
  key: string;
  value: string | null;
  is_secret: boolean;
  mount_path?: string | null;
  description?: string | null;
  enable_interpolation_in_file?: boolean | null;
  secret_manager_access_id?: string | null;
  aliasOf?: string;
  overrides?: string;
}

/** A place where variables can be. */
export interface Place {
  scope: string;
  parentId: string;
}

/** Throws 404 when there is no such project, environment or service. */
export function requirePlace({ scope, parentId }: Place, world: World): Place {
  const { projects, environments, services } = world.store;
  if (scope === "PROJECT") projects.get(parentId);
  else if (scope === "ENVIRONMENT") environments.get(parentId);
  else if (services.find(parentId)?.kind !== scope.toLowerCase())
    throw notFound(scope.toLowerCase(), parentId);
  return { scope, parentId };
}

/** Creates a variable, or replaces the one that has its key. Source: notes.md. */
export function setVariable(place: Place, content: VariableContent, world: World): Variable {
  const { variables } = world.store;
  requirePlace(place, world);
  const existing = own(place.parentId, world).find(({ key }) => key === content.key);
  if (!existing)
    return world.add(variables, { ...world.base(place.parentId), scope: place.scope, ...content });
  const { id, parentId, created_at, updated_at } = existing;
  variables.remove(existing);
  const replacement = { id, parentId, created_at, updated_at, scope: place.scope, ...content };
  return world.update(variables, variables.add(replacement), {});
}

/** Changes what a PUT may change; a key that another variable of the same place has is 409. */
export function editVariable(variable: Variable, changes: Partial<VariableContent>, world: World): Variable {
  if (variable.scope === "BUILT_IN") throw new HttpError(403, "a built-in variable cannot be changed");
  const twin = own(variable.parentId, world).find(({ id, key }) => key === changes.key && id !== variable.id);
  if (twin) throw new HttpError(409, `key: the variable ${twin.id} has the key ${twin.key} already`);
  return world.update<Variable>(world.store.variables, variable, changes);
}

/** Removes a variable with its aliases and overrides. */
export function removeVariable(variable: Variable, world: World): void {
  const { variables } = world.store;
  if (variable.scope === "BUILT_IN") throw new HttpError(403, "a built-in variable cannot be deleted");
  for (const other of variables.all()) {
    if (other.aliasOf === variable.id || other.overrides === variable.id) removeVariable(other, world);
  }
  world.remove(variables, variable);
}

/** Another name for a variable, in the same place or further in. */
export function aliasVariable(
  target: Variable,
  key: string,
  place: Place,
  notes: Partial<VariableContent>,
  world: World,
): Variable {
  if (target.key === key) throw invalid("key", "an alias needs a key other than that of its variable");
  const { is_secret, mount_path } = target;
  const content = { ...notes, key, value: null, is_secret, mount_path, aliasOf: target.id };
  return setVariable(place, content, world);
}

/** Another value for an inherited variable, further in. */
export function overrideVariable(
  target: Variable,
  value: string,
  place: Place,
  notes: Partial<VariableContent>,
  world: World,
): Variable {
  if (target.parentId === place.parentId) {
    throw invalid("override_parent_id", "a variable is overridden in another place than its own");
  }
  const { key, is_secret, mount_path } = target;
  return setVariable(place, { ...notes, key, value, is_secret, mount_path, overrides: target.id }, world);
}

/** Sets many variables of a service, its environment and its project; keys that exist stay without `overwrite`. */
export function importVariables(service: Place, { vars, overwrite }: VariableImportRequest, world: World) {
  const [serviceId = "", environmentId = "", projectId = ""] = around(service.parentId, world);
  const parents: Record<string, string> = {
    PROJECT: projectId,
    ENVIRONMENT: environmentId,
    [service.scope]: serviceId,
  };
  const places = vars.map(({ scope }, index) => {
    const parentId = parents[scope];
    if (!parentId) throw invalid(`vars[${index}].scope`, `must be ${Object.keys(parents).join(", ")}`);
    return { scope, parentId };
  });
  const imported = vars.filter(({ name: key, value, is_secret }, index) => {
    const place = places[index];
    if (!place) return false;
    if (!overwrite && own(place.parentId, world).some((variable) => variable.key === key)) return false;
    return setVariable(place, { key, value, is_secret }, world);
  });
  return {
    total_variables_to_import: vars.length,
    successful_imported_variables: imported.map(({ name, value, scope, is_secret }) => ({
      name,
      ...(!is_secret && { value }),
      scope,
      is_secret,
    })),
  };
}

/** What a place sees: its own variables, then those of the places around it. */
export function visibleVariables({ scope, parentId }: Place, world: World): Variable[] {
  requirePlace({ scope, parentId }, world);
  return around(parentId, world).flatMap((id) => own(id, world));
}

/** The place and those around it: a service, its environment, its project. */
export function around(parentId: string, { store }: World): string[] {
  const { service, environment, project } = lineageOf(parentId, store);
  return [service, environment, project].flatMap((place) => (place ? [place.id] : []));
}

function own(parentId: string, world: World): Variable[] {
  return world.store.variables.under(parentId);
}

/** The response; the value of a secret is null, always. */
export function variableView(variable: Variable, world: World) {
  const { id, created_at, updated_at, key, scope, is_secret, mount_path = null } = variable;
  const target = referenced(variable.aliasOf, world);
  const overridden = referenced(variable.overrides, world);
  const service = world.store.services.peek(variable.parentId);
  const { description, enable_interpolation_in_file, secret_manager_access_id } = variable;
  return {
    id,
    created_at,
    updated_at,
    key,
    value: valueOf(variable, world),
    mount_path,
    ...(target && { aliased_variable: target }),
    ...(overridden && { overridden_variable: overridden }),
    scope,
    variable_type: typeOf(variable),
    ...(service && serviceMembers(service)),
    owned_by: scope === "BUILT_IN" ? "PLATFORM" : "USER",
    is_secret,
    ...(description != null && { description }),
    ...(enable_interpolation_in_file != null && { enable_interpolation_in_file }),
    ...(secret_manager_access_id !== undefined && { secret_manager_access_id }),
  };
}

function valueOf(variable: Variable, world: World): string | null {
  if (variable.is_secret) return null;
  const target = variable.aliasOf === undefined ? undefined : world.store.variables.find(variable.aliasOf);
  return target ? valueOf(target, world) : (variable.value ?? "");
}

function typeOf({ scope, aliasOf, overrides, mount_path }: Variable): string {
  if (scope === "BUILT_IN") return "BUILT_IN";
  if (aliasOf !== undefined) return "ALIAS";
  if (overrides !== undefined) return "OVERRIDE";
  return mount_path == null ? "VALUE" : "FILE";
}

function referenced(id: string | undefined, world: World) {
  const variable = id === undefined ? undefined : world.store.variables.find(id);
  if (!variable) return undefined;
  const { key, mount_path, scope } = variable;
  const value = valueOf(variable, world);
  return {
    id: variable.id,
    key,
    value,
    mount_path: mount_path ?? "",
    scope,
    variable_type: typeOf(variable),
  };
}

function serviceMembers({ id, name, kind }: Service) {
  return { service_id: id, service_name: name, service_type: kind.toUpperCase() };
}
