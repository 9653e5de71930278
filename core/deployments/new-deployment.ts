import type { DeploymentAction, OrderedService } from "./order.ts";
import { isIdle, sameId, type DeployedStatus, type Statuses, statusOf } from "../state/live/index.ts";

/** Whether a request between two reads of an environment has started or ended something; no services: the whole environment. */
export function startedSince(
  action: DeploymentAction,
  before: Statuses,
  now: Statuses,
  services: readonly OrderedService[] | undefined,
): "all" | "some" | "none" {
  if (action === "cancel") return isIdle(now.state) || now.state === "CANCELING" ? "all" : "none";
  if (!services) return isNewDeployment(before, now) ? "all" : "none";
  const started = services.filter(
    ({ id }) =>
      hasStarted(statusOf(before, id), statusOf(now, id)) ||
      (action === "stop" && statusOf(now, id)?.state === "STOPPED"),
  );
  if (started.length === 0) return "none";
  return started.length === services.length ? "all" : "some";
}

/** Whether the environment is in a deployment, or has had one, that it did not have at the earlier look. */
export function isNewDeployment(before: Statuses, now: Statuses): boolean {
  if (now.lastDeploymentId !== undefined || before.lastDeploymentId !== undefined)
    return !sameId(before.lastDeploymentId ?? "", now.lastDeploymentId ?? "");
  return before.deployedAt !== now.deployedAt || (isIdle(before.state) && !isIdle(now.state));
}

/** Whether a service is in an operation, or has had one, that it did not have at the earlier look. */
export function hasStarted(before: DeployedStatus | undefined, now: DeployedStatus | undefined): boolean {
  if (!now) return false;
  if (now.executionId !== undefined || before?.executionId !== undefined)
    return !sameId(before?.executionId ?? "", now.executionId ?? "");
  if (now.deployedAt !== undefined || before?.deployedAt !== undefined)
    return before?.deployedAt !== now.deployedAt;
  return before?.state !== now.state;
}
