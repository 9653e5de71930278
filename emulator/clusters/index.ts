import type { Route } from "../http/routing.ts";
import { analysisRoutes } from "./analyses.ts";
import { argoCdRoutes } from "./argo-cd.ts";
import { dnsRoutes } from "./dns.ts";
import { kubeconfigRoutes } from "./kubeconfig.ts";
import { lockRoutes } from "./locks.ts";
import { clusterRoutes } from "./routes.ts";
import { clusterSettingsRoutes } from "./settings.ts";

export const allClusterRoutes: Route[] = [
  ...clusterRoutes,
  ...clusterSettingsRoutes,
  ...kubeconfigRoutes,
  ...dnsRoutes,
  ...argoCdRoutes,
  ...lockRoutes,
  ...analysisRoutes,
];
