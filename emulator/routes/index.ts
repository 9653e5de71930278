import type { Route } from "../routing.ts";
import { organizationRoutes } from "./organization.ts";
import { projectRoutes } from "./projects.ts";
import { serviceRoutes } from "./services.ts";
import { variableRoutes } from "./variables.ts";

/** Every operation that the emulator serves. */
export const routes: Route[] = [...organizationRoutes, ...projectRoutes, ...serviceRoutes, ...variableRoutes];
