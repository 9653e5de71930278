import type { Route } from "../http/routing.ts";
import { apiTokenRoutes } from "./api-tokens.ts";
import { customRoleRoutes } from "./custom-roles.ts";

/** Who may do what in an organization: API tokens and roles. */
export const memberRoutes: Route[] = [...apiTokenRoutes, ...customRoleRoutes];
