import { conflict, notFound } from "../world/errors.ts";
import { scopesOf } from "../http/access.ts";
import { organizationOf } from "../http/lookup.ts";
import { list, put, removeWith, type Call, type Route } from "../http/routing.ts";
import type { AssignedRole, Member } from "../world/records.ts";
import type { World } from "../world/world.ts";
import { roleMembers, roleWithId } from "./roles.ts";
import { MemberRemovalRequest, MemberRoleUpdateRequest } from "../bodies/roles.ts";

const path = "/organization/{organizationId}/member";

/** The members of an organization. An organization always has an owner. */
export const membershipRoutes: Route[] = [
  list(path, (call) => call.world.store.members.under(organizationOf(call).id), memberView),
  put(path, MemberRoleUpdateRequest, (call, world, body) => {
    const member = memberOf(call, body.user_id);
    const spec = roleWithId(body.role_id, member.parentId, world);
    if (spec.role !== "Owner") requireOtherOwner(member, world);
    world.update(world.store.members, member, { spec });
  }),
  removeWith(path, MemberRemovalRequest, (call, world, body) => {
    const member = memberOf(call, body.user_id);
    requireOtherOwner(member, world);
    world.remove(world.store.members, member);
  }),
];

function memberOf(call: Call, userId: string): Member {
  const members = call.world.store.members.under(organizationOf(call).id);
  const member = members.find((candidate) => candidate.userId === userId);
  if (!member) throw notFound("member", userId);
  return member;
}

function requireOtherOwner(member: Member, { store }: World): void {
  const owners = store.members.under(member.parentId).filter(({ spec }) => spec.role === "Owner");
  if (owners.length === 1 && owners[0] === member)
    throw conflict(
      `${member.name} is the only owner of the organization; make another member an owner first`,
    );
}

function memberView({ userId, created_at, updated_at, name: email, spec }: Member, world: World): object {
  const [nickname = email] = email.split("@");
  const role = inviteRole(spec);
  return {
    id: userId,
    created_at,
    updated_at,
    name: nickname,
    nickname,
    email,
    last_activity_at: updated_at,
    ...(role && { role }),
    ...roleMembers(spec, world),
  };
}

/** The word of a role in invitations; none for a custom role. */
export function inviteRole({ role }: AssignedRole): "OWNER" | "ADMIN" | "DEVELOPER" | "VIEWER" | undefined {
  if (role === "Custom") return undefined;
  if (role === "Owner") return "OWNER";
  if (role === "Admin") return "ADMIN";
  return scopesOf[role].includes("Read") ? "VIEWER" : "DEVELOPER";
}
