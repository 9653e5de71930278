import { invalid } from "../http/errors.ts";
import type { ApiToken, CustomRole, Role } from "../world/records.ts";
import { uuidOf } from "../world/uuid.ts";
import type { World } from "../world/world.ts";

const roles: Role[] = ["Admin", "Read", "Deploy", "Write"];

/** The role of a token: one of the scopes of reference.md, or a custom role. */
export type TokenRole = Pick<ApiToken["spec"], "role" | "customRoleId">;

/** The roles that a token of an organization can have, with their ids. */
export function availableRoles(organizationId: string, { store }: World): { id: string; name: string }[] {
  return [
    ...roles.map((role) => ({ id: roleId(role), name: role })),
    ...store.customRoles.under(organizationId).map(({ id, name }) => ({ id, name })),
  ];
}

/** The role by its id, or the scope; without both, the role with the fewest permissions. */
export function roleFor(
  id: string | null | undefined,
  scope: string | null | undefined,
  organizationId: string,
  world: World,
): TokenRole {
  if (id == null) return { role: roles.find((role) => role.toUpperCase() === scope) ?? "Read" };
  const role = roles.find((candidate) => roleId(candidate) === id);
  if (role) return { role };
  return { role: "Custom", customRoleId: customRoleFor(id, organizationId, world).id };
}

function customRoleFor(id: string, organizationId: string, { store }: World): CustomRole {
  const custom = store.customRoles.find(id);
  if (custom?.parentId === organizationId) return custom;
  throw invalid("role_id", `there is no role with id ${id}; GET availableRole lists them`);
}

/** `role_id` and `role_name` of a response. */
export function roleMembers({ role, customRoleId }: TokenRole, { store }: World) {
  const custom = customRoleId === undefined ? undefined : store.customRoles.peek(customRoleId);
  if (custom) return { role_id: custom.id, role_name: custom.name };
  return { role_id: roleId(role), role_name: role };
}

/** The id of a role, which is the same in every emulator. */
function roleId(role: string): string {
  return uuidOf(`role ${role}`);
}
