import type { Service, Variable } from "../world/records.ts";
import { BUILT_IN } from "./variables.ts";
import type { World } from "../world/world.ts";
import { stamps } from "../world/store.ts";

/** A variable in a response; the value of a secret is always null. */
export function variableView(variable: Variable, world: World) {
  const { key, scope, is_secret, mount_path = null } = variable;
  const target = referenced(variable.aliasOf, world);
  const overridden = referenced(variable.overrides, world);
  const service = world.store.services.peek(variable.parentId);
  const { description, enable_interpolation_in_file, secret_manager_access_id } = variable;
  return {
    ...stamps(variable),
    key,
    value: valueOf(variable, world),
    mount_path,
    ...(target && { aliased_variable: target }),
    ...(overridden && { overridden_variable: overridden }),
    scope,
    variable_type: typeOf(variable),
    ...(service && serviceMembers(service)),
    owned_by: scope === BUILT_IN ? "PLATFORM" : "USER",
    is_secret,
    description: description ?? "",
    ...(enable_interpolation_in_file != null && { enable_interpolation_in_file }),
    ...(secret_manager_access_id !== undefined && { secret_manager_access_id }),
  };
}

/** The value in a response: the key of the variable for an alias, null for a secret. */
function valueOf(variable: Variable, world: World): string | null {
  if (variable.is_secret && !world.behaviour.shows_secrets) return null;
  return world.store.variables.find(variable.aliasOf ?? "")?.key ?? variable.value ?? "";
}

function typeOf({ scope, aliasOf, overrides, mount_path, secret_manager_access_id }: Variable): string {
  if (scope === BUILT_IN) return scope;
  if (aliasOf !== undefined) return "ALIAS";
  if (overrides !== undefined) return "OVERRIDE";
  const type = mount_path == null ? "VALUE" : "FILE";
  if (secret_manager_access_id == null) return type;
  return type === "FILE" ? "FILE_EXTERNAL_SECRET" : "EXTERNAL_SECRET";
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
