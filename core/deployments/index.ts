export { liveNames, withShortNames } from "./short-names.ts";
export { deploymentsOf } from "./by-id.ts";
export {
  explained,
  lastLines,
  type OrderOptions,
  type OrderOutcome,
  type ServiceOutcome,
} from "./carry-out.ts";
export { chooseServices, type DeploymentChoice, type ChosenResource } from "./choose.ts";
export { changeText, FollowedServices } from "./followed-services.ts";
export { healthOf, type HealthState, healthStates } from "./health.ts";
export { readLinks } from "./links.ts";
export { followLogs, hasLogs, type LogLine, mostLogLines, readLogs } from "./logs.ts";
export {
  type DeploymentAction,
  type DeploymentOrder,
  type OrderedService,
  requestsOf,
  type Version,
} from "./order.ts";
export { ordersFor, ordersOfVersions } from "./orders.ts";
export { type NoPastVersion, type PastVersion, readPastVersion } from "./past-versions.ts";
export { pauseBefore } from "./pace.ts";
export {
  withDeclaredVersions,
  declaredVersions,
  readDeployed,
  readDeploymentStatuses,
  type ServiceDeploymentStatus,
  type EnvironmentDeploymentStatus,
} from "./deployment-status.ts";
