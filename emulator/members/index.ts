import type { Route } from "../http/routing.ts";
import { accountRoutes, signUpRoutes } from "./account.ts";
import { apiTokenRoutes } from "./api-tokens.ts";
import { customRoleRoutes } from "./custom-roles.ts";
import { enterpriseRoutes } from "./enterprise.ts";
import { invitationRoutes } from "./invitations.ts";
import { membershipRoutes } from "./members.ts";

/** People and permissions of an organization: the account, members, invitations, API tokens and roles. */
export const memberRoutes: Route[] = [
  ...accountRoutes,
  ...signUpRoutes,
  ...membershipRoutes,
  ...invitationRoutes,
  ...apiTokenRoutes,
  ...customRoleRoutes,
  ...enterpriseRoutes,
];
