import { conflict } from "../world/errors.ts";
import { collection } from "../http/collection.ts";
import { organizationOf } from "../http/lookup.ts";
import { act, type Route } from "../http/routing.ts";
import type { AssignedRole, Invitation } from "../world/records.ts";
import { uuidOf } from "../world/uuid.ts";
import type { World } from "../world/world.ts";
import { addMember } from "./account.ts";
import { inviteRole } from "./members.ts";
import { roleMembers, roleWithId } from "./roles.ts";
import { InviteMemberRequest } from "../bodies/roles.ts";
import { stamps } from "../world/store.ts";

const many = "/organization/{organizationId}/inviteMember";

const VALID_DAYS = 7;

const roles = { OWNER: "Owner", ADMIN: "Admin", DEVELOPER: "Write", VIEWER: "Read" } as const;

/** Invitations. Accepting one makes its email address a member; one that is not accepted in time expires. */
export const invitationRoutes: Route[] = [
  ...collection({
    path: many,
    id: "inviteId",
    parentOf: organizationOf,
    table: (store) => store.invitations,
    body: InviteMemberRequest,
    admit({ email, role = "VIEWER", role_id }, world, _invitation, organizationId = "") {
      requireNoMember(email, organizationId, world);
      const spec: AssignedRole =
        role_id === undefined ? { role: roles[role] } : roleWithId(role_id, organizationId, world);
      return { name: email, spec };
    },
    view: invitationView,
    without: ["PUT"],
  }),
  act(`${many}/{inviteId}`, 201, (call, world) => {
    const invitation = world.store.invitations.get(call.param("inviteId"));
    const { id, parentId, name: email, spec } = invitation;
    if (isExpired(invitation, world)) throw conflict(`the invitation of ${email} has expired`);
    requireNoMember(email, parentId, world);
    const view = invitationView(invitation, world);
    world.record("ACCEPT", world.store.invitations, invitation);
    world.store.invitations.remove(invitation);
    addMember(parentId, { userId: world.nextId ?? uuidOf(`user of ${id}`), email, role: spec }, world);
    return view;
  }),
];

function requireNoMember(email: string, organizationId: string, { store }: World): void {
  const isMember = store.members
    .under(organizationId)
    .some(({ name }) => name.toLowerCase() === email.toLowerCase());
  if (isMember) throw conflict(`email: ${email} is a member already`);
}

function isExpired({ created_at }: Invitation, { clock }: World): boolean {
  return clock.now() - Date.parse(created_at) > VALID_DAYS * 24 * 3600_000;
}

function invitationView(invitation: Invitation, world: World): object {
  const { id, parentId, name: email, spec } = invitation;
  const [account] = world.store.accounts.all();
  const organization = world.store.organizations.get(parentId);
  return {
    ...stamps(invitation),
    email,
    // The API has no word for a custom role here; `role_id` tells.
    role: inviteRole(spec) ?? "VIEWER",
    ...roleMembers(spec, world),
    invitation_link: `https://console.invalid/login?invitation=${id}`,
    invitation_status: isExpired(invitation, world) ? "EXPIRED" : "PENDING",
    organization_name: organization.name,
    inviter: account?.email ?? "",
  };
}
