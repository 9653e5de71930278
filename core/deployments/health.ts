import { type DeployedStatus, isFailedDeployment, isIdle } from "../state/live/index.ts";

/**
 * The health of a service after its last deployment, the worst first. `slow`: the deployment takes longer than it should;
 * `halted`: it was cancelled, the service was uninstalled, or stopping or uninstalling it has failed.
 */
export const healthStates = ["failed", "slow", "halted", "deploying", "healthy"] as const;

export type HealthState = (typeof healthStates)[number];

const halts: ReadonlySet<string> = new Set(["CANCELED", "DELETED", "DELETE_ERROR", "STOP_ERROR"]);

/**
 * The health of a service; undefined if it was never deployed.
 *
 * @param now by the clock of the server, in milliseconds since 1970
 * @param limit how long a deployment may take, in milliseconds
 */
export function healthOf(
  { state, deployedAt }: DeployedStatus,
  now: number,
  limit: number,
): HealthState | undefined {
  if (isFailedDeployment(state)) return "failed";
  if (state === "READY") return undefined;
  if (halts.has(state)) return "halted";
  if (isIdle(state)) return "healthy";
  return deployedAt !== undefined && now - Date.parse(deployedAt) > limit ? "slow" : "deploying";
}
