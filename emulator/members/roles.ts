import { invalid } from "../world/errors.ts";
import type { CustomRole, AssignedRole, Role } from "../world/records.ts";
import { uuidOf } from "../world/uuid.ts";
import type { World } from "../world/world.ts";

/** The roles that every organization has, in the order of the list: those of tokens, and those of people. */
const roles: Role[] = ["Admin", "Read", "Deploy", "Write", "Owner", "DevOps", "Billing", "Viewer"];

export function availableRoles(organizationId: string, { store }: World): { id: string; name: string }[] {
  return [
    ...roles.map((role) => ({ id: roleId(role), name: role })),
    ...store.customRoles.under(organizationId).map(({ id, name }) => ({ id, name })),
  ];
}

/** @throws 400 for an unknown role */
export function roleWithId(id: string, organizationId: string, { store }: World): AssignedRole {
  const role = roles.find((candidate) => roleId(candidate) === id);
  if (role) return { role };
  const custom = store.customRoles.find(id);
  if (custom?.parentId === organizationId) return { role: "Custom", customRoleId: custom.id };
  throw invalid("role_id", `there is no role with id ${id}; GET availableRole lists them`);
}

/** `role_id` and `role_name` of a response. */
export function roleMembers({ role, customRoleId }: AssignedRole, { store }: World) {
  const custom = customRoleId === undefined ? undefined : store.customRoles.peek(customRoleId);
  if (custom) return { role_id: custom.id, role_name: custom.name };
  return { role_id: roleId(role), role_name: role };
}

export function holdersOf({ id }: CustomRole, { store }: World): string[] {
  const has = ({ spec }: { spec: AssignedRole }) => spec.customRoleId === id;
  return [
    ...store.apiTokens.all().flatMap((token) => (has(token) ? `API token ${token.name}` : [])),
    ...store.members.all().flatMap((member) => (has(member) ? `member ${member.name}` : [])),
    ...store.invitations
      .all()
      .flatMap((invitation) => (has(invitation) ? `invitation of ${invitation.name}` : [])),
  ];
}

/** The id of a role, which is the same in every emulator. */
function roleId(role: string): string {
  return uuidOf(`role ${role}`);
}
