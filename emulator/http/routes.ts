import type { Route } from "./routing.ts";
import { administrationRoutes } from "../organization/administration.ts";
import { deploymentRoutes } from "../deployments/routes.ts";
import { organizationRoutes } from "../organization/routes.ts";
import { parentVariableRoutes } from "../variables/parent-routes.ts";
import { partRoutes } from "../services/parts.ts";
import { projectRoutes } from "../environments/routes.ts";
import { serviceRoutes } from "../services/routes.ts";
import { stageRoutes } from "../deployments/stage-routes.ts";
import { statusRoutes } from "../deployments/status-routes.ts";
import { variableRoutes } from "../variables/routes.ts";

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
