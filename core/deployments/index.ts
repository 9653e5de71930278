export {
  carryOut,
  carryOutOne,
  type OrderOptions,
  type OrderOutcome,
  type ServiceOutcome,
} from "./carry-out.ts";
export { type Choice, chooseServices, type Found } from "./choose.ts";
export { type Followed, followDeployment, type FollowOptions, type ServiceProgress } from "./follow.ts";
export { followLogs, hasLogs, type LogLine, readLogs } from "./logs.ts";
export {
  type DeploymentAction,
  type DeploymentOrder,
  type OrderedService,
  requestsOf,
  type Version,
} from "./order.ts";
export { ordersFor } from "./orders.ts";
export { pauseBefore } from "./pace.ts";
export { startDeployment } from "./start.ts";
export {
  type DeploymentStatus,
  type EnvironmentStatuses,
  isIdle,
  readStatuses,
  type ServiceStatus,
  type StateMeaning,
  statusOf,
} from "../live/statuses.ts";
