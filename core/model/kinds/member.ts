import { path } from "../../api/index.ts";
import { type Fields, isFields, textIn } from "../../values/json.ts";
import { flag, needed, object, reference } from "../schema/field.ts";
import { defineKind } from "./kind.ts";
import { organizationKind } from "./organization-kind.ts";

const invitations = (organizationId: string) => path`/organization/${organizationId}/inviteMember`;

const likeOthers = organizationKind("member", { listing: { pendingPath: invitations, isOnlyWay: true } });

const isInvitation = (response: Fields) => response["invitation_status"] !== undefined;

const owner = "owner";

/**
 * ```yaml
 * kind: Member
 * name: grace@acme.example
 * role: deployers
 * ```
 */
export const member = defineKind({
  name: "Member",
  description:
    "A person in the organization, known by their email address: invited at first, and a member after accepting.",
  ...likeOthers,
  names: {
    format: "email",
    immutable: "another email address is another person",
    of: (response) => textIn(response, "email"),
  },
  fields: object({
    role: needed(reference("role", "The role, by name or id: `Admin`, or a role of the organization.")),
    invited: flag("Whether the invitation has not been accepted yet.", { place: "engine" }),
  }),
  facts: ["email", "invitation_link", "organization_name", "inviter", "nickname", "last_activity_at"],
  reports: {
    invitation_status: { type: "string", description: "The state of the invitation, until it is accepted." },
  },
  form: {
    inRequestForm: (response) => ({ ...response, ...(isInvitation(response) && { invited: true }) }),
    finishBody: ({ name, role_id }) => ({ email: name ?? null, role_id: role_id ?? null }),
  },
  requests: {
    ...likeOthers.requests,
    create: invitations,
    change: ({ id }, organizationId, { role_id }) => ({
      path: likeOthers.listing.path(organizationId),
      body: { user_id: id, role_id: role_id ?? null },
    }),
    remove: ({ id, response }, organizationId) =>
      isInvitation(response)
        ? { path: `${invitations(organizationId)}${path`/${id}`}` }
        : { path: likeOthers.listing.path(organizationId), body: { user_id: id } },
  },
  problem: ({ how, current }) =>
    how === "update" && current?.["invited"] === true
      ? {
          field: "role",
          message:
            "the role of an invitation cannot be changed before it is accepted; delete the invitation, and invite the person again",
        }
      : undefined,
  deletion: {
    keepsOne: {
      holds: ({ role, invited }) =>
        invited !== true && isFields(role) && textIn(role, "name")?.toLowerCase() === owner,
      last: "the last owner of the organization",
      advice: "make another member an owner first",
    },
  },
});
