import type { Route } from "./http/routing.ts";
import { catalogueRoutes } from "./catalogue/index.ts";
import { alertRoutes } from "./alerts/routes.ts";
import { imageRoutes } from "./deployments/images.ts";
import { backupRoutes } from "./databases/backups.ts";
import { databaseRoutes } from "./databases/versions.ts";
import { billingInfoRoutes } from "./billing/billing-info.ts";
import { costRoutes } from "./billing/costs.ts";
import { environmentLogRoutes } from "./deployments/logs.ts";
import { analysisRoutes } from "./clusters/analyses.ts";
import { argoCdRoutes } from "./clusters/argo-cd.ts";
import { dnsRoutes } from "./clusters/dns.ts";
import { kubeconfigRoutes } from "./clusters/kubeconfig.ts";
import { lockRoutes } from "./clusters/locks.ts";
import { clusterRoutes } from "./clusters/routes.ts";
import { clusterSettingsRoutes } from "./clusters/settings.ts";
import { credentialsRoutes } from "./credentials/routes.ts";
import { deploymentRoutes } from "./deployments/routes.ts";
import { eventRoutes } from "./organization/events.ts";
import { accountRoutes } from "./members/account.ts";
import { apiTokenRoutes } from "./members/api-tokens.ts";
import { customRoleRoutes } from "./members/custom-roles.ts";
import { invitationRoutes } from "./members/invitations.ts";
import { membershipRoutes } from "./members/members.ts";
import { organizationRoutes } from "./organization/routes.ts";
import { webhookRoutes } from "./organization/webhooks.ts";
import { parentVariableRoutes } from "./variables/parent-routes.ts";
import { partRoutes } from "./services/parts.ts";
import { projectRoutes } from "./environments/routes.ts";
import { environmentRuleRoutes } from "./rules/environment-rule.ts";
import { projectRuleRoutes } from "./rules/project-rules.ts";
import { serviceRoutes } from "./environments/service-routes.ts";
import { historyRoutes } from "./deployments/history.ts";
import { stageRoutes } from "./deployments/stage-routes.ts";
import { statusRoutes } from "./deployments/status-routes.ts";
import { variableRoutes } from "./variables/routes.ts";

/** Every operation that the emulator serves. */
export const routes: Route[] = [
  ...organizationRoutes,
  ...clusterRoutes,
  ...clusterSettingsRoutes,
  ...kubeconfigRoutes,
  ...dnsRoutes,
  ...argoCdRoutes,
  ...lockRoutes,
  ...analysisRoutes,
  ...credentialsRoutes,
  ...catalogueRoutes,
  ...accountRoutes,
  ...membershipRoutes,
  ...invitationRoutes,
  ...apiTokenRoutes,
  ...customRoleRoutes,
  ...webhookRoutes,
  ...billingInfoRoutes,
  ...costRoutes,
  ...alertRoutes,
  ...eventRoutes,
  ...projectRoutes,
  ...projectRuleRoutes,
  ...environmentRuleRoutes,
  ...stageRoutes,
  ...serviceRoutes,
  ...partRoutes,
  ...databaseRoutes,
  ...backupRoutes,
  ...deploymentRoutes,
  ...imageRoutes,
  ...statusRoutes,
  ...historyRoutes,
  ...environmentLogRoutes,
  ...variableRoutes,
  ...parentVariableRoutes,
];
