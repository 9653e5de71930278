import { HttpError, invalid, notFound } from "../http/errors.ts";
import { lineageOf } from "../world/lineage.ts";
import type { Variable } from "../world/records.ts";
import type { World } from "../world/world.ts";

/** The scope of what the platform sets. */
export const BUILT_IN = "BUILT_IN";

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
  const existing = ownVariables(place.parentId, world).find(
    ({ key, scope }) => key === content.key && scope !== BUILT_IN,
  );
  const rest = { scope: place.scope, ...aliasByValue(content, place.parentId, world), ...content };
  if (!existing) return world.add(variables, { ...world.base(place.parentId), ...rest });
  const { id, parentId, created_at, updated_at } = existing;
  variables.remove(existing);
  const replacement = variables.add({ id, parentId, created_at, updated_at, ...rest });
  return world.update(variables, replacement, {});
}

/** A variable whose value is the key of another is an alias of it. Source: notes.md. */
function aliasByValue(
  { key, value, is_secret }: Pick<VariableContent, "key" | "value" | "is_secret">,
  parentId: string,
  world: World,
): { aliasOf?: string } {
  // What a secret says is not to be seen, not even as a reference.
  if (is_secret || value === null || value === key) return {};
  const visible = around(parentId, world).flatMap((id) => ownVariables(id, world));
  const target = visible.find((variable) => variable.key === value);
  return target ? { aliasOf: target.id } : {};
}

/** Changes what a PUT may change; a key that another variable of the same place has is 409. */
export function editVariable(variable: Variable, changes: Partial<VariableContent>, world: World): Variable {
  if (variable.scope === BUILT_IN) throw new HttpError(403, "a built-in variable cannot be changed");
  const twin = ownVariables(variable.parentId, world).find(
    ({ id, key, scope }) => key === changes.key && id !== variable.id && scope !== BUILT_IN,
  );
  if (twin) throw new HttpError(409, `key: the variable ${twin.id} has the key ${twin.key} already`);
  const { key, is_secret, value } = { ...variable, ...changes };
  const alias = aliasByValue({ key, is_secret, value }, variable.parentId, world);
  const aliasOf = changes.value == null ? variable.aliasOf : alias.aliasOf;
  return world.update<Variable>(world.store.variables, variable, { ...changes, aliasOf });
}

/** Removes a variable with its aliases and overrides. */
export function removeVariable(variable: Variable, world: World): void {
  const { variables } = world.store;
  if (variable.scope === BUILT_IN) throw new HttpError(403, "a built-in variable cannot be deleted");
  world.remove(variables, variable);
  for (const other of variables.all()) {
    if (other.aliasOf === variable.id || other.overrides === variable.id) removeVariable(other, world);
  }
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

/** Another value for an inherited variable; in the variable's own place it is simply its new value. */
export function overrideVariable(
  target: Variable,
  value: string,
  place: Place,
  notes: Partial<VariableContent>,
  world: World,
): Variable {
  const { key, is_secret, mount_path, scope, parentId } = target;
  if (parentId === place.parentId && scope !== BUILT_IN)
    return editVariable(target, { ...notes, value }, world);
  return setVariable(place, { ...notes, key, value, is_secret, mount_path, overrides: target.id }, world);
}

/** What a place sees: its own variables, then those of the places around it. */
export function visibleVariables({ scope, parentId }: Place, world: World): Variable[] {
  requirePlace({ scope, parentId }, world);
  return around(parentId, world).flatMap((id) => ownVariables(id, world));
}

/** The place and those around it: a service, its environment, its project. */
export function around(parentId: string, { store }: World): string[] {
  const { service, environment, project } = lineageOf(parentId, store);
  return [service, environment, project].flatMap((place) => (place ? [place.id] : []));
}

/** What belongs to a place itself, built-in variables too. */
export function ownVariables(parentId: string, world: World): Variable[] {
  return world.store.variables.under(parentId);
}
