import { conflict, HttpError, invalid, notFound } from "../world/errors.ts";
import { lineageOf } from "../world/lineage.ts";
import type { Variable } from "../world/records.ts";
import type { Entity } from "../world/store.ts";
import type { World } from "../world/world.ts";

/** The scope of variables that the platform sets. */
export const BUILT_IN = "BUILT_IN";

export type VariableContent = Omit<Variable, keyof Entity | "scope" | "about">;

export interface VariablePlace {
  scope: string;
  parentId: string;
}

/** Finds a project, environment or service; throws 404 when it does not exist. */
export function requirePlace({ scope, parentId }: VariablePlace, world: World): VariablePlace {
  const { projects, environments, services } = world.store;
  if (scope === "PROJECT") projects.get(parentId);
  else if (scope === "ENVIRONMENT") environments.get(parentId);
  else if (services.find(parentId)?.kind !== scope.toLowerCase())
    throw notFound(scope.toLowerCase(), parentId);
  return { scope, parentId };
}

/** Creates a variable, or replaces the variable with the same key. */
export function setVariable(place: VariablePlace, content: VariableContent, world: World): Variable {
  const { variables } = world.store;
  requirePlace(place, world);
  const existing = variables
    .under(place.parentId)
    .find(({ key, scope }) => key === content.key && scope !== BUILT_IN);
  if (existing && world.behaviour.refuses_existing_variables)
    throw conflict(`key: the variable ${existing.id} already has the key ${existing.key}`);
  outdate(place.parentId, world);
  const rest = { scope: place.scope, ...aliasByValue(content, place.parentId, world), ...content };
  if (!existing) return world.add(variables, { ...world.base(place.parentId), ...rest });
  const { id, parentId, created_at, updated_at } = existing;
  variables.remove(existing);
  const replacement = variables.add({ id, parentId, created_at, updated_at, ...rest });
  return world.update(variables, replacement, {});
}

/** Marks a service with changed variables as out of date, if the server does so. */
function outdate(parentId: string, { behaviour, store }: World): void {
  const { deployment } = store.services.peek(parentId) ?? {};
  if (behaviour.variables_outdate && deployment) deployment.upToDate = false;
}

/** A variable whose value is the key of another is an alias of it. */
function aliasByValue(
  { key, value, is_secret }: Pick<VariableContent, "key" | "value" | "is_secret">,
  parentId: string,
  world: World,
): { aliasOf?: string } {
  // The value of a secret must not be visible, not even as a reference.
  if (is_secret || value === null || value === key || world.behaviour.plain_values) return {};
  const target = visibleFrom(parentId, world).find((variable) => variable.key === value);
  return target ? { aliasOf: target.id } : {};
}

/** Updates a variable; throws 409 when another variable of the same place has the key. */
export function editVariable(variable: Variable, changes: Partial<VariableContent>, world: World): Variable {
  if (variable.scope === BUILT_IN) throw new HttpError(403, "a built-in variable cannot be changed");
  const { variables } = world.store;
  const duplicate = variables
    .under(variable.parentId)
    .find(({ id, key, scope }) => key === changes.key && id !== variable.id && scope !== BUILT_IN);
  if (duplicate) throw conflict(`key: the variable ${duplicate.id} already has the key ${duplicate.key}`);
  outdate(variable.parentId, world);
  const { key, is_secret, value } = { ...variable, ...changes };
  const alias = aliasByValue({ key, is_secret, value }, variable.parentId, world);
  const aliasOf = changes.value == null ? variable.aliasOf : alias.aliasOf;
  return world.update<Variable>(variables, variable, { ...changes, aliasOf });
}

export function removeVariable(variable: Variable, world: World): void {
  const { variables } = world.store;
  if (variable.scope === BUILT_IN) throw new HttpError(403, "a built-in variable cannot be deleted");
  world.remove(variables, variable);
  for (const other of variables.all()) {
    if (other.aliasOf === variable.id || other.overrides === variable.id) removeVariable(other, world);
  }
}

/** Adds an alias of a variable, in the same place or in one inside it. */
export function aliasVariable(
  target: Variable,
  content: Pick<Variable, "key">,
  place: VariablePlace,
  world: World,
): Variable {
  if (target.key === content.key)
    throw invalid("key", "the key of an alias must differ from the key of its variable");
  const { is_secret, mount_path } = target;
  return setVariable(place, { ...content, value: null, is_secret, mount_path, aliasOf: target.id }, world);
}

/** Adds an override of an inherited variable; for a variable of the place itself, changes its value instead. */
export function overrideVariable(
  target: Variable,
  content: Pick<Variable, "value">,
  place: VariablePlace,
  world: World,
): Variable {
  const { key, is_secret, mount_path, scope, parentId } = target;
  if (parentId === place.parentId && scope !== BUILT_IN) return editVariable(target, content, world);
  return setVariable(place, { ...content, key, is_secret, mount_path, overrides: target.id }, world);
}

/** The variables that apply to a place: its own, then those of the places around it. */
export function visibleVariables(place: VariablePlace, world: World): Variable[] {
  return visibleFrom(requirePlace(place, world).parentId, world);
}

function visibleFrom(parentId: string, world: World): Variable[] {
  return around(parentId, world).flatMap((id) => world.store.variables.under(id));
}

/** The place and those around it: a service, its environment, its project. */
export function around(parentId: string, { store }: World): string[] {
  const { service, environment, project } = lineageOf(parentId, store);
  return [service, environment, project].flatMap((place) => (place ? [place.id] : []));
}
