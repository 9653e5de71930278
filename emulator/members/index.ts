import type { Route } from "../http/routing.ts";
import { accountRoutes } from "./account.ts";
import { apiTokenRoutes } from "./api-tokens.ts";
import { customRoleRoutes } from "./custom-roles.ts";
import { invitationRoutes } from "./invitations.ts";
import { membershipRoutes } from "./members.ts";

/** People and permissions of an organization: the account, members, invitations, API tokens and roles. */
export const memberRoutes: Route[] = [
  ...accountRoutes,
  ...membershipRoutes,
  ...invitationRoutes,
  ...apiTokenRoutes,
  ...customRoleRoutes,
];
