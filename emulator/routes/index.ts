import type { Route } from "../routing.ts";
import { administrationRoutes } from "./administration.ts";
import { deploymentRoutes } from "./deployments.ts";
import { organizationRoutes } from "./organization.ts";
import { parentVariableRoutes } from "./parent-variables.ts";
import { partRoutes } from "./parts.ts";
import { projectRoutes } from "./projects.ts";
import { serviceRoutes } from "./services.ts";
import { stageRoutes } from "./stages.ts";
import { statusRoutes } from "./statuses.ts";
import { variableRoutes } from "./variables.ts";

/** Every operation that the emulator serves. */
export const routes: Route[] = [
  ...organizationRoutes,
  ...administrationRoutes,
  ...projectRoutes,
  ...stageRoutes,
  ...serviceRoutes,
  ...partRoutes,
  ...deploymentRoutes,
  ...statusRoutes,
  ...variableRoutes,
  ...parentVariableRoutes,
];
